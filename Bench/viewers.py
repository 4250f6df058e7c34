"""Viewers of the countdown at one tick a second, beside nginx with nchan; and as many as fit, on one core."""

import os
import resource
import socket
import statistics
import subprocess
import threading
import time
from pathlib import Path

import requests

import house
from household import free_port
from measure import Process, alternate, cpu_nanoseconds, memory_kib, until

SECONDS = 12
# Pages that were opened just before the measuring are not measured.
SETTLING = 1.0


class Watch:
    """A number of open streams, of a client in C that takes as little of the machine as it can."""

    def __init__(self, work: Path, viewers: int, cores: set[int] | None = None):
        self.binary, self.viewers, self.cores = work / "watch", viewers, cores
        source = house.ROOT / "Bench/events/watch.c"
        subprocess.run(["gcc", "-O2", "-o", self.binary, source], check=True)

    def measured(self, pids: list[int], port: int, path: str, headers: str, marker: str) -> dict:
        """Opens all streams, and returns what the processes need for them and when the events arrive."""
        memory, cpu = used(pids)
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n{headers}\r\n"
        words = [self.binary, str(port), str(self.viewers), str(SECONDS), marker]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
            if self.cores:
                os.sched_setaffinity(client.pid, self.cores)
            client.stdin.write(request.encode())
            client.stdin.close()
            if client.stdout.readline() != b"open\n":
                raise RuntimeError("a viewer was refused")
            opened = used(pids)[1]
            time.sleep(SETTLING)
            begun, before = time.monotonic(), used(pids)[1]
            # Ends before the client does, whose going is work too.
            time.sleep(SECONDS - SETTLING - 0.5)
            most, after = used(pids)
            share = (after - before) / (time.monotonic() - begun)
            arrivals = [int(line) / 1e9 for line in client.stdout]
        if client.returncode:
            raise RuntimeError("a viewer was dropped")
        return {
            **lateness([arrival for arrival in arrivals if arrival > SETTLING], self.viewers),
            "KiB/viewer": (most - memory) / self.viewers, "CPU % of a core": share * 100,
            "CPU µs to open": (opened - cpu) / self.viewers * 1e6,
        }


def used(pids: list[int]) -> tuple[int, float]:
    """Own memory in KiB, and CPU seconds so far."""
    return sum(map(memory_kib, pids)), sum(map(cpu_nanoseconds, pids)) / 1e9


def lateness(arrivals: list[float], viewers: int) -> dict:
    """Milliseconds after the first viewer got the same tick."""
    rounds: list[list[float]] = []
    for arrival in sorted(arrivals):
        if rounds and arrival - rounds[-1][0] < 0.7:
            rounds[-1].append(arrival)
        else:
            rounds.append([arrival])
    late = sorted((arrival - group[0]) * 1000 for group in rounds for arrival in group)
    return {
        "p50 ms after the first": statistics.median(late), "p99 ms after the first": late[int(len(late) * 0.99)],
        "ticks": len(late) / viewers,
    }


def nchan_rules(work: Path, port: int) -> Path:
    rules = work / "nchan.conf"
    rules.write_text(f"""
load_module modules/ngx_nchan_module.so;
daemon off; worker_processes 1; worker_rlimit_nofile {files()}; pid {work}/nchan.pid; error_log {work}/nchan.log; user root;
events {{ worker_connections {files()}; multi_accept on; }}
http {{ access_log off; client_body_temp_path {work}; proxy_temp_path {work}; fastcgi_temp_path {work}; uwsgi_temp_path {work};
  scgi_temp_path {work};
  server {{ listen 127.0.0.1:{port};
    location = /pub {{ nchan_publisher; nchan_channel_id c; nchan_message_buffer_length 1; }}
    location = /sub {{ nchan_subscriber eventsource; nchan_channel_id c; }} }} }}
""")
    return rules


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [pid, *map(int, found)]


def files() -> int:
    """How many files a process may have open here."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def run(work: Path, rounds: int, viewers: int) -> dict:
    server = house.sleeping(work / "viewers", flags=("--viewers", str(viewers)))
    watch = Watch(work, viewers)
    port = free_port()
    stopped = threading.Event()

    def publish():
        number = 1800
        while not stopped.wait(1 - time.time() % 1):
            number -= 1
            tick = f'{{"now":"2026-11-21T02:00:00Z","remaining":{number},"cancelRemaining":null,"focusRemaining":null}}'
            try:
                requests.post(f"http://127.0.0.1:{port}/pub", data=tick, timeout=2)
            except requests.RequestException:
                pass

    try:
        with Process("nginx", "-c", nchan_rules(work, port)) as nginx:
            until(lambda: socket.create_connection(("127.0.0.1", port), 1))
            threading.Thread(target=publish, daemon=True).start()
            return alternate({
                "sleep-inducer": lambda: ours(server, watch),
                "nginx with nchan": lambda: watch.measured(children(nginx.pid), port, "/sub", "", "data:"),
            }, rounds)
    finally:
        stopped.set()
        server.stop()


def ours(server, watch: Watch) -> dict:
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in server.owner.session.cookies)
    return watch.measured(
        [server.process.pid], server.http_port, "/events", f"Cookie: {cookies}\r\n", "event: tick")


# What the server itself, the client and the rest of a process have open beside the streams.
BESIDE = 500


def one_core(work: Path, rounds: int) -> dict:
    """20,000 viewers, or as many as a process may have files; the server has one core, the client the other."""
    viewers = min(20_000, files() - BESIDE)
    first, *others = sorted(os.sched_getaffinity(0))
    server = house.sleeping(work / "viewers", flags=("--viewers", str(viewers)))
    try:
        for thread in Path(f"/proc/{server.process.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {first})
        watch = Watch(work, viewers, set(others))
        return alternate({f"{viewers:,} viewers": lambda: ours(server, watch)}, rounds)
    finally:
        server.stop()
