"""Takes the pictures of the documents: the real pages of a family in the evening and at night. `make pictures`.

pictures.py [FOLDER] writes them to FOLDER, or to Docs/pictures. It starts the built binary on loopback, and fills a
household over the API, so that a page may change its form and its picture is still taken. pngquant makes them small.
"""

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import requests
from playwright.sync_api import sync_playwright

from household import PASSCODE, ROOT, Browser, Server, Upstream, edit_documents, eventually

SIZES = {"phone": (390, 844), "bedside": (800, 480), "laptop": (1440, 900)}
# The hour of the house, and what is taken then: a page and its sizes by the picture's name.
SCENES = {
    21: {
        "home": ("/", ["phone", "laptop"]), "household": ("/household", ["phone"]),
        "allowed-apps": ("/allowed-apps", ["phone"]), "anti-rot": ("/anti-rot", ["phone"]),
        "limits": ("/limits", ["phone"]), "focus": ("/focus", ["phone"]),
        "usage": ("/usage", ["laptop"]),
    },
    1: {
        "shield": ("http://tiktok.com:{port}/", ["phone"]), "session": ("/", ["phone"]),
        "kiosk": ("/kiosk", ["bedside"]),
    },
}
NIGHTS = {"Ada": ("22:30", "07:00"), "Mia": ("20:00", "07:00"), "Ben": ("23:00", "07:30")}
ALLOWED = {"apps": ["whatsapp", "signal"], "categories": ["phone", "maps", "health", "alarms"], "domains": []}
OTHERS = {"127.0.0.2": ("Mia's tablet", "tablet", "Mia"), "127.0.0.3": ("Ben's phone", "phone", "Ben"),
          "127.0.0.4": ("Laptop in the kitchen", "computer", "Ada")}
WINDOWS = [
    {"label": "Lunch", "start": "12:30", "end": "13:15"}, {"label": "After work", "start": "17:30", "end": "18:30"}]
# The hours of a day at which each app is used, and for how many minutes.
USE = {"whatsapp": {7: 6, 12: 9, 18: 7, 20: 8}, "youtube": {12: 14, 19: 26}, "tiktok": {8: 7, 17: 12, 20: 11}}


def zone_where_it_is(hour: int) -> str:
    """A time zone without summer time in which that hour runs now: pages show the real time, at any time of day."""
    east = (hour - datetime.now(ZoneInfo("UTC")).hour + 11) % 24 - 11
    return f"Etc/GMT{-east:+d}"  # POSIX counts to the west


class API:
    """The household as a program reaches it."""

    def __init__(self, server):
        self.url = f"{server.url}/api/v1"
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {server.command('token', '--name', 'pictures').stdout.strip()}"

    def send(self, method, path, members=None, **query):
        reply = self.session.request(method, self.url + path, json=members, params=query, timeout=20)
        assert reply.ok, f"{method} {path}: {reply.status_code} {reply.text[:500]}"
        return reply.json()


def furnish(server):
    """A family: Ada, whose phone this is, and the children Mia and Ben."""
    Browser(server).log_in().enroll()
    api = API(server)
    ada = api.send("GET", "/people")[0]["id"]
    api.send("PATCH", f"/people/{ada}", {"name": "Ada"})
    people = {"Ada": ada}
    for name in "Mia", "Ben":
        people[name] = api.send("POST", "/people", {"name": name, "role": "child"})["id"]
    for address in OTHERS:
        server.ask("example.org", source=address)
    found = eventually(lambda: known(api, {"127.0.0.1", *OTHERS}))
    api.send("PATCH", f"/devices/{found['127.0.0.1']}", {"name": "Ada's phone", "kind": "phone"})
    for address, (name, kind, person) in OTHERS.items():
        api.send("PATCH", f"/devices/{found[address]}", {"name": name, "kind": kind, "person": people[person]})
    for person, (start, end) in NIGHTS.items():
        api.send("PUT", "/selections/allowed", ALLOWED, person=people[person])
        schedule = {"isEnabled": True, "start": start, "end": end, "strictness": "flexible"}
        api.send("PUT", "/schedule", schedule, person=people[person])
    api.send("PUT", "/selections/restricted", {"apps": ["tiktok", "instagram"], "categories": [], "domains": []})
    api.send("PUT", "/windows", {"windows": WINDOWS})
    api.send("PUT", "/limits", {"limits": [{"app": "youtube", "minutes": 45}, {"app": "tiktok", "minutes": 30}]})


def known(api, addresses):
    """The numbers of the devices by their addresses, once all are there."""
    found = {address: device["id"] for device in api.send("GET", "/devices") for address in device["addresses"]}
    return found if addresses <= found.keys() else None


