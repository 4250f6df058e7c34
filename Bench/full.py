"""A full house: four people, 20 devices, 200 apps, 90 days of usage, 100 limits; how long each page takes."""

import json
import random
import sqlite3
import statistics
import time
import uuid
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import house
from measure import cpu_nanoseconds
from starts import first_answer

PEOPLE, DEVICES, APPS, DAYS, LIMITS = 4, 20, 200, 90, 100
ZONE = ZoneInfo("Europe/Berlin")
PAGES = (
    "/", "/usage", "/limits", "/limits/new", "/widget", "/kiosk?limits=on", "/anti-rot", "/anti-rot/apps",
    "/anti-rot/schedule", "/allowed-apps", "/suggestions", "/schedule", "/devices", "/settings",
)


def fill(database: Path):
    """Writes 90 days of usage: each device uses each app in one to three hours of each day."""
    chance = random.Random(22)
    shelves = [json.loads(file.read_text()) for file in sorted((house.ROOT / "Catalog").glob("*.json"))]
    apps = [app["id"] for shelf in shelves if "apps" in shelf for app in shelf["apps"]]
    apps = apps[::len(apps) // APPS][:APPS]
    now = time.time()
    midnight = datetime.now(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    with sqlite3.connect(database) as db:
        db.executemany("INSERT INTO usage_app VALUES (?, ?)", enumerate(apps, 1))
        for person in range(2, PEOPLE + 1):
            house.household.add_child(db, person)
        for device in range(2, DEVICES + 1):
            house.household.add_device(db, device, int(now * 1000), kind="phone", person=device % PEOPLE + 1)
        for day in range(DAYS):
            start = midnight - timedelta(days=day)
            digits = start.year * 10000 + start.month * 100 + start.day
            first = int(start.timestamp()) // 3600
            last = min(first + 23, int(now) // 3600)
            hours = [
                (device % PEOPLE + 1, hour, app, device, 0, 0x3F << chance.randrange(50))
                for device in range(1, DEVICES + 1) for app in range(1, APPS + 1)
                for hour in {chance.randint(first, last) for _ in range(2)}
            ]
            db.executemany("INSERT INTO usage_hour VALUES (?, ?, ?, ?, ?, ?)", hours)
            for person in range(1, PEOPLE + 1):
                db.execute("INSERT INTO usage_day VALUES (?, ?, 0, 0, 600)", (person, digits))
                db.executemany("INSERT INTO usage_day VALUES (?, ?, ?, 0, ?)",
                               [(person, digits, app, chance.randrange(1, 90)) for app in range(1, APPS + 1)])
                db.executemany("INSERT INTO usage_attempt VALUES (?, ?, ?, ?)",
                               [(person, digits, app, 3) for app in range(1, APPS, 3)])
    db.commit()
    house.household.edit_documents(database, "person", lambda person: person["limits"].update(list=[
        {"id": f"monitor_{str(uuid.uuid4()).upper()}", "kind": "app", "target": app, "minutes": 30, "minutesByDay": {}}
        for app in apps[:LIMITS]]), number=1)
    (database.parent / "last-known.json").unlink()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def page_figures(server, path: str, rounds: int) -> dict:
    """A page as a browser asks for it, compressed; the CPU is the server's own."""
    took, cpu = [], []
    for _ in range(max(5, rounds)):
        begun, before = time.perf_counter(), cpu_nanoseconds(server.process.pid)
        reply = server.owner.get(path)
        took.append((time.perf_counter() - begun) * 1000)
        cpu.append((cpu_nanoseconds(server.process.pid) - before) / 1e6)
        assert reply.status_code == 200, f"{path}: {reply.status_code}"
    return {"ms": round(statistics.median(took), 1), "ms of CPU": round(statistics.median(cpu), 2),
            "KB, compressed": round(reply.raw.tell() / 1e3, 1)}


def run(work: Path, rounds: int) -> dict:
    server = house.sleeping(work / "full")
    server.stop()
    database = work / "full/sleep-inducer.sqlite"
    fill(database)
    first = []
    for _ in range(max(5, rounds)):
        first.append(first_answer(server) * 1000)
        server.kill()
    server.start()
    figures = {path: page_figures(server, path, rounds) for path in PAGES}
    figures["first right answer after start"] = {"ms": round(statistics.median(first), 1)}
    figures["the database"] = {"MB": round(database.stat().st_size / 1e6, 1)}
    server.stop()
    return figures
