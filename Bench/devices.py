"""From one device to 10,000: how long it takes to evaluate the rules and to compile the DNS filter, and the memory."""

import re
import sqlite3
import time
from pathlib import Path

import house
from measure import memory_kib

COUNTS = (1, 10, 100, 1_000, 10_000)
PEOPLE = 50
# Seconds after the first round: what the start needed is given back by then.
REST = 5


def owner(device: int, count: int) -> int:
    """The person to whom `fill` gives a device of so many."""
    return (device - 1) % min(count, PEOPLE) + 1


def fill(database: Path, count: int):
    """Stores this many enrolled phones, spread over at most fifty people with their own rules."""
    now = int(time.time() * 1000)
    with sqlite3.connect(database) as db:
        for person in range(2, min(count, PEOPLE) + 1):
            selected = {"apps": ["tiktok", "youtube"], "categories": [], "domains": []}
            house.household.add_child(db, person, antiRot={"selectedApps": selected})
        for device in range(2, count + 1):
            house.household.add_device(
                db, device, now, kind="phone", person=owner(device, count),
                addresses=[f"10.{device >> 16 & 255}.{device >> 8 & 255}.{device & 255}"])
    db.close()
    (database.parent / "last-known.json").unlink()


def compiled_ms(server) -> float:
    """From the metrics, which have it after the first round, a second after the start."""
    def told():
        return re.search(r"^sleep_inducer_filter_seconds (\S+)", server.owner.get("/metrics").text, re.MULTILINE)
    return float(house.household.eventually(told)[1]) * 1000


def run(work: Path, rounds: int) -> dict:
    figures = {}
    for count in COUNTS:
        data = work / f"devices-{count}"
        server = house.sleeping(data)
        server.stop()
        fill(data / "sleep-inducer.sqlite", count)
        took, memory = [], []
        for _ in range(rounds):
            server.start()
            took.append(compiled_ms(server))
            time.sleep(REST)
            memory.append(memory_kib(server.process.pid))
            server.stop()
        figures[f"{count:,} devices"] = {
            "ms to evaluate and compile": round(min(took), 2), "own memory MiB": round(max(memory) / 1024, 1)}
    return figures
