"""Shared by the tests of the focus timer's pages: a signed-in browser, a timer at rest, files to import."""

import re
import uuid

from household import Browser
from test_look import Visitor

HOSTILE = 'A&B + C#"><script>alert(1)</script> ' + "ç" * 20


def at_rest(house):
    """A signed-in browser, with a timer at 25 minutes, no history and nothing switched on."""
    owner = Browser(house).log_in().enroll()
    owner.post("/focus/stop", {"save": "false"}, page="/focus")
    owner.post("/focus/length", {"minutes": "25"}, page="/focus")
    owner.post("/focus/shortcuts", {"dnd": "", "grayscale": ""}, page="/focus")
    owner.post("/focus/shield", page="/focus")
    while found := re.findall(r"/focus/history/([0-9A-F-]{36})/delete", owner.get("/focus/history").text):
        for session in found:
            owner.post(f"/focus/history/{session}/delete", page="/focus")
    return owner


def visit(chromium, house, size="phone", **options):
    return Visitor(chromium, house, size, **options).log_in()


def timer_of(owner):
    return owner.get("/timer-state.json").json()


def send(owner, content, name="sessions.json"):
    return owner.session.post(
        owner.server.url + "/focus/import", data={"csrf": owner.csrf("/focus")},
        files={"file": (name, content, "application/json")}, allow_redirects=False, timeout=20)


def sessions(count):
    """Sessions as an export has them, three a day."""
    return [{"id": str(uuid.uuid4()).upper(), "start": f"2026-11-{1 + index // 3:02}T{5 * (index % 3) + 6:02}:00:00Z",
             "durationSeconds": 1500 + 1200 * (index % 5) if index % 4 else 400, "presetLabel": "25m",
             "completed": index % 4 != 0} for index in range(count)]
