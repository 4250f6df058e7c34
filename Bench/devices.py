"""From one device to 10,000: how long it takes to evaluate the rules and to compile the filter that DNS answers by."""

import re
import sqlite3
import time
from pathlib import Path

import house

COUNTS = (1, 10, 100, 1_000, 10_000)
PEOPLE = 50


def fill(database: Path, count: int):
    """As many enrolled phones, spread over fifty people with rules of their own."""
    now = int(time.time() * 1000)
    with sqlite3.connect(database) as db:
        for person in range(2, PEOPLE + 1):
            db.execute("INSERT INTO person (id, name, role, default_strictness) VALUES (?, ?, 'child', 'flexible')",
                       (person, f"Person {person}"))
            db.execute("INSERT INTO selection VALUES (?, 'restricted', ?, '[]', '[]')", (person, '["tiktok", "youtube"]'))
        for device in range(2, count + 1):
            db.execute("INSERT INTO device (id, name, kind, person, first_seen, last_seen) VALUES (?, ?, 'phone', ?, ?, ?)",
                       (device, f"Phone {device}", device % PEOPLE + 1, now, now))
            db.execute("INSERT INTO device_address (address, device, position) VALUES (?, ?, 0)",
                       (f"10.{device >> 16 & 255}.{device >> 8 & 255}.{device & 255}", device))
    db.close()


def compiled_ms(server) -> float:
    """It stands there from the first round on, a second after the start."""
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
        took = []
        for _ in range(rounds):
            server.start()
            took.append(compiled_ms(server))
            server.stop()
        figures[f"{count:,} devices"] = {"ms to evaluate and compile": round(min(took), 2)}
    return figures
