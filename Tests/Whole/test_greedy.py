"""A guest takes all it can get of one thing: the memory stays small, and other devices get their pages, Help and answers."""

import contextlib
import json
import os
import statistics
import sys
import threading
import time
from pathlib import Path

import pytest

from greedy import KINDS
from household import PASSCODE
from lan import at, begin
from test_crowd import GUEST, HOME, OTHER, SHIELD, home

# What another device asks meanwhile, each on a connection of its own; prints how long each took, in seconds.
NEIGHBOUR = """
import http.client, json, socket, ssl, sys, time
address, seconds = sys.argv[1], float(sys.argv[2])
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
question = bytes.fromhex("1234010000010000000000000373656504686f6d6504617270610000010001")
def page(path, host=None, secure=False):
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    line = kind(address, timeout=15, **({"context": context} if secure else {}))
    line.request("GET", path, headers={"Host": host or address})
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status in (200, 403, 503)
def name():
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        one.settimeout(15)
        one.sendto(question, (address, 53))
        return len(one.recv(4096)) > 12
asked = {
    "page": lambda: page("/login"), "help": lambda: page("/help"),
    "secure help": lambda: page("/help", secure=True), "shield": lambda: page("/", "www.tiktok.com"), "name": name}
waits = {what: [] for what in asked}
begun = time.monotonic()
while time.monotonic() < begun + seconds:
    for what, ask in asked.items():
        at = time.monotonic()
        try:
            assert ask(), what
            waits[what].append(time.monotonic() - at)
        except (OSError, http.client.HTTPException):
            waits[what].append(15)
    time.sleep(0.1)
print(json.dumps(waits))
"""
GREEDY = Path(__file__).with_name("greedy.py")
SECONDS = 12


def memory(process):
    """The process's private memory, in MB."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024


class Peak(threading.Thread):
    """The most memory that a process has until it is stopped, in MB."""

    def __init__(self, process):
        super().__init__()
        self.process, self.most, self.stopping = process, memory(process), threading.Event()
        self.start()

    def run(self):
        while not self.stopping.wait(0.1) and self.process.poll() is None:
            self.most = max(self.most, memory(self.process))

    def stop(self):
        self.stopping.set()
        self.join()
        return self.most


def asked(seconds):
    words = at(OTHER, sys.executable, "-c", NEIGHBOUR, SHIELD, str(seconds), timeout=300)
    return json.loads(words.stdout)


def attacked(children, *kinds):
    """What a neighbour waits for each thing while guests take all they can: lists of seconds; and the most memory."""
    server = children[1]
    peak = Peak(server)
    guests = [begin(GUEST, sys.executable, GREEDY, kind, SHIELD, str(SECONDS + 60)) for kind in kinds]
    children.extend(guests)
    time.sleep(8)
    waits = asked(SECONDS)
    for guest in guests:
        guest.kill()
        guest.wait(10)
    assert server.poll() is None, "the server is alive"
    return waits, peak.stop()


@contextlib.contextmanager
def little_memory(process, megabytes):
    """The kernel kills the process when it has more than so much memory, page cache aside, where control groups can be
    made; elsewhere nothing limits it. Yields whether the limit holds."""
    version_1, version_2 = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")
    group = (version_1 if version_1.is_dir() else version_2) / f"si-{os.getpid()}"
    try:
        group.mkdir()
        limit = group / ("memory.limit_in_bytes" if version_1.is_dir() else "memory.max")
        limit.write_text(str(megabytes << 20))
        (group / "cgroup.procs").write_text(str(process.pid))
        holds = True
    except OSError:
        holds = False
    try:
        yield holds
    finally:
        if holds:
            (group.parent / "cgroup.procs").write_text(str(process.pid))
        if group.is_dir():
            group.rmdir()


def row(waits):
    return {what: f"{statistics.median(times):.3f}/{max(times):.3f}" for what, times in waits.items()}


@pytest.mark.alone
@pytest.mark.parametrize("kind", KINDS)
def test_a_greedy_guest_leaves_room_for_others(tmp_path, kind):
    with home(tmp_path) as children:
        # The first look at a page reads its template.
        asked(0.1)
        quiet = asked(1)
        rest = memory(children[1])
        waits, most = attacked(children, kind)
        print(f"\n{kind}: {rest:.0f} -> {most:.0f} MB; median/longest wait, s: {row(waits)}")
    assert most < rest + 60
    for what, times in waits.items():
        assert statistics.median(times) < 1 + 20 * statistics.median(quiet[what]), (what, times)


@pytest.mark.alone
def test_a_machine_with_256_mb_survives_three_kinds_at_once(tmp_path):
    with home(tmp_path) as children:
        with little_memory(children[1], 256) as holds:
            kinds = ["posts", "bodies", "short-gets"]
            waits, most = attacked(children, *kinds)
            print(f"\n256 MB ({holds}): {most:.0f} MB; median/longest wait, s: {row(waits)}")
        assert most < 200
        assert max(waits["name"]) < 15, "every question was answered"


@pytest.mark.alone
def test_a_machine_with_40_mb_takes_a_log_in(tmp_path):
    with home(tmp_path) as children:
        rest = memory(children[1])
        with little_memory(children[1], 40) as holds:
            peak = Peak(children[1])
            reply = at(OTHER, "curl", "-s", "-d", f"passcode={PASSCODE}", "-o", "/dev/null", "-w", "%{http_code}",
                       f"http://{SHIELD}/login")
            most = peak.stop()
        print(f"\n40 MB ({holds}): {reply.stdout}, {rest:.0f} -> {most:.0f} MB")
        assert reply.stdout == "303"
        assert children[1].poll() is None
    assert most < rest + 20
