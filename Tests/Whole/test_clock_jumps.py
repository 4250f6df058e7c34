"""A machine's clock is set while the server runs: what ends with the jump, and what must not."""

import base64
import mmap
import os
import re
import struct
import subprocess
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import requests

from cluster import Etcd, Nodes, linked
from household import Browser, Server, Upstream, eventually

HOUR = 3_600
DAY = 24 * HOUR
BLOCKED = ["127.0.0.1"]
OPEN = [Upstream.ADDRESS]


class MachineTime:
    """The wall clock of a server, set by `machine_time.c`. No other program on this machine sees it."""

    def __init__(self, folder: Path):
        library, told = folder / "machine_time.so", folder / "machine-time"
        source = Path(__file__).with_name("machine_time.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        told.write_bytes(bytes(struct.calcsize("@ll")))
        with open(told, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "MACHINE_TIME": str(told)}

    def set(self, ahead=0, is_synchronised=False):
        self.memory[:] = struct.pack("@ll", ahead, is_synchronised)


@pytest.fixture
def machine(tmp_path):
    return MachineTime(tmp_path)


@pytest.fixture
def server(machine, tmp_path, upstream):
    server = Server(tmp_path / "data", upstream, environment=machine.environment)
    yield server
    server.stop()


@pytest.fixture
def sleeper(server):
    return Browser(server).log_in().enroll()


def used(sleeper):
    return {app["name"]: app["minutes"] for app in sleeper.get("/api/v1/usage").json()["apps"]}


def use(server, sleeper):
    """Uses an app for a minute; the server's stop writes it to the disk."""
    for name in ("www.tiktok.com", "webcast.tiktok.com"):
        server.ask(name)
    time.sleep(1.5)
    server.stop()
    server.start()
    assert list(used(sleeper)) == ["TikTok"]
    return used(sleeper)


def log(sleeper):
    return sleeper.get("/api/v1/log").json()["entries"]


def now(sleeper):
    return sleeper.state()["now"][:10]


@pytest.mark.parametrize("is_synchronised", [False, True])
def test_a_clock_that_jumps_a_day_ahead_for_seconds_ends_no_strict_session(server, sleeper, machine, is_synchronised):
    machine.set(is_synchronised=is_synchronised)
    minutes = use(server, sleeper)
    sleeper.start_session(60, "strict")
    before, today, lines = sleeper.state()["session"], now(sleeper), log(sleeper)
    machine.set(DAY, is_synchronised)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        assert server.addresses("tiktok.com") == BLOCKED
        assert sleeper.state()["session"] == before
        time.sleep(0.5)
    assert now(sleeper) == today
    machine.set(0, is_synchronised)
    time.sleep(2.5)
    assert server.addresses("tiktok.com") == BLOCKED
    assert sleeper.state()["session"] == before
    assert used(sleeper) == minutes and log(sleeper) == lines


def test_a_restart_during_the_jump_ends_no_strict_session_either(server, sleeper, machine):
    sleeper.start_session(60, "strict")
    before = sleeper.state()["session"]
    # The server notes the time every second.
    time.sleep(2.5)
    server.stop()
    machine.set(DAY)
    server.start()
    assert server.addresses("tiktok.com") == BLOCKED and sleeper.state()["session"] == before
    machine.set(0)
    time.sleep(2.5)
    assert server.addresses("tiktok.com") == BLOCKED and sleeper.state()["session"] == before


@pytest.mark.parametrize("is_synchronised", [False, True])
@pytest.mark.parametrize("back", [2 * HOUR, 25 * HOUR, 2 * DAY, None])
def test_a_clock_that_goes_back_for_seconds_ends_no_strict_session(server, sleeper, machine, back, is_synchronised):
    machine.set(is_synchronised=is_synchronised)
    sleeper.start_session(60, "strict")
    before, today, lines = sleeper.state()["session"], now(sleeper), log(sleeper)
    # None: as a machine without a battery starts, in 1970.
    machine.set(-back if back else 3600 - int(time.time()), is_synchronised)
    until = time.monotonic() + 4
    while time.monotonic() < until:
        assert server.addresses("tiktok.com") == BLOCKED
        assert sleeper.state()["session"] == before and now(sleeper) == today
        time.sleep(0.5)
    machine.set(0, is_synchronised)
    time.sleep(2.5)
    assert server.addresses("tiktok.com") == BLOCKED
    assert sleeper.state()["session"] == before and log(sleeper) == lines


def test_a_strict_night_stays_closed_while_the_clock_is_two_hours_back(server, sleeper, machine):
    machine.set()
    start, end = (datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(hours=hours) for hours in (-1, 2))
    night = {"isEnabled": "on", "start": f"{start:%H:%M}", "end": f"{end:%H:%M}", "strictness": "strict", "begin": "now"}
    assert sleeper.post("/schedule", night).status_code == 303
    eventually(lambda: server.addresses("tiktok.com") == BLOCKED)
    before = sleeper.state()["session"]
    assert before["mode"] == "recurring" and before["strictness"] == "strict"
    machine.set(-2 * HOUR)
    until = time.monotonic() + 6
    while time.monotonic() < until:
        assert server.addresses("tiktok.com") == BLOCKED
        assert sleeper.state()["session"] == before
        time.sleep(0.5)
    # Also where the server is killed meanwhile, and comes back on the same clock.
    server.kill()
    server.start()
    assert server.addresses("tiktok.com") == BLOCKED and sleeper.state()["session"] == before
    machine.set(0)
    time.sleep(2.5)
    assert server.addresses("tiktok.com") == BLOCKED and sleeper.state()["session"] == before


@pytest.mark.parametrize("ahead", [-2 * DAY, 2 * DAY])
def test_a_clock_that_is_wrong_for_seconds_shortens_no_delay(server, sleeper, machine, ahead):
    settings = {"resetHour": "0", "unlocksPerDay": "", "looseningDelay": "24"}
    for path, fields in [
            ("/limits", {"app": "tiktok", "minutes": "30"}), ("/limits/settings", settings),
            ("/limits", {"app": "tiktok", "minutes": "90"}), ("/my-rules/leave", {"which": "this"})]:
        assert sleeper.post(path, fields, page="/limits").status_code == 303, path

    def waits():
        state = sleeper.state()
        return [limit["minutes"] for limit in state["limits"]] == [30] and state["devices"]["enrolled"] == 1

    assert waits()
    for offset in (ahead, 0):
        machine.set(offset)
        time.sleep(2.5)
        assert waits(), offset
    assert "Cancel change" in sleeper.get("/limits").text and "Stay" in sleeper.get("/my-rules").text


def test_a_clock_that_is_set_is_followed_at_once_where_nothing_is_strict(server, sleeper, machine):
    sleeper.start_session(60, "flexible")
    today = now(sleeper)
    assert server.addresses("tiktok.com") == BLOCKED
    machine.set(DAY)
    eventually(lambda: server.addresses("tiktok.com") == OPEN, 3)
    assert sleeper.state()["session"] is None and now(sleeper) > today


def test_what_is_old_goes_only_by_a_clock_that_somebody_vouches_for(server, sleeper, machine):
    minutes = use(server, sleeper)
    sleeper.start_session(30, "flexible").post("/session/cancel")
    lines = log(sleeper)
    assert lines and server.stop() == 0
    machine.set(100 * DAY)
    server.start()
    # A later line, before which old ones could go, and the moment after the start in which they would.
    sleeper.start_session(30, "flexible")
    time.sleep(3)
    assert log(sleeper)[-len(lines):] == lines
    machine.set(0)
    eventually(lambda: used(sleeper) == minutes)
    server.stop()
    machine.set(100 * DAY, is_synchronised=True)
    server.start()
    eventually(lambda: not any(line in lines for line in log(sleeper)))
    machine.set(0, is_synchronised=True)
    eventually(lambda: used(sleeper) == {})


def test_an_old_record_of_a_member_sets_no_machines_clock(tmp_path, upstream):
    """A machine without a time source goes by that of another, and then hears again what that one said two days ago."""
    for name in ("etcd", "first", "second"):
        (tmp_path / name).mkdir()
    first, second = (MachineTime(tmp_path / name) for name in ("first", "second"))
    etcd = Etcd(tmp_path / "etcd", members=1)
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    try:
        told, untold = nodes.all
        for node in nodes.all:
            node.stop()

        def begin(node, clock, ahead, is_synchronised):
            clock.set(ahead, is_synchronised)
            node.environment = clock.environment
            node.start()
            linked(node)

        def records():
            found = requests.post(etcd.endpoints[0] + "/v3/kv/range", json={"key": "AA==", "range_end": "AA=="}, timeout=5).json()
            return {record["key"]: record for record in found["kvs"] if re.search(rb"/node/\d+$", base64.b64decode(record["key"]))}

        before = records()
        begin(told, first, -2 * DAY, True)
        key = eventually(lambda: [key for key, record in records().items() if record != before.get(key)], 10)[0]
        old = records()[key]["value"]
        first.set(0, True)
        told.stop()
        begin(untold, second, HOUR, False)
        begin(told, first, 0, True)

        def ahead(node):
            shown = datetime.fromisoformat(nodes.api(node, "GET", "/state").json()["now"])
            return abs(shown.timestamp() - time.time())
        eventually(lambda: ahead(untold) < 5, 15)
        sleeper = Browser(untold).log_in().enroll().start_session(60, "strict")
        session = sleeper.state()["session"]
        told.stop()
        for _ in range(5):
            requests.post(etcd.endpoints[0] + "/v3/kv/put", json={"key": key, "value": old}, timeout=5).raise_for_status()
            time.sleep(2)
            assert ahead(untold) < 5 and sleeper.state()["session"] == session
            assert untold.addresses("tiktok.com") == BLOCKED
    finally:
        nodes.close()
        etcd.close()
