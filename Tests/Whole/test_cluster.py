"""Two machines, one house: several nodes over real etcd, whose members and nodes are killed, paused and cut off."""

import json
import os
import random
import signal
import sqlite3
import stat
import statistics
import subprocess
import time

import pytest

from append_order import faults
from cluster import Etcd, Nodes, cut_off, linked
from failing import agree, documents, log_lines, rounds
from household import BINARY, PASSCODE, Browser, Server, eventually

BLOCKED = "tiktok.com"


@pytest.fixture
def etcd(tmp_path):
    etcd = Etcd(tmp_path)
    yield etcd
    etcd.close()


@pytest.fixture
def nodes(tmp_path, upstream, etcd):
    nodes = Nodes(tmp_path, upstream, etcd, 3)
    yield nodes
    nodes.close()


def is_blocked(node, source="127.0.0.1"):
    return node.addresses(BLOCKED, source=source) != [node.upstream.ADDRESS]


def start(nodes, node, minutes=60, strictness="flexible"):
    reply = nodes.api(node, "POST", "/session", json={"durationMinutes": minutes, "strictness": strictness})
    assert reply.status_code == 201, reply.text


def test_one_passcode_one_token_and_one_list_of_devices_on_every_node(nodes):
    owner = Browser(nodes.all[1]).log_in().enroll()
    agree(nodes.all)
    for node in nodes.all:
        # The cookie of one node opens the pages of the others.
        guest = Browser(node)
        guest.session.cookies.update({cookie.name: cookie.value for cookie in owner.session.cookies})
        assert guest.get("/settings").status_code == 200
        assert nodes.api(node, "GET", "/state").status_code == 200
    # The phone that enrolled on one node is asleep on all.
    start(nodes, nodes.all[2])
    for node in nodes.all:
        eventually(lambda node=node: is_blocked(node))
    names = {json.loads(Browser(node).get("/healthz").text)["node"] for node in nodes.all}
    assert names == {"n0", "n1", "n2"}
    assert stat.S_IMODE(os.stat(nodes.all[0].data / "cluster.json").st_mode) == 0o600
    # What is in etcd tells nothing of the house.
    held = nodes.etcd.control("get", "--prefix", "sleep-inducer/").stdout
    assert "document/house/1" in held and "timeZone" not in held and "Europe" not in held


@pytest.mark.alone
def test_a_change_is_in_the_others_answers_within_100_ms(nodes):
    Browser(nodes.all[0]).log_in().enroll()
    agree(nodes.all)
    waits = []
    for turn in range(100):
        node, other = nodes.all[turn % 3], nodes.all[(turn + 1) % 3]
        wanted = turn % 2 == 0
        if wanted:
            start(nodes, node)
        else:
            assert nodes.api(node, "POST", "/reset", json={"confirm": True}).ok
        begun = time.monotonic()
        while is_blocked(other) != wanted:
            assert time.monotonic() - begun < 5
        waits.append(time.monotonic() - begun)
    waits.sort()
    median, most = statistics.median(waits), waits[98]
    print(f"seen by the others after {1000 * median:.0f} ms, 99 of 100 within {1000 * most:.0f} ms")
    # On a busy machine the slowest one waits for the processor. A look each second would take half a second here.
    assert median < 0.1 and most < 2


def test_what_fails_takes_no_acknowledged_change_along_and_all_agree_on_one_order(nodes, etcd, tmp_path):
    done = rounds(nodes, etcd, tmp_path, 12, random.randrange(1 << 30))
    assert len(done) >= 10


def test_the_checker_finds_what_is_wrong():
    ok = {"op": "append", "node": "a", "outcome": "ok"}
    one, two = {**ok, "value": 1, "start": 0, "end": 1}, {**ok, "value": 2, "start": 2, "end": 3}
    read = {"op": "read", "node": "a", "start": 4, "end": 5, "values": [1, 2]}
    assert faults([one, two, read], {"a": [1, 2], "b": [1, 2]}) == []
    assert faults([one, two], {"a": [1, 2], "b": [2, 1]})
    assert faults([one, two], {"a": [1]})
    assert faults([one, two], {"a": [2, 1]})
    assert faults([one, {**two, "outcome": "refused"}], {"a": [1, 2]})
    assert faults([one, two, {**read, "values": [1]}], {"a": [1, 2]})
    assert faults([one, two, {**read, "values": [2]}], {"a": [1, 2]})
    assert faults([one], {"a": [1, 3]})
    assert faults([{**one, "outcome": "unknown"}, two], {"a": [2]}) == []


