"""A school: 20 machines, 5,000 devices with a week of use, one etcd of three members, all on this machine."""

import json
import random
import sqlite3
import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

import devices  # noqa: E402
from cluster import Etcd, Nodes  # noqa: E402
from household import Upstream, eventually  # noqa: E402

MACHINES, DEVICES, DAYS = 20, 5_000, 7
APPS = ("tiktok", "youtube", "instagram", "netflix")
CHANGES, WRITERS = 400, 4


def fill(database: Path):
    """5,000 devices of fifty people; each uses each app in two hours of each day."""
    chance = random.Random(20)
    devices.fill(database, DEVICES)
    today = int(time.time()) // 86_400
    with sqlite3.connect(database) as db:
        db.executemany("INSERT INTO usage_app VALUES (?, ?)", enumerate(APPS, 1))
        db.executemany("INSERT INTO usage_hour VALUES (?, ?, ?, ?, 0, ?)", [
            (devices.owner(device, DEVICES), (today - day) * 24 + hour, app, device, 0x3F << chance.randrange(50))
            for device in range(2, DEVICES + 1) for day in range(1, DAYS + 1) for app in range(1, len(APPS) + 1)
            for hour in chance.sample(range(24), 2)])
    db.close()


class Reader(threading.Thread):
    """Looks into a machine's own file for what changes say of themselves, and notes when each was there first."""

    def __init__(self, node, until):
        super().__init__(daemon=True)
        self.node, self.until, self.seen = node, until, {}

    def run(self):
        while not self.until.is_set():
            with sqlite3.connect(f"file:{self.node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as database:
                rows = database.execute("SELECT json FROM shared WHERE name LIKE 'document/person/%'").fetchall()
            for (text,) in rows:
                self.seen.setdefault(json.loads(text)["name"], time.monotonic())
            time.sleep(0.01)


def write(nodes, number, took, acknowledged):
    """Renames one person again and again, each time on another machine."""
    for turn in range(CHANGES // WRITERS):
        node, name = nodes.all[(turn * WRITERS + number) % MACHINES], f"Writer {number} {turn}"
        begun = time.monotonic()
        reply = nodes.api(node, "PATCH", f"/people/{number + 2}", json={"name": name})
        if reply.ok:
            acknowledged[name] = time.monotonic()
            took.append(acknowledged[name] - begun)


def kilobytes(etcd) -> int:
    """etcd's file, when it has forgotten old revisions as it does every hour."""
    status = json.loads(etcd.control("endpoint", "status", "-w", "json").stdout)
    etcd.control("compact", str(status[0]["Status"]["header"]["revision"]))
    etcd.control("defrag")
    status = json.loads(etcd.control("endpoint", "status", "-w", "json").stdout)
    return round(max(member["Status"]["dbSize"] for member in status) / 1e3)


def minutes(etcd) -> int:
    found = etcd.control("get", "sleep-inducer/", "--prefix", "--keys-only").stdout
    return sum("/minutes/" in key for key in found.split())


def measured(nodes, etcd):
    eventually(lambda: minutes(etcd) >= (DEVICES - 1) * DAYS, 240)
    before = kilobytes(etcd)
    until, took, acknowledged = threading.Event(), [], {}
    readers = [Reader(nodes.all[number], until) for number in (0, MACHINES // 2, MACHINES - 1)]
    writers = [threading.Thread(target=write, args=(nodes, number, took, acknowledged)) for number in range(WRITERS)]
    begun = time.monotonic()
    for thread in readers + writers:
        thread.start()
    for writer in writers:
        writer.join()
    seconds = time.monotonic() - begun
    time.sleep(2)
    until.set()
    for reader in readers:
        reader.join()
    delays = sorted(
        max(0, reader.seen[name] - instant)
        for reader in readers for name, instant in acknowledged.items() if name in reader.seen)
    took.sort()
    refused = WRITERS * (CHANGES // WRITERS) - len(took)
    return {
        "changes a second": round(len(took) / seconds, 1), "refused": refused, "median ms": round(1000 * statistics.median(took)),
        "p99 ms": round(1000 * took[int(0.99 * len(took))]),
        "others have it, median ms": round(1000 * statistics.median(delays)),
        "others have it, p99 ms": round(1000 * delays[int(0.99 * len(delays))]),
        "etcd KB after a week of use": before,
        "bytes of etcd for a change": round(1e3 * (kilobytes(etcd) - before) / len(took))}


def run(work: Path) -> dict:
    upstream, etcd = Upstream(), Etcd(work, flags=["--quota-backend-bytes", str(2 << 30)])
    try:
        nodes = Nodes(work, upstream, etcd, MACHINES, fill=fill)
        try:
            return {"sleep-inducer": measured(nodes, etcd)}
        finally:
            nodes.close()
    finally:
        etcd.close()
        upstream.close()
