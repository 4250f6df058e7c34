"""A Pi's worth of machine: a quarter of a core and 256 MB, for a full house with a year of history."""

import statistics
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import full
import house
import starts
from cgroup import SmallMachine
from household import Browser, Server, Upstream, edit_documents
from load import Load
from measure import memory_kib

CORES, MEGABYTES = 0.25, 256
RATE, SECONDS = 500, 20
# Devices 1 to 10 belong to the person who sleeps; each asks from its own address.
ASLEEP = 10
BLOCKED = "127.0.0.1"


def fill(database: Path):
    full.fill(database)
    starts.a_year_of_history(database)

    def place(device):
        number = device["id"]
        if number > 1:
            device.update(addresses=[f"127.0.0.{number}"], person=1 if number <= ASLEEP else number % 3 + 2)
    edit_documents(database, "device", place)


def bedtime_ms(server, owner) -> float:
    """Sets a bedtime for the next minute, and waits; how late the first blocked answer is."""
    now = datetime.now(full.ZONE)
    bedtime = (now + timedelta(minutes=1, seconds=5)).replace(second=0, microsecond=0)
    wake = bedtime + timedelta(hours=8)
    fields = [("isEnabled", "on"), ("start", f"{bedtime:%H:%M}"), ("end", f"{wake:%H:%M}"), ("strictness", "strict")]
    assert owner.post("/schedule", fields).status_code == 303
    assert server.addresses("site0.example") == [Upstream.ADDRESS]
    while datetime.now(full.ZONE) < bedtime - timedelta(seconds=0.3):
        time.sleep(0.05)
    while server.addresses("site0.example") != [BLOCKED]:
        time.sleep(0.002)
    return (datetime.now(full.ZONE) - bedtime).total_seconds() * 1000


class Asking:
    """500 questions a second from 19 devices: those of the person asleep are blocked, the others' are forwarded."""

    def __init__(self, port: int):
        self.load = Load(port, RATE, self.question, devices=full.DEVICES - 1)

    @staticmethod
    def question(number: int) -> tuple[str, str]:
        device = number % (2 * (full.DEVICES - 1)) // 2 + 2
        return f"n{number}.example", BLOCKED if device <= ASLEEP else Upstream.ADDRESS

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.told = self.load.stop()
        assert not self.load.wrong, self.load.wrong[:3]

    def figures(self, while_: str) -> dict:
        rows = {f"{kind}, {while_}: p99 ms": percentile(self.load.waits[address]) * 1000
                for kind, address in (("blocked", BLOCKED), ("forwarded", Upstream.ADDRESS))}
        return rows | {f"lost of {self.told['sent']:,}, {while_}": self.told["lost"]}


def percentile(values: list, part: float = 0.99) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def pages(owner, rounds: int) -> dict:
    """Each page in turn, as a person opens them; the first time counts as well."""
    took = {path: [] for path in full.PAGES}
    for _ in range(rounds):
        for path, times in took.items():
            begun = time.perf_counter()
            assert owner.get(path).status_code == 200
            times.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.1)
    everything = [one for times in took.values() for one in times]
    slowest = sorted(took, key=lambda path: -statistics.median(took[path]))[:3]
    return {
        "pages: median ms": statistics.median(everything), "pages: p99 ms": percentile(everything),
        **{f"{path}: median ms": statistics.median(took[path]) for path in slowest}}


def measured(server, machine: SmallMachine, work: Path) -> dict:
    owner = Browser(server).log_in()
    # Which answers are right changes at the bedtime, so only the bedtime itself is looked at.
    load = Asking(server.dns_port).load
    late = bedtime_ms(server, owner)
    load.stop()
    first = []
    for _ in range(5):
        server.kill()
        first.append(starts.first_answer(server) * 1000)
    figures = {"first right answer after start: median ms": statistics.median(first), "slowest ms": max(first),
               "a bedtime after its instant, ms": late}
    time.sleep(5)
    with Asking(server.dns_port) as asking:
        time.sleep(SECONDS)
    figures |= asking.figures("500 a second")
    figures |= pages(owner, 20)
    with Asking(server.dns_port) as asking:
        time.sleep(2)
        begun = time.perf_counter()
        made = server.command("backup", work / "house.backup")
        took = time.perf_counter() - begun
        assert made.returncode == 0, made.stderr
        time.sleep(2)
    figures |= {"a backup, s": took} | asking.figures("with a backup")
    with Asking(server.dns_port) as asking:
        pages(owner, 2)
    figures |= asking.figures("with pages")
    time.sleep(65)
    pid = server.process.pid
    return figures | {
        "own memory MiB": memory_kib(pid) / 1024, "all memory with files, at most, MB": machine.peak_mb,
        "swapped KiB": memory_kib(pid, "VmSwap"), "ended by the kernel": machine.kills,
        "stood still for want of processor, s": machine.held_seconds,
    }


def run(work: Path, rounds: int) -> dict:
    # Three threads ask, wait and answer in this process; each should get its turn soon.
    sys.setswitchinterval(0.0005)
    upstream = Upstream()
    server = Server(work / "small", upstream)
    Browser(server).log_in().enroll()
    server.stop()
    fill(work / "small/sleep-inducer.sqlite")
    whole, machine = house.household.BINARY, SmallMachine(work / "machine", house.household.BINARY, CORES, MEGABYTES)
    house.household.BINARY = machine.start
    try:
        server.start()
        figures = measured(server, machine, work)
    finally:
        server.stop()
        house.household.BINARY = whole
        machine.close()
        upstream.close()
    print(f"control groups of version {machine.version}")
    return {name: {"a quarter of a core, 256 MB": round(value, 1)} for name, value in figures.items()}
