"""Somebody who can write into etcd, and has no key of the household: sealed records are deleted and put back, as with curl. No
block is lifted, nothing old comes to life, every machine says so, and what was changed is put right."""

import base64
import html
import json
import re
import subprocess
import time

import pytest

from cluster import Etcd, Nodes, cut_off, linked
from failing import agree, documents
from household import BINARY, PASSCODE, Browser, eventually
from test_cluster_strange import asleep, call, is_blocked, key_of

SAID = "Somebody without the household's key"


@pytest.fixture
def etcd(tmp_path):
    etcd = Etcd(tmp_path, members=1)
    yield etcd
    etcd.close()


@pytest.fixture
def nodes(tmp_path, upstream, etcd):
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    yield nodes
    nodes.close()


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def records(etcd):
    """All records of the household, by their keys."""
    found = call(etcd, "range", key=encoded("sleep-inducer/"), range_end=encoded("sleep-inducer0"))["kvs"]
    return {pair["key"]: pair.get("value", "") for pair in found}


def present(etcd):
    """The documents and logins, and the head."""
    return {key: value for key, value in records(etcd).items()
            if any(part in base64.b64decode(key).decode() for part in ("/now/document/", "/now/access/", "/now/head"))}


def transact(etcd, puts=(), deletions=()):
    reply = call(etcd, "txn", success=[{"requestDeleteRange": {"key": key}} for key in deletions]
                 + [{"requestPut": {"key": key, "value": value}} for key, value in puts])
    assert reply["succeeded"]


def put_back(etcd, earlier):
    """Makes etcd what it was, as far as documents, logins and the head go."""
    now = present(etcd)
    transact(etcd, earlier.items(), [key for key in now if key not in earlier])


def says_so(node):
    page = html.unescape(Browser(node).log_in().get("/health").text)
    return SAID in node.command("doctor").stdout and SAID in page


def expect_mended(nodes, etcd):
    for node in nodes.all:
        eventually(lambda node=node: says_so(node), 30)
        assert SAID in node.log.read_text()
    status = json.loads(nodes.all[0].command("cluster", "status", "--json").stdout)
    assert status.get("fault") is None, status


def test_a_deleted_session_with_the_heads_own_bytes_lifts_no_block(nodes, etcd):
    before = asleep(nodes)
    head, session = key_of(etcd, "/now/head"), key_of(etcd, "/document/session/1")
    transact(etcd, [(head, records(etcd)[head])], [session])
    for _ in range(20):
        assert all(is_blocked(node) for node in nodes.all)
    eventually(lambda: session in records(etcd), 20)
    expect_mended(nodes, etcd)
    # Also without the head.
    call(etcd, "deleterange", key=session)
    eventually(lambda: session in records(etcd), 20)
    assert all(is_blocked(node) and not cut_off(node) for node in nodes.all)
    assert agree(nodes.all) == before
    # The next change works, and a restart knows no better.
    for number, node in enumerate(nodes.all):
        assert nodes.api(node, "PATCH", "/people/1", json={"name": f"Ada {number}"}).ok
        agree(nodes.all)
        node.kill()
        node.start()
        linked(node)
        assert is_blocked(node)


def test_earlier_bytes_of_a_person_or_of_everything_undo_no_limit(nodes, etcd):
    owner = Browser(nodes.all[0]).log_in().enroll()
    agree(nodes.all)
    earlier = present(etcd)
    assert owner.post("/limits", {"app": "tiktok", "minutes": "2"}).status_code == 303
    before = agree(nodes.all)
    assert "tiktok" in json.dumps(before[("person", 1)])
    person, head = key_of(etcd, "/document/person/1"), key_of(etcd, "/now/head")
    second = nodes.all[1]
    for turn, puts in enumerate(({person: earlier[person]}, {person: earlier[person], head: records(etcd)[head]})):
        second.stop()
        transact(etcd, puts.items())
        second.start()
        linked(second)
        eventually(lambda: records(etcd)[person] != earlier[person], 20)
        assert agree(nodes.all) == before, turn
    # All of it is put back: machines that know better are cut off, and keep what they know.
    latest = present(etcd)
    put_back(etcd, earlier)
    for node in nodes.all:
        eventually(lambda node=node: cut_off(node), 20)
        node.stop()
        node.start()
        eventually(lambda node=node: cut_off(node), 20)
        assert documents(node) == before
        assert "older state" in node.command("doctor").stdout
    assert "older state" in nodes.all[0].command("cluster", "status").stdout
    put_back(etcd, latest)
    for node in nodes.all:
        linked(node, 40)
    assert agree(nodes.all) == before


def test_an_earlier_passcode_and_an_earlier_login_stay_dead(nodes, etcd):
    old = Browser(nodes.all[1]).log_in()
    earlier = present(etcd)
    changed = nodes.all[0].command("passcode", input="another-moon-43\n")
    assert changed.returncode == 0, changed.stderr
    eventually(lambda: "/login" in old.get("/settings", allow_redirects=False).headers.get("Location", ""), 10)
    access = {key: value for key, value in earlier.items() if "/now/access/" in base64.b64decode(key).decode()}
    second = nodes.all[1]
    second.stop()
    head = key_of(etcd, "/now/head")
    transact(etcd, [*access.items(), (head, records(etcd)[head])])
    second.start()
    linked(second)
    assert "Location" in old.get("/settings", allow_redirects=False).headers
    for node in nodes.all:
        Browser(node).log_in("another-moon-43")
        with pytest.raises(AssertionError):
            Browser(node).log_in(PASSCODE)
    eventually(lambda: SAID in nodes.all[0].command("doctor").stdout, 30)


