"""A machine's clock is set while the server runs: what ends with the jump, and what must not."""

import mmap
import os
import struct
import subprocess
import time
from pathlib import Path

import pytest

from household import Browser, Server, Upstream, eventually

DAY = 86_400
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
