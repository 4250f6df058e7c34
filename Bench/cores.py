"""Two cores against one: how many more questions two answer, blocked and forwarded from the cache.

The client needs processors too. So the server gets a part of each core (`cgroup.py`): that part of the first core, or
twice as much on both. It is the bottleneck then, and uses its part up. A resolver whose cores share nothing answers twice
as many with two. Many sockets ask, because the kernel spreads sockets and not questions (SO_REUSEPORT, socket(7)).
"""

import os
import subprocess
from pathlib import Path

import house
from answers import NAMES, Running, cost
from cgroup import SmallMachine
from household import Browser, Server, Upstream
from measure import alternate

PART, MEGABYTES, SOCKETS = 0.05, 1024, 100
FORWARDED = 1000


class Cores:
    """A server that runs on a part of so many cores."""

    def __init__(self, work: Path, count: int, start):
        self.machine = SmallMachine(work / f"machine-{count}", house.household.BINARY, PART * count, MEGABYTES)
        whole, house.household.BINARY = house.household.BINARY, self.machine.start
        try:
            self.server = start(work / f"cores-{count}")
        finally:
            house.household.BINARY = whole
        for thread in Path(f"/proc/{self.server.process.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), sorted(os.sched_getaffinity(0))[:count])

    def cost(self, questions: Path) -> dict:
        return cost(Running(self.server.process.pid), self.server.dns_port, questions, sockets=SOCKETS)

    def stop(self):
        self.server.stop()
        self.machine.close()


def run(work: Path, rounds: int) -> dict:
    upstream = Upstream()
    asked = {
        "blocked": [f"site{number * 7 % NAMES}.example A\n" for number in range(20_000)],
        "forwarded": [f"name{number}.example A\n" for number in range(FORWARDED)]}

    def awake(data: Path) -> Server:
        server = Server(data, upstream)
        Browser(server).log_in().enroll()
        return server

    starts = {"blocked": lambda data: house.sleeping(data, allowed_domains=NAMES), "forwarded": awake}
    figures = {}
    for kind, start in starts.items():
        questions = work / f"{kind}.txt"
        questions.write_text("".join(asked[kind]))
        figures[kind] = compared(work / kind, start, questions, rounds)
    upstream.close()
    return figures


def compared(work: Path, start, questions: Path, rounds: int) -> dict:
    work.mkdir()
    machines = []
    try:
        for count in (1, 2):
            machines.append(machine := Cores(work, count, start))
            subprocess.run(
                ["dnsperf", "-s", "127.0.0.1", "-p", str(machine.server.dns_port), "-d", questions, "-n", "1", "-q", "20"],
                capture_output=True)
        one, two = machines
        told = alternate({"one": lambda: one.cost(questions), "two": lambda: two.cost(questions)}, rounds)
    finally:
        for machine in machines:
            machine.stop()
    rates = {name: row["answers/s"] for name, row in told.items()}
    return {
        "answers/s of one core's part": rates["one"], "of two cores' parts": rates["two"],
        "two / one": round(rates["two"] / rates["one"], 2), "lost": told["one"]["lost"] + told["two"]["lost"],
        "CPU µs/answer of one": told["one"]["CPU µs/answer"], "of two": told["two"]["CPU µs/answer"]}