def test_garbage_hides_no_missing_record_from_a_machine_that_is_behind(nodes, etcd):
    first, second = nodes.all
    before = asleep(nodes)
    second.stop()
    assert nodes.api(first, "PATCH", "/people/1", json={"name": "Ada"}).ok
    first.stop()
    session = key_of(etcd, "/document/session/1")
    garbage = base64.b64encode(base64.b64decode(session).replace(b"session/1", b"session/2")).decode()
    transact(etcd, [(garbage, encoded("garbage"))], [session])
    second.start()
    eventually(lambda: "not what the household's machines agreed on" in second.command("doctor").stdout, 20)
    assert cut_off(second) and is_blocked(second) and documents(second) == before
    assert "agreed on" in second.command("cluster", "status").stdout
    # The machine that knows the last change puts it right.
    first.start()
    linked(first)
    linked(second, 40)
    assert agree(nodes.all)[("person", 1)]["name"] == "Ada" and is_blocked(second)
    assert session in records(etcd) and garbage not in records(etcd)


def test_a_new_machine_takes_no_state_from_before_its_invitation(nodes, etcd, tmp_path):
    earlier = present(etcd)
    asleep(nodes)
    code, latest = nodes.invite(), present(etcd)
    put_back(etcd, earlier)
    join = [BINARY, "cluster", "join", code, "--name", "n9", "--data", tmp_path / "n9"]
    joined = subprocess.run(join, capture_output=True, text=True, timeout=60)
    # The machine that made the invitation may have seen it first, and hands out nothing.
    assert joined.returncode == 1 and re.search("agreed on|out of touch", joined.stderr), joined.stderr
    assert not (tmp_path / "n9" / "cluster.json").exists()
    # None is invited to an earlier state.
    refused = nodes.all[0].command("cluster", "invite")
    assert refused.returncode == 1 and "older state" in refused.stderr, refused.stderr
    put_back(etcd, latest)
    for node in nodes.all:
        linked(node, 40)
    third = nodes.join()
    eventually(lambda: is_blocked(third), 20)


@pytest.mark.parametrize("what", ["head", "household", "older"])
def test_help_and_reset_work_at_once_where_the_head_or_the_household_is_gone(nodes, etcd, what):
    earlier = present(etcd)
    sleeper = Browser(nodes.all[0]).log_in().enroll()
    asleep(nodes)
    head, everything = key_of(etcd, "/now/head"), records(etcd)
    if what == "head":
        call(etcd, "deleterange", key=head)
    elif what == "household":
        etcd.control("del", "--prefix", "sleep-inducer/")
    else:
        call(etcd, "put", key=head, value=earlier[head])
    first, second = nodes.all
    begun = time.monotonic()
    reply = sleeper.post("/help", page="/help")
    assert reply.status_code == 303, reply.text[:500]
    eventually(lambda: first.addresses("maps.google.com") != ["127.0.0.1"], 3)
    assert time.monotonic() - begun < 8
    begun = time.monotonic()
    assert nodes.api(second, "POST", "/reset", json={"confirm": True}).ok
    assert time.monotonic() - begun < 5
    eventually(lambda: not is_blocked(second), 3)
    for node in nodes.all:
        eventually(lambda node=node: cut_off(node), 20)
        said = node.command("doctor")
        assert said.returncode == 1 and "cannot ask the household's other machines" in said.stdout, said.stdout
    # Nothing that must wait is taken.
    assert nodes.api(first, "PATCH", "/people/1", json={"name": "Nobody"}).status_code == 503
    transact(etcd, [(head, everything[head])]) if what != "household" else transact_all(etcd, everything)
    for node in nodes.all:
        linked(node, 40)
    eventually(lambda: not is_blocked(first), 20)
    agree(nodes.all)


def transact_all(etcd, everything):
    pairs = list(everything.items())
    for start in range(0, len(pairs), 100):
        transact(etcd, pairs[start:start + 100])


def test_what_a_removed_machine_knew_is_not_believed(nodes, etcd):
    third = nodes.join()
    before = asleep(nodes)
    earlier = records(etcd)
    out = nodes.all[0].command("cluster", "remove", third.data.name)
    assert out.returncode == 0, out.stderr
    eventually(lambda: cut_off(third), 20)
    rest = nodes.all[:2]
    for node in rest:
        linked(node)
    assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "After"}).ok
    before = agree(rest)
    latest = records(etcd)
    # All that the old key sealed comes back, with the machine's place on the roll.
    transact_all(etcd, earlier)
    for node in rest:
        eventually(lambda node=node: cut_off(node), 20)
        node.stop()
        node.start()
        eventually(lambda node=node: "key does not open" in node.command("doctor").stdout, 20)
        assert documents(node) == before and is_blocked(node)
    transact_all(etcd, latest)
    for node in rest:
        linked(node, 40)
    status = json.loads(nodes.all[0].command("cluster", "status", "--json").stdout)
    assert [member["name"] for member in status["members"]] == ["n0", "n1"] and not status.get("fault")
    assert agree(rest) == before
