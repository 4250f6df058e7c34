"""A small machine, made of this one: a control group with a part of a core and little memory (cgroups(7), 2 or 1)."""

import os
import subprocess
import sys
from pathlib import Path

# As Docker's --cpus and systemd's CPUQuota have it: when its part is used up, it stands still until the next period.
PERIOD_US = 100_000


class SmallMachine:
    """What the server gets of this machine. `start` is a program that starts it inside; those who ask stay outside."""

    def __init__(self, work: Path, binary: Path, cores: float, megabytes: int):
        self.mounts: list[Path] = []
        self.groups: dict[str, Path] = {}
        work.mkdir(parents=True)
        try:
            self._make(work)
            self._limit(int(cores * PERIOD_US), megabytes << 20)
        except (OSError, subprocess.CalledProcessError) as fault:
            self.close()
            sys.exit(f"bench: a small machine needs root and control groups for processor and memory: {fault}")
        self.start = work / "sleep-inducer"
        enters = "".join(f"echo $$ > '{group}/cgroup.procs'\n" for group in set(self.groups.values()))
        self.start.write_text(f"#!/bin/sh\n{enters}exec '{binary}' \"$@\"\n")
        self.start.chmod(0o755)

    def _make(self, work: Path):
        """Mounts the hierarchies for itself: version 2 if it has both controllers, else a group in each of version 1."""
        name = f"sleep-inducer-bench-{os.getpid()}-{work.name}"
        both = self._mounted(work / "both", "cgroup2")
        if {"cpu", "memory"} <= set((both / "cgroup.controllers").read_text().split()):
            (both / "cgroup.subtree_control").write_text("+cpu +memory")
            self.groups = dict.fromkeys(("cpu", "memory"), both / name)
        else:
            self.groups = {
                controller: self._mounted(work / controller, "cgroup", "-o", controller) / name
                for controller in ("cpu", "memory")}
        for group in set(self.groups.values()):
            group.mkdir()

    def _mounted(self, place: Path, kind: str, *options: str) -> Path:
        place.mkdir()
        subprocess.run(["mount", "-t", kind, *options, "none", place], check=True)
        self.mounts.append(place)
        return place

    @property
    def version(self) -> int:
        return 2 if self.groups["cpu"] == self.groups["memory"] else 1

    def _limit(self, quota_us: int, memory: int):
        """Its part of the processor is its own: what else runs on this machine has to wait for it."""
        limits = {
            2: {"cpu": {"cpu.max": f"{quota_us} {PERIOD_US}", "cpu.weight": 10_000}, "memory": {"memory.max": memory}},
            1: {"cpu": {"cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": quota_us, "cpu.shares": 262_144},
                "memory": {"memory.limit_in_bytes": memory}},
        }[self.version]
        for controller, files in limits.items():
            for file, value in files.items():
                (self.groups[controller] / file).write_text(str(value))

    def _number(self, controller: str, file: str, word: str = "") -> int:
        """The number in a file, or the one after a word."""
        words = ["", *(self.groups[controller] / file).read_text().split()]
        return int(words[words.index(word) + 1])

    @property
    def peak_mb(self) -> float:
        """The most memory that it had at once, with the cache of its files."""
        return self._number("memory", {2: "memory.peak", 1: "memory.max_usage_in_bytes"}[self.version]) / 1e6

    @property
    def kills(self) -> int:
        """How often the kernel ended a process because there was no memory."""
        return self._number("memory", {2: "memory.events", 1: "memory.oom_control"}[self.version], "oom_kill")

    @property
    def held_seconds(self) -> float:
        """How long its threads stood still because its part of the processor was used up."""
        if self.version == 2:
            return self._number("cpu", "cpu.stat", "throttled_usec") / 1e6
        return self._number("cpu", "cpu.stat", "throttled_time") / 1e9

    def close(self):
        for group in set(self.groups.values()):
            if group.exists():
                group.rmdir()
        for place in self.mounts:
            subprocess.run(["umount", place], check=False)
