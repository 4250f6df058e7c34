"""Starts: time to the first right answer with a year of history, memory at rest, size of the file."""

import random
import socket
import sqlite3
import statistics
import subprocess
import time
import uuid
from pathlib import Path

import dns.exception
import dns.message
import dns.query

import house
from measure import memory_kib


def a_year_of_history(database: Path):
    now = int(time.time() * 1000)
    day = 86_400_000
    with sqlite3.connect(database) as db:
        for night in range(365):
            start = now - (night + 2) * day
            db.execute(
                "INSERT INTO past_session VALUES (?, 1, ?, 'flexible', ?, ?, NULL, 'ended', ?)",
                (str(uuid.uuid4()), '{"manual":{"durationMinutes":480}}', start, start + day // 3, start + day // 3))
            for _ in range(10):
                db.execute(
                    "INSERT INTO event (kind, person, instant, detail) VALUES ('ruleChanged', 1, ?, 'a year of changes')",
                    (start + random.randrange(day),))
    db.close()


def first_answer(server) -> float:
    """Seconds from exec to the first answer that follows the rules."""
    query = dns.message.make_query("tiktok.com", "A").to_wire()
    output = open(server.log, "ab")
    begun = time.perf_counter()
    server.process = subprocess.Popen([house.household.BINARY, *server.flags], stdout=output, stderr=output)
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.settimeout(0.002)
        client.connect(("127.0.0.1", server.dns_port))
        while time.perf_counter() < begun + 10:
            try:
                client.send(query)
                reply = dns.message.from_wire(client.recv(4096))
            except OSError:
                time.sleep(0.001)
                continue
            took = time.perf_counter() - begun
            assert [record.to_text() for record in reply.answer[0]] == ["127.0.0.1"], "the first answer broke the rules"
            return took
    raise RuntimeError("no answer within ten seconds")


def run(work: Path, rounds: int) -> dict:
    server = house.sleeping(work / "starts")
    server.stop()
    a_year_of_history(work / "starts/sleep-inducer.sqlite")
    took = []
    for _ in range(max(5, rounds)):
        took.append(first_answer(server) * 1000)
        server.kill()
    server.start()
    time.sleep(3)
    anonymous, resident = memory_kib(server.process.pid), memory_kib(server.process.pid, "VmRSS")
    server.stop()
    return {"sleep-inducer": {
        "first right answer ms": round(statistics.median(took), 1), "slowest ms": round(max(took), 1),
        "own memory KiB": anonymous, "resident KiB": resident,
        "binary bytes": house.household.BINARY.resolve().stat().st_size,
    }}
