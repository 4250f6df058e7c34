"""What is wrong in etcd, in an invitation or in a machine's own file: a sentence, nothing loosened, nothing lost."""

import base64
import json
import signal
import subprocess

import requests

from cluster import cut_off, linked
from failing import agree, documents
from household import BINARY, Browser, eventually


def call(etcd, path, **members):
    reply = requests.post(f"{etcd.endpoints[0]}/v3/kv/{path}", json=members, timeout=10)
    assert reply.ok, reply.text
    return reply.json()


def key_of(etcd, ending):
    keys = etcd.control("get", "--prefix", "sleep-inducer/", "--keys-only").stdout.split()
    return base64.b64encode(next(key for key in keys if key.endswith(ending)).encode()).decode()


def is_blocked(node):
    return node.addresses("tiktok.com") != [node.upstream.ADDRESS]


def refusal(nodes, node):
    """Why a change is refused now."""
    reply = nodes.api(node, "PATCH", "/people/1", json={"name": "Nobody"})
    assert (reply.status_code, reply.json()["code"]) == (503, "machines-unreachable"), reply.text
    return reply.json()["title"]


def asleep(nodes):
    Browser(nodes.all[0]).log_in().enroll()
    reply = nodes.api(nodes.all[0], "POST", "/session", json={"durationMinutes": 60, "strictness": "strict"})
    assert reply.status_code == 201, reply.text
    return agree(nodes.all)


def test_an_invitation_that_is_over_or_was_changed(nodes, etcd, tmp_path):
    def join(code):
        return subprocess.run([BINARY, "cluster", "join", code, "--name", "n9", "--data", tmp_path / "n9"],
                              capture_output=True, text=True, timeout=60)
    def refused(code, *words):
        joined = join(code)
        assert joined.returncode == 1 and all(word in joined.stderr for word in words), joined.stderr
    code = nodes.invite()
    # One character is wrong, and one that is cut short.
    refused(code[:-1] + ("x" if code[-1] != "x" else "y"), "is no invitation", "type it again")
    refused(code[:-7], "is no invitation")
    # Something is put in its place in etcd.
    key = key_of(etcd, next(word for word in etcd.control(
        "get", "--prefix", "sleep-inducer/", "--keys-only").stdout.split() if "/now/invitation/" in word))
    value = call(etcd, "range", key=key)["kvs"][0]["value"]
    call(etcd, "put", key=key, value=base64.b64encode(b"something else").decode())
    eventually(lambda: "is not the machine that made this invitation" in join(code).stderr, 10)
    call(etcd, "put", key=key, value=value)
    # The machine that made it is off. The new one says where it asked.
    nodes.all[0].stop()
    refused(code, "http://127.0.0.1", "does not answer", "must be on")
    nodes.all[0].start()
    linked(nodes.all[0])
    # Ten minutes pass: etcd's lease ends.
    code = nodes.invite()
    for lease in etcd.control("lease", "list").stdout.split()[3:]:
        if "/now/invitation/" in etcd.control("lease", "timetolive", "--keys", lease).stdout:
            etcd.control("lease", "revoke", lease)
    eventually(lambda: "older than ten minutes" in join(code).stderr, 10)
    refused(code, "Make a new one: with cluster invite, or on the page Machines.")
    assert not (tmp_path / "n9" / "cluster.json").exists()


def test_a_head_that_another_household_sealed_stops_changes_and_loosens_nothing(nodes, etcd):
    before = asleep(nodes)
    key = key_of(etcd, "/now/head")
    value = call(etcd, "range", key=key)["kvs"][0]["value"]
    call(etcd, "put", key=key, value=base64.b64encode(b"something else").decode())
    for node in nodes.all:
        eventually(lambda node=node: cut_off(node), 20)
        assert "key does not open the household's records" in refusal(nodes, node)
        assert is_blocked(node)
    second = nodes.all[1]
    second.stop()
    second.start()
    assert is_blocked(second)
    call(etcd, "put", key=key, value=value)
    for node in nodes.all:
        linked(node, 40)
    assert agree(nodes.all) == before


def test_an_etcd_that_was_emptied_or_went_back_takes_nothing_along(nodes, etcd):
    before = asleep(nodes)
    everything = call(etcd, "range", key=base64.b64encode(b"sleep-inducer/").decode(),
                      range_end=base64.b64encode(b"sleep-inducer0").decode())["kvs"]
    assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok
    agree(nodes.all)
    etcd.control("del", "--prefix", "sleep-inducer/")
    for node in nodes.all:
        node.stop()
        node.start()
        eventually(lambda node=node: cut_off(node), 20)
        assert is_blocked(node) and documents(node)[("person", 1)]["name"] == "Ada"
    eventually(lambda: "no such household in etcd" in refusal(nodes, nodes.all[0]), 20)
    # A copy from before the last change is put back.
    for pair in everything:
        call(etcd, "put", key=pair["key"], value=pair["value"])
    eventually(lambda: "older state of the household" in refusal(nodes, nodes.all[0]), 20)
    assert is_blocked(nodes.all[0]) and documents(nodes.all[0])[("person", 1)]["name"] == "Ada"
    assert before != documents(nodes.all[0])


def test_a_machine_that_slept_past_a_compaction_reads_all_anew(nodes, etcd):
    second = nodes.all[1]
    for is_stopped in (True, False):
        if is_stopped:
            second.stop()
        else:
            second.process.send_signal(signal.SIGSTOP)
        for number in range(5):
            assert nodes.api(nodes.all[0], "PATCH", "/people/1", json={"name": f"Ada {is_stopped} {number}"}).ok
        revision = json.loads(etcd.control("get", "x", "-w", "json").stdout)["header"]["revision"]
        etcd.control("compaction", str(revision), "--physical")
        if is_stopped:
            second.start()
        else:
            second.process.send_signal(signal.SIGCONT)
        eventually(lambda: documents(second)[("person", 1)]["name"] == f"Ada {is_stopped} 4", 30)
    linked(second, 30)
    agree(nodes.all)


def test_a_record_of_a_kind_that_only_a_newer_build_knows_stays(nodes, etcd):
    """It counts for nothing here, and no change of ours takes it away."""
    household = key_of(etcd, "/now/head")
    prefix = base64.b64decode(household).decode().removesuffix("head")
    etcd.control("put", f"{prefix}hologram/1", "of tomorrow")
    assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok
    for node in nodes.all:
        node.stop()
        node.start()
        linked(node, 30)
    assert nodes.api(nodes.all[0], "PATCH", "/people/1", json={"name": "Grace"}).ok
    agree(nodes.all)
    assert "of tomorrow" in etcd.control("get", f"{prefix}hologram/1").stdout


def test_a_damaged_file_of_a_machine_is_named(nodes, etcd):
    first = nodes.all[0]
    first.stop()
    path = first.data / "cluster.json"
    kept = path.read_text()
    path.write_text(kept[:40])
    said = first.command("cluster", "status")
    assert said.returncode == 1 and "cluster.json cannot be read" in said.stderr, said.stderr
    path.write_text(kept)
    first.start()
    linked(first)
