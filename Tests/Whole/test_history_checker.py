"""The checker of histories finds each fault that it is there to find."""

import collections
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Bench"))

import history_checker as checker  # noqa: E402


class Told(checker.Changes):
    """The household after each of some changes, as if etcd had been read."""

    def __init__(self, *texts):
        self.all = [(number, 0, one) for number, one in enumerate(texts)]


def house(*names, **more):
    return {"document/house/1": {"ownApps": [{"name": name} for name in names]}, **more}


def append(value, outcome="ok", start=0, end=1, code=None):
    return {"op": "append", "value": value, "node": "n0", "outcome": outcome, "start": start, "end": end, "code": code}


def found(changes, operations):
    wrong = []
    checker.check_kind(changes, operations, checker.apps, True, wrong, collections.Counter())
    return wrong


def test_it_is_content_with_what_etcd_explains():
    changes = Told(house(), house("a"), house("a", "b"))
    assert found(changes, [append("a"), append("b", start=2, end=3), append("c", "refused"), append("d", "unknown")]) == []


def test_it_finds_what_was_lost_undone_or_refused_in_vain():
    assert "lost" in found(Told(house(), house("a")), [append("a"), append("b")])[0]
    assert "undone" in found(Told(house("a"), house()), [append("a")])[0]
    assert "took effect" in found(Told(house("a")), [append("a", "refused", code="invalid-input")])[0]
    assert "stands after it" in found(
        Told(house("b"), house("b", "a")), [append("a", end=1), append("b", start=2, end=3)])[0]


def test_it_finds_a_session_that_is_not_what_the_last_answer_said():
    def sessions(last, *operations):
        wrong = []
        checker.check_sessions(
            Told(last), [{"op": op, "outcome": outcome, "person": 1} for op, outcome in operations], wrong, collections.Counter())
        return wrong
    there = house(**{"document/session/1": {}})
    assert sessions(there, ("start", "ok")) == sessions(house(), ("start", "ok"), ("reset", "ok")) == []
    assert sessions(there, ("start", "ok"), ("reset", "ok")) and sessions(house(), ("start", "ok"))
    assert sessions(house(), ("start", "ok"), ("reset", "unknown")) == []


def test_it_finds_machines_that_differ_in_the_end():
    def finals(*exports):
        wrong = []
        checker.check_finals(Told(house("a")), {f"n{number}": one for number, one in enumerate(exports)}, wrong)
        return wrong
    export = {"ownApps": [{"name": "a"}], "people": [], "log": []}
    assert finals(export, export) == []
    assert finals(export, {**export, "log": ["x"]}) and finals({**export, "ownApps": []})


def test_it_opens_what_was_sealed_for_its_place_and_key_alone():
    # AES-256-GCM of "{}" by another program: number 1, nonce of zeros.
    key, place = bytes(32), "sleep-inducer/x"
    sealed = bytes.fromhex("00000001000000000000000000000000b5da3537d8e0fde0bffa4d9f7882ecfc246c")
    assert checker.opened(key, sealed, place) == b"{}"
    assert checker.opened(key, sealed, place + "y") is None and checker.opened(b"1" * 32, sealed, place) is None


def test_it_reads_the_households_keys():
    # A Swift dictionary with numbers as its keys is a list.
    assert checker.keys_of({"keys": {"keys": [1, "AAA=", 2, "AQE="]}}) == {1: b"\0\0", 2: b"\1\1"}