def add_past(server, zone):
    """Four weeks of nights and of use of the first person's phone; a night that runs began at its bedtime. The server
    stands still."""
    now = datetime.now(ZoneInfo(zone))

    def begin_at_bedtime(session):
        start = session["mode"]["recurring"]
        begin = datetime.fromisoformat(session["night"]).replace(
            hour=start["startHour"], minute=start["startMinute"], tzinfo=ZoneInfo(zone))
        session["startedAt"] = f"{begin.astimezone(ZoneInfo('UTC')):%Y-%m-%dT%H:%M:%S}.000Z"

    edit_documents(server.data / "sleep-inducer.sqlite", "session", begin_at_bedtime)
    with sqlite3.connect(server.data / "sleep-inducer.sqlite") as database:
        database.executemany("INSERT INTO usage_app VALUES (?, ?)", enumerate(USE, 1))
        for ago in range(28):
            midnight = datetime.combine(now.date() - timedelta(days=ago), time(), ZoneInfo(zone))
            add_use(database, midnight, ago)
            add_night(database, midnight, now, "cancelled" if ago == 9 else "ended")
    database.close()


def add_use(database, midnight, ago):
    """A day's minutes, not the same every day."""
    date, total = f"{midnight:%Y%m%d}", 0
    for number, hours in enumerate(USE.values(), 1):
        minutes = {hour: 1 + most * (3 + (ago * 5 + hour) % 7) // 9 for hour, most in hours.items()}
        for hour, count in minutes.items():
            mask = ((1 << count) - 1) << 20 * (number - 1)  # one app after the other
            database.execute("INSERT INTO usage_hour VALUES (1, ?, ?, 1, 0, ?)",
                             (int(midnight.timestamp()) // 3600 + hour, number, mask))
        total += sum(minutes.values())
        database.execute("INSERT INTO usage_day VALUES (1, ?, ?, 0, ?)", (date, number, sum(minutes.values())))
    database.execute("INSERT INTO usage_day VALUES (1, ?, 0, 0, ?)", (date, total))
    database.execute("INSERT INTO usage_attempt VALUES (1, ?, 3, ?)", (date, 2 + ago % 5))


def add_night(database, midnight, now, outcome):
    """The first person's night from that day's bedtime to the next morning, if it is over."""
    start, end = (datetime.combine(midnight, time.fromisoformat(text), midnight.tzinfo) for text in NIGHTS["Ada"])
    end += timedelta(days=1)
    if end < now:
        mode = {"recurring": {
            "startHour": start.hour, "startMinute": start.minute, "endHour": end.hour, "endMinute": end.minute}}
        begin, finish = (int(instant.timestamp() * 1000) for instant in (start, end))
        database.execute(
            "INSERT INTO past_session VALUES (?, 1, ?, 'flexible', ?, ?, ?, ?, ?)",
            (str(uuid.uuid4()).upper(), json.dumps(mode), begin, finish, f"{midnight:%Y-%m-%d}", outcome,
             finish if outcome == "ended" else begin + 600_000))


def take(chromium, server, zone, pages, folder):
    """A picture of each page at its sizes, as a signed-in browser sees it; nothing moves."""
    jar = Browser(server).log_in().session.cookies
    for size, (width, height) in SIZES.items():
        context = chromium.new_context(
            viewport={"width": width, "height": height}, timezone_id=zone, locale="en-GB", color_scheme="dark",
            reduced_motion="reduce")
        context.add_cookies([{"name": one.name, "value": one.value, "url": server.url} for one in jar])
        page = context.new_page()
        for name in [name for name, (_, sizes) in pages.items() if size in sizes]:
            path = pages[name][0].format(port=server.http_port)
            reply = page.goto(path if path.startswith("http") else server.url + path)
            assert reply.status in (200, 403), f"{path}: {reply.status}"  # the shield's is 403
            page.wait_for_timeout(300)  # the first event of a live page
            file = folder / f"{name}-{size}.png"
            page.screenshot(path=file, animations="disabled")
            make_small(file)
            print(f"{file.name}: {file.stat().st_size // 1024} KB")
        context.close()


def make_small(file):
    """A palette of 256 colours: a third of the size, and nobody sees it."""
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--output", file, file], check=True)


def show(chromium, hour, pages, folder):
    """One house at one hour of its day."""
    zone = zone_where_it_is(hour)
    upstream = Upstream()
    with tempfile.TemporaryDirectory() as scratch:
        server = Server(
            Path(scratch) / "data", upstream, "--passcode", PASSCODE, "--time-zone", zone, unattended=False)
        try:
            furnish(server)
            server.stop()
            add_past(server, zone)
            server.start()
            take(chromium, server, zone, pages, folder)
        finally:
            server.stop()
            upstream.close()


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", "--host-resolver-rules=MAP *.com 127.0.0.1"])
        for hour, pages in SCENES.items():
            show(chromium, hour, pages, folder)
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "Docs/pictures")