def test_a_cut_off_node_enforces_refuses_changes_and_tells_of_a_reset_later(nodes, etcd):
    Browser(nodes.all[0]).log_in().enroll()
    start(nodes, nodes.all[0], strictness="strict")
    agree(nodes.all)
    # Two of three members are gone: nobody can agree on anything.
    etcd.pause(0, 1)
    for node in nodes.all:
        eventually(lambda node=node: cut_off(node), 15)
    node = nodes.all[1]
    assert is_blocked(node)
    # No change, and no way out of a strict session.
    reply = nodes.api(node, "PATCH", "/people/1", json={"name": "Somebody"})
    assert (reply.status_code, reply.json()["code"]) == (503, "machines-unreachable")
    assert nodes.api(node, "POST", "/session/cancel").status_code in (409, 503)
    assert is_blocked(node)
    browser = Browser(node).log_in()
    assert "cannot ask the household" in browser.get("/").text
    reply = browser.post("/settings/name", {"name": "Somebody"}, page="/settings")
    assert reply.status_code >= 400
    # A restart without etcd goes on with what is known.
    node.kill()
    node.start()
    assert is_blocked(node)
    # Emergency Reset works at once, here.
    assert nodes.api(node, "POST", "/reset", json={"confirm": True}).ok
    eventually(lambda: not is_blocked(node))
    assert is_blocked(nodes.all[0])
    etcd.resume(0, 1)
    for one in nodes.all:
        linked(one, 40)
    eventually(lambda: not is_blocked(nodes.all[0]), 20)
    agree(nodes.all)
    for one in nodes.all:
        eventually(lambda one=one: any(kind == "sessionReset" for kind, *_ in log_lines(one)), 10)
    # Every node's log says the same, and each line once.
    lines = [sorted(log_lines(one)) for one in nodes.all]
    assert lines[0] == lines[1] == lines[2]
    assert sum(kind == "sessionReset" for kind, *_ in lines[0]) == 1


def test_invitations_hold_once_and_a_node_that_is_taken_out_hears_no_more(nodes, etcd, tmp_path):
    code = nodes.invite()
    first = tmp_path / "first"
    join = [BINARY, "cluster", "join"]
    def run(*words):
        return subprocess.run([*words], capture_output=True, text=True, timeout=60)
    assert run(*join, code, "--name", "n0", "--data", first).returncode == 0
    # A name that is taken gets a number.
    assert json.loads((first / "cluster.json").read_text())["nodeName"] == "n0-2"
    again = run(*join, code, "--data", tmp_path / "again")
    assert again.returncode == 1 and "used already" in again.stderr
    assert "no invitation" in run(*join, "nonsense", "--data", tmp_path / "again").stderr
    assert not (tmp_path / "again" / "cluster.json").exists()
    taken = run(*join, nodes.invite(), "--data", nodes.all[2].data)
    assert "cluster leave" in taken.stderr
    assert run(BINARY, "cluster", "leave", "--data", first).returncode == 0
    # The third node is taken out, and the key changes.
    out = nodes.all[0].command("cluster", "remove", "n2")
    assert out.returncode == 0, out.stderr
    eventually(lambda: cut_off(nodes.all[2]), 10)
    start(nodes, nodes.all[1])
    assert nodes.api(nodes.all[0], "PATCH", "/people/1", json={"name": "After"}).ok
    agree(nodes.all[:2])
    assert documents(nodes.all[2])[("person", 1)]["name"] != "After"
    status = json.loads(nodes.all[0].command("cluster", "status", "--json").stdout)
    assert [member["name"] for member in status["members"]] == ["n0", "n1"]
    # Nodes that were stopped meanwhile find their way.
    nodes.all[1].stop()
    nodes.all[1].start()
    linked(nodes.all[1])
    # It goes on with the rules that it knew, and can leave.
    nodes.all[2].stop()
    left = nodes.all[2].command("cluster", "leave", "--alone")
    assert left.returncode == 0, left.stderr
    nodes.all[2].start()
    assert nodes.api(nodes.all[2], "PATCH", "/people/1", json={"name": "Alone"}).ok


