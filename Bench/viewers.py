"""500 viewers of the countdown at one tick a second, beside nginx with nchan."""

import selectors
import socket
import statistics
import subprocess
import threading
import time
from pathlib import Path

import requests

import house
from household import free_port
from measure import Process, alternate, cpu_seconds, memory_kib, until

VIEWERS = 500
SECONDS = 12


def watch(port: int, path: str, headers: str, marker: bytes) -> list[float]:
    """Opens all viewers and returns the arrival time of every event, as a fraction of its second."""
    selector = selectors.DefaultSelector()
    for _ in range(VIEWERS):
        viewer = socket.create_connection(("127.0.0.1", port))
        viewer.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n{headers}\r\n".encode())
        viewer.setblocking(False)
        selector.register(viewer, selectors.EVENT_READ)
    begun, arrivals = time.time(), []
    while time.time() < begun + SECONDS:
        for key, _ in selector.select(0.2):
            data = key.fileobj.recv(65536)
            if not data:
                raise RuntimeError("a viewer was dropped")
            if marker in data and time.time() > begun + 2:
                arrivals.append(time.time())
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return arrivals


def lateness(arrivals: list[float]) -> dict:
    """Milliseconds after the first viewer got the same tick."""
    rounds: list[list[float]] = []
    for arrival in sorted(arrivals):
        if rounds and arrival - rounds[-1][0] < 0.7:
            rounds[-1].append(arrival)
        else:
            rounds.append([arrival])
    late = sorted((arrival - group[0]) * 1000 for group in rounds for arrival in group)
    return {"p50 ms": statistics.median(late), "p99 ms": late[int(len(late) * 0.99)], "ticks": len(late) / VIEWERS}


def measured(pids, port, path, headers, marker) -> dict:
    memory = sum(memory_kib(pid) for pid in pids)
    cpu = sum(cpu_seconds(pid) for pid in pids)
    peak = []
    done = threading.Event()

    def sample():
        while not done.wait(0.5):
            peak.append(sum(memory_kib(pid) for pid in pids))

    threading.Thread(target=sample, daemon=True).start()
    figures = lateness(watch(port, path, headers, marker))
    done.set()
    figures["KiB/viewer"] = (max(peak) - memory) / VIEWERS
    figures["CPU % of a core"] = (sum(cpu_seconds(pid) for pid in pids) - cpu) / SECONDS * 100
    return figures


def nchan_rules(work: Path, port: int) -> Path:
    rules = work / "nchan.conf"
    rules.write_text(f"""
load_module modules/ngx_nchan_module.so;
daemon off; worker_processes 1; pid {work}/nchan.pid; error_log {work}/nchan.log; user root;
events {{ worker_connections 4096; }}
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


def run(work: Path, rounds: int) -> dict:
    server = house.sleeping(work / "viewers")
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in server.owner.session.cookies)
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
                "sleep-inducer": lambda: measured(
                    [server.process.pid], server.http_port, "/events", f"Cookie: {cookies}\r\n", b"event: tick"),
                "nginx with nchan": lambda: measured(children(nginx.pid), port, "/sub", "", b"data:"),
            }, rounds)
    finally:
        stopped.set()
        server.stop()
