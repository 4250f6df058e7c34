"""A household's day at 60 times speed: what 24 hours cost in CPU seconds, and in bytes on the disk.

Six people with 25 devices, from noon to noon: nights, limits, windows, apps in use, focus timers, dashboards that are open
all evening, a display on the wall. `day/clock.c` makes all clocks of the server fast, so every chore does its 24 hours'
work; the server has no hook for that. The load is the same in every run. The gateway is off.

The kernel's clock stays as it is: what the kernel writes late, it writes less often than in a real day. The store waits
for the disk at every commit, so nearly all that it writes is counted as on a real day.
"""

import itertools
import os
import random
import re
import sqlite3
import subprocess
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import requests

import house
from day_load import Asking, Bedtimes, Streams, questions
from household import Browser, Server, Upstream, add_device
from measure import cpu_seconds, memory_kib
from pictures import API

RATE, DEVICES = 60, 25
ZONE = ZoneInfo("Europe/Berlin")
# Name, role, bedtime and wake time. Device 1 is Ada's; the others belong to each in turn.
PEOPLE = [("Ada", "adult", "22:30", "06:40"), ("Ben", "adult", "23:10", "06:50"), ("Mia", "child", "20:00", "07:00"),
          ("Tom", "child", "20:30", "07:10"), ("Zoe", "child", "21:30", "06:30"), ("Eve", "adult", None, None)]
ALLOWED = {"apps": ["whatsapp", "signal"], "categories": ["phone", "maps", "health", "alarms"], "domains": []}
WINDOWS = [{"label": "Homework", "start": "15:00", "end": "16:30"}, {"label": "Dinner", "start": "18:30", "end": "19:15"}]
LIMITS = [{"app": app, "minutes": 45} for app in ("youtube", "tiktok", "instagram")]
PAGES = ["/", "/household", "/usage", "/limits", "/schedule", "/devices", "/focus", "/settings", "/anti-rot", "/apps"]
PAGES_OPENED = 120


class FastClock:
    """The server's clock: noon of tomorrow when this is made, and fast from there."""

    def __init__(self, work: Path):
        noon = datetime.now(ZONE).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=1)
        self.base = time.time()
        library = work / "clock.so"
        source = house.ROOT / "Bench/day/clock.c"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        told = f"{RATE} {int(self.base * 1e9)} {int(noon.timestamp()) * 10**9}"
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "DAY_CLOCK": told}

    @property
    def hour(self) -> float:
        """Hours since noon."""
        return (time.time() - self.base) * RATE / 3600

    def until(self, hour: float) -> float:
        """Real seconds; 0 if it is past."""
        return max(0, hour - self.hour) * 3600 / RATE


def hour_of(text: str) -> float:
    """Hours from noon to the next HH:MM."""
    hour, minute = map(int, text.split(":"))
    return (hour + 12) % 24 + minute / 60


def furnish(server: Server):
    """Sets the family up while the server's clock is right, and stops it."""
    Browser(server).log_in().enroll()
    api = API(server)
    first = api.send("GET", "/people")[0]["id"]
    for name, role, start, end in PEOPLE:
        if name == "Ada":
            person = api.send("PATCH", f"/people/{first}", {"name": name})["id"]
        else:
            person = api.send("POST", "/people", {"name": name, "role": role})["id"]
        api.send("PUT", "/selections/allowed", ALLOWED, person=person)
        if start:
            night = {"isEnabled": True, "start": start, "end": end, "strictness": "strict"}
            api.send("PUT", "/schedule", night, person=person)
        if role == "child":
            rotten = {"apps": ["tiktok", "instagram"], "categories": [], "domains": []}
            api.send("PUT", "/selections/restricted", rotten, person=person)
            api.send("PUT", "/windows", {"windows": WINDOWS}, person=person)
            api.send("PUT", "/limits", {"limits": LIMITS}, person=person)
    server.stop()
    with sqlite3.connect(server.data / "sleep-inducer.sqlite") as database:
        for device in range(2, DEVICES + 1):
            add_device(database, device, int(time.time() * 1000), kind="phone", person=person_of(device),
                       addresses=[address_of(device)])
        # Otherwise, where the clock is not synchronised, the day's server would continue from the time of this boot.
        database.execute("DELETE FROM meta WHERE key = 'boot'")
    database.close()
    (server.data / "last-known.json").unlink()