def test_from_one_machine_to_two_and_back_loses_nothing(tmp_path, upstream, etcd):
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    try:
        Browser(nodes.all[1]).log_in().enroll()
        assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok
        before = agree(nodes.all)
        lines = sorted(log_lines(nodes.all[0]))
        assert lines == sorted(log_lines(nodes.all[1]))
        for node in nodes.all:
            node.stop()
            left = node.command("cluster", "leave")
            assert left.returncode == 0, left.stderr
            assert not (node.data / "cluster.json").exists()
        assert etcd.control("get", "--prefix", "sleep-inducer/", "--keys-only").stdout.strip() == ""
        nodes.all[0].start()
        assert documents(nodes.all[0]) == before
        assert sorted(log_lines(nodes.all[0])) == lines
        assert nodes.api(nodes.all[0], "PATCH", "/people/1", json={"name": "Ada Alone"}).ok
    finally:
        nodes.close()


def test_what_a_newer_build_wrote_survives_an_older_nodes_change(tmp_path, upstream, etcd):
    first = Server(tmp_path / "n0", upstream)
    first.stop()
    from household import edit_documents
    edit_documents(first.data / "sleep-inducer.sqlite", "person", lambda person: person.update(ofTomorrow={"a": 1}))
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    try:
        # A build that does not know the member changes another one.
        assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok
        with sqlite3.connect(f"file:{nodes.all[0].data}/sleep-inducer.sqlite?mode=ro", uri=True) as stored:
            def shared():
                text, = stored.execute("SELECT json FROM shared WHERE name = 'document/person/1'").fetchone()
                return json.loads(text)
            eventually(lambda: shared()["name"] == "Ada")
    finally:
        nodes.close()


def test_a_full_etcd_refuses_changes_in_a_sentence_and_the_rules_hold(tmp_path, upstream):
    etcd = Etcd(tmp_path, members=1, flags=["--quota-backend-bytes", str(16 << 20)])
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    try:
        Browser(nodes.all[0]).log_in().enroll()
        start(nodes, nodes.all[0])
        agree(nodes.all)
        text = "x" * 900_000
        for number in range(40):
            if etcd.control("put", f"big{number}", value=text, check=False).returncode:
                break
        reply = nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Somebody"})
        assert reply.status_code == 503 and "etcd is full" in reply.json()["title"], reply.text
        assert is_blocked(nodes.all[0]) and is_blocked(nodes.all[1])
        # A value of somebody else under our prefix counts for nothing.
        etcd.control("del", "--prefix", "big")
        revision = json.loads(etcd.control("get", "x", "-w", "json").stdout)["header"]["revision"]
        etcd.control("compaction", str(revision))
        etcd.control("defrag")
        etcd.control("alarm", "disarm")
        key = etcd.control("get", "--prefix", "sleep-inducer/", "--keys-only").stdout.split()
        person = next(one for one in key if one.endswith("document/person/1"))
        etcd.control("put", person, "half a val")
        eventually(lambda: nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok, 20)
        agree(nodes.all)
        assert documents(nodes.all[0])[("person", 1)]["name"] == "Ada"
    finally:
        nodes.close()
        etcd.close()


@pytest.mark.nightly
def test_minutes_over_two_machines_that_are_asked_in_turn_are_those_of_one(nodes):
    phone = Browser(nodes.all[0]).log_in().enroll()
    assert phone.post("/limits", {"app": "tiktok", "minutes": "2"}).status_code == 303
    agree(nodes.all)
    pair, names = nodes.all[:2], ["www.tiktok.com", "webcast.tiktok.com"]
    began, beat = time.monotonic(), 0
    while time.monotonic() - began < 330 and not any(is_blocked(node) for node in pair):
        pair[beat % 2].addresses(names[beat // 2 % 2])
        beat += 1
        time.sleep(20)
    took = time.monotonic() - began
    assert 60 <= took <= 210, f"the limit of two minutes held after {took:.0f} s"
    # The limit holds on each, also on the machine that was never asked.
    for node in nodes.all:
        eventually(lambda node=node: is_blocked(node), 15)
    # What was counted is on each disk, the same.
    def minutes(node):
        with sqlite3.connect(f"file:{node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as stored:
            return sum(bin(mask).count("1") for mask, in stored.execute("SELECT minutes FROM usage_hour"))
    eventually(lambda: len({minutes(node) for node in nodes.all}) == 1 and minutes(nodes.all[2]) >= 2, 80)
