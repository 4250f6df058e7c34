"""Abuse by strangers, and its cost for others: garbage packets, and connections that never finish."""

import os
import random
import socket
import statistics
import threading
import time
from pathlib import Path

import dns.message

import house
from household import Upstream

RATE, SECONDS = 100_000, 5
SLOW = 500


def flood(port: int, until: float, counted: list):
    """Sends garbage to the DNS port at a given rate: noise, cut queries, replies, pointer loops."""
    dice = random.Random(7)
    query = dns.message.make_query("site0.example", "A").to_wire()
    packets = [bytes(dice.randrange(256) for _ in range(dice.randrange(1, 400))) for _ in range(200)]
    packets += [query[:cut] for cut in range(1, len(query))] + [b"\0\0\x80" + query[3:]]
    packets += [query[:12] + b"\xc0\x0c" + query[-4:]]
    out = socket.socket(type=socket.SOCK_DGRAM)
    out.connect(("127.0.0.1", port))
    out.setblocking(False)
    begun, sent = time.monotonic(), 0
    while (now := time.monotonic()) < until:
        due = int((now - begun) * RATE)
        while sent < due:
            try:
                out.send(packets[sent % len(packets)])
            except (BlockingIOError, ConnectionRefusedError):
                pass
            sent += 1
    counted.append(sent / (time.monotonic() - begun))


def good_queries(server, seconds: float) -> tuple[int, int, list]:
    """Asks for a blocked name, one query at a time; returns the count, those without an answer in a second, the
    times."""
    asked, lost, times = 0, 0, []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        asked += 1
        try:
            server.ask("site0.example", timeout=1)
            times.append(time.monotonic() - begun)
        except Exception:
            lost += 1
        time.sleep(0.002)
    return asked, lost, times


def garbage(server) -> dict:
    child_end = time.monotonic() + SECONDS
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        counted = []
        flood(server.dns_port, child_end, counted)
        os.write(writer, str(counted[0]).encode())
        os._exit(0)
    asked, lost, times = good_queries(server, SECONDS - 0.5)
    os.waitpid(child, 0)
    return {
        "garbage/s": float(os.read(reader, 64)), "good queries": asked, "lost": lost,
        "median ms": statistics.median(times) * 1000, "slowest ms": max(times) * 1000,
    }


def slow_connections(server) -> dict:
    """Connections that send a byte a second to every listening port, while a person opens the dashboard."""
    held = []
    for number in range(SLOW):
        port = (server.http_port, server.https_port, server.dns_port, server.dot_port)[number % 4]
        caller = socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.{number % 50}.{number % 250 + 1}", 0))
        held.append((caller, (b"GET / HTTP/1.1\r\n", b"\x16\x03\x01\x02\0", b"\0\x40aa", b"\x16\x03\x01\x02\0")[number % 4]))
    stop = threading.Event()

    def dribble():
        place = 0
        while not stop.is_set():
            for caller, words in held:
                try:
                    caller.send(words[place % len(words):][:1])
                except OSError:
                    pass
            place += 1
            stop.wait(1)

    thread = threading.Thread(target=dribble)
    thread.start()
    times = []
    for _ in range(60):
        begun = time.monotonic()
        server.owner.get("/settings")
        times.append(time.monotonic() - begun)
        time.sleep(0.1)
    asked, lost, _ = good_queries(server, 1)
    stop.set()
    thread.join()
    for caller, _ in held:
        caller.close()
    return {
        "slow connections": SLOW, "median ms": statistics.median(times) * 1000, "slowest ms": max(times) * 1000,
        "good queries": asked, "lost": lost,
    }


def run(work: Path) -> dict:
    upstream = Upstream()
    server = house.sleeping(work / "abuse", upstream)
    try:
        figures = {"garbage": garbage(server), "slow": slow_connections(server)}
        keys = list(dict.fromkeys(key for row in figures.values() for key in row))
        return {name: {key: round(row.get(key, 0), 1) for key in keys} for name, row in figures.items()}
    finally:
        server.stop()
        upstream.close()
