"""Runs, figures and medians, the same for every comparison."""

import os
import re
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def cpu_nanoseconds(pid: int) -> int:
    """The same to the nanosecond, for short work; by the clock of the process (clock_getcpuclockid(3))."""
    return time.clock_gettime_ns(~pid << 3 | 2)


def memory_kib(pid: int, field: str = "RssAnon") -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status).group(1))


class Process:
    """A server of one run; ended by its own PID when the run is over."""

    def __init__(self, *words, cwd=None, environment=None):
        self.child = subprocess.Popen(
            [str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd,
            env={**os.environ, **(environment or {})})

    @property
    def pid(self) -> int:
        return self.child.pid

    @property
    def cpu(self) -> float:
        return cpu_seconds(self.pid)

    def stop(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(10)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def dnsperf(port: int, questions: Path, seconds: int = 4, sockets: int = 8) -> dict:
    """Asks over UDP as fast as answers come back; queries per second and how many were lost."""
    output = subprocess.run(
        ["dnsperf", "-s", "127.0.0.1", "-p", str(port), "-d", str(questions), "-l", str(seconds), "-c", str(sockets), "-q", "200"],
        capture_output=True, text=True, timeout=seconds + 30).stdout
    number = lambda label: float(re.search(rf"{label}:\s+([\d.]+)", output).group(1))
    return {"rate": number("Queries per second"), "answered": number("Queries completed"), "lost": number("Queries lost")}


def alternate(contenders: dict, rounds: int) -> dict:
    """Runs every contender in turn, `rounds` times, so that a slow minute slows all of them alike."""
    figures = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            figures[name].append(run())
    # A process takes memory once and keeps it for the next round: the round with the most counts.
    middle = lambda key, values: max(values) if key.startswith("KiB") else statistics.median(values)
    return {
        name: {key: round(middle(key, [run[key] for run in runs]), 2) for key in runs[0]}
        for name, runs in figures.items()
    }


def missing(*programs) -> list[str]:
    return [program for program in programs if not (shutil.which(program) or Path(f"/usr/sbin/{program}").exists())]


def until(check, seconds=20.0, pause=0.02):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            answer = check()
        except OSError:
            answer = None
        if answer:
            return answer
        time.sleep(pause)
    raise RuntimeError("it did not come up in time")