def person_of(device: int) -> int:
    return (device - 1) % len(PEOPLE) + 1


def address_of(device: int) -> str:
    return f"127.0.0.{device}"


class Meter:
    """What the server used, by the hour."""

    def __init__(self, pid: int):
        self.pid = pid
        self.readings = []

    def read(self):
        told = Path(f"/proc/{self.pid}/io").read_text()
        disk, calls = (int(re.search(rf"^{word}: (\d+)", told, re.MULTILINE)[1]) for word in ("write_bytes", "wchar"))
        self.readings.append((cpu_seconds(self.pid), disk, calls, memory_kib(self.pid)))

    def print_hours(self):
        print("\n| hour | CPU s | KB to the disk | own memory, KB |\n|---|---|---|---|")
        for hour, (before, after) in enumerate(itertools.pairwise(self.readings)):
            cpu, disk = after[0] - before[0], (after[1] - before[1]) / 1e3
            print(f"| {(12 + hour) % 24} | {cpu:.2f} | {disk:,.0f} | {after[3]:,} |")


def acts(server: Server, owner: Browser, meter: Meter) -> list:
    """What people do at the pages, with the hour of each."""
    chance = random.Random(24)
    opened = [(chance.uniform(0.1, 11), chance.choice(PAGES)) for _ in range(PAGES_OPENED)]
    return sorted([
        *((hour, meter.read) for hour in range(25)),
        *((hour, lambda path=path: owner.get(path).raise_for_status()) for hour, path in opened),
        *((hour, lambda: owner.start_session(30)) for hour in (0.7, 3.2, 6.6)),
        *((hour, lambda: owner.post("/focus/start", {"minutes": "25"}, page="/focus").raise_for_status())
          for hour in (2.1, 4.6, 7.7)),
    ], key=lambda act: act[0])


def was_refused(act) -> bool:
    """The server's patience is as short as its seconds: on a busy machine, a press may come too early for it."""
    try:
        act()
    except (AssertionError, requests.RequestException) as fault:
        print(f"refused: {str(fault)[:100]!r}", flush=True)
        return True
    return False


def run(work: Path, hours: int) -> dict:
    upstream = Upstream()
    server = Server(work / "day", upstream)
    furnish(server)
    clock = FastClock(work)
    server.environment = clock.environment
    server.start()
    refused = 0
    try:
        owner = Browser(server).log_in()
        meter = Meter(server.process.pid)
        nights = [(hour_of(text), address_of(number), is_begin) for number, (_, _, *night) in enumerate(PEOPLE, 1)
                  for text, is_begin in zip(night, (True, False)) if text and hour_of(text) < hours]
        asked = questions(hours, [address_of(device) for device in range(1, DEVICES + 1)])
        with Asking(server.dns_port, clock, asked) as asking, Streams(server, owner, clock) as streams, \
                Bedtimes(server.dns_port, clock, sorted(nights)) as bedtimes:
            for hour, act in acts(server, owner, meter):
                if hour <= hours:
                    time.sleep(clock.until(hour))
                    refused += was_refused(act)
        meter.print_hours()
        first, last = meter.readings[0], meter.readings[-1]
    finally:
        server.stop()
        upstream.close()
    figures = {
        "CPU s, with the start": last[0], "MB written to the disk": (last[1] - first[1]) / 1e6,
        "MB of calls to write": (last[2] - first[2]) / 1e6, "own memory at the end, MiB": last[3] / 1024,
        "questions": asking.sent, "of them blocked": asking.blocked, "lost": asking.lost,
        "ticks to dashboards": streams.ticks,
        "pages and presses that were refused": refused,
        "bedtimes and wake times": len(bedtimes.late),
        "the latest of them, s of the day": max(bedtimes.late, default=0),
    }
    return {name: {f"{hours} hours": round(value, 2)} for name, value in figures.items()}
