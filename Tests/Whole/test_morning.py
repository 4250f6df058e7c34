"""The edges of a night by a clock that the test sets: the morning after it, the dusk before it, and one touch for it."""

import datetime
import json
import re
import sqlite3
import time
import uuid
import zoneinfo

import pytest

from household import Browser, Server, Upstream, eventually
from test_clock_jumps import MachineTime
from test_look import Visitor, chromium, violations  # noqa: F401 (a fixture)

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
SENTENCE = "Good morning. 7 h 45 min of quiet, the sixth night in a row."
NAME = "tiktok.com"


class House:
    """A server whose clock is set to a time of tomorrow, in Berlin, and a browser on an enrolled device."""

    def __init__(self, folder, upstream):
        self.machine = MachineTime(folder)
        self.tomorrow = datetime.datetime.now(BERLIN).date() + datetime.timedelta(days=1)
        # At whatever hour this runs, the schedule is saved by day.
        self.machine.set(int(self.instant("12:00", -1) - time.time()), True)
        self.server = Server(folder / "data", upstream, environment=self.machine.environment)
        self.browser = Browser(self.server).log_in().enroll()
        fields = [("isEnabled", "on"), ("start", "23:00"), ("end", "06:45"), ("strictness", "flexible")]
        assert self.browser.post("/schedule", fields).status_code == 303

    def instant(self, text, days=0):
        day = self.tomorrow + datetime.timedelta(days=days)
        hour, minute, second = (int(part) for part in (text + ":00").split(":")[:3])
        return datetime.datetime.combine(day, datetime.time(hour, minute, second), BERLIN).timestamp()

    def begin(self, text, nights=0):
        """Starts the server anew at a time of tomorrow, after some nights; the last of them ended that morning."""
        self.server.stop()
        with sqlite3.connect(self.server.data / "sleep-inducer.sqlite") as database:
            for ago in range(nights):
                start, end = self.instant("23:00", -1 - ago), self.instant("06:45", -ago)
                mode = json.dumps({"recurring": {"startHour": 23, "startMinute": 0, "endHour": 6, "endMinute": 45}})
                database.execute(
                    "INSERT INTO past_session VALUES (?, 1, ?, 'flexible', ?, ?, ?, 'ended', ?)",
                    (str(uuid.uuid4()).upper(), mode, int(start * 1000), int(end * 1000),
                     str(self.tomorrow - datetime.timedelta(days=1 + ago)), int(end * 1000)))
        database.close()
        self.machine.set(int(self.instant(text) - time.time()), True)
        self.server.start()
        self.browser = Browser(self.server).log_in()
        return self

    def page(self, path):
        return " ".join(re.sub(r"<[^>]*>", "", self.browser.get(path).text).split())

    def shield(self, name=NAME):
        return self.server.get_as(name)[1]


@pytest.fixture
def house(tmp_path, upstream):
    house = House(tmp_path, upstream)
    yield house
    house.server.stop()


def test_the_morning_lasts_two_hours_on_home_kiosk_and_shield(house):
    house.begin("06:50", nights=6)
    assert SENTENCE in house.page("/") and SENTENCE in house.page("/kiosk")
    assert "Time to wind down" not in house.page("/"), "the evening's words wait for the evening"
    assert "<b>Good morning.</b> 7 h 45 min of quiet" in house.shield(), "a page that is just open again"
    # Blocked for another reason in the morning.
    assert house.browser.post("/session", {"durationMinutes": "30", "strictness": "flexible"}).status_code == 303
    asleep = house.shield()
    assert "Sleep Mode Active" in asleep and SENTENCE not in re.sub("<[^>]*>", "", asleep)
    house.begin("08:46")
    assert "Good morning" not in house.page("/") and "Good morning" not in house.page("/kiosk")


def test_a_reset_leaves_no_morning(house):
    house.begin("05:00")
    eventually(lambda: house.browser.state()["session"])
    house.browser.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    house.begin("06:50")
    assert "Good morning" not in house.page("/") and "Good morning" not in house.page("/kiosk")


def test_an_open_shield_and_an_open_kiosk_wake_up(house, chromium):  # noqa: F811
    house.begin("06:44:40", nights=0)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    shield, kiosk = context.new_page(), context.new_page()
    shield.goto(f"http://{NAME}:{house.server.http_port}/")
    shield.get_by_text("Sleep Mode Active").wait_for()
    assert not shield.get_by_text("Good morning").is_visible()
    kiosk.goto(house.server.url + "/kiosk")
    kiosk.locator("[data-ring]").wait_for()
    # The phone lies there with its screen off; whoever looks sees the app open by itself.
    shield.evaluate("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'})")
    kiosk.locator(".sunrise p").wait_for(timeout=40_000)
    shield.locator(".sunrise p").wait_for(timeout=20_000)
    for page in (shield, kiosk):
        assert page.locator(".sunrise p").inner_text() == "Good morning. 7 h 45 min of quiet."
    assert shield.get_by_role("link", name="Open").is_visible()
    assert not shield.locator("[data-ring]").is_visible() and not shield.get_by_text("Back at").is_visible()
    context.close()


def test_home_and_kiosk_sink_to_amber_in_six_steps(house, chromium):  # noqa: F811
    house.begin("22:29:50")
    visitor = Visitor(chromium, house.server, "phone").log_in()
    page = visitor.page
    page.goto(house.server.url + "/")
    assert page.locator(".dusk-0").count() == 1
    assert "data-dusk" in house.browser.get("/kiosk").text and "dusk-0" in house.browser.get("/kiosk").text
    page.locator(".dusk-1").wait_for(state="attached", timeout=20_000)
    for text, step in [("22:34", 1), ("22:36", 2), ("22:58", 6)]:
        house.machine.set(int(house.instant(text) - time.time()), True)
        for path in ("/", "/kiosk"):
            assert f"dusk-{step}" in Browser(house.server).log_in().get(path).text, (text, path)
    page.emulate_media(reduced_motion="reduce")
    page.goto(house.server.url + "/")
    assert violations(page) == []
    assert page.locator(".dusk-6").evaluate("dusk => parseFloat(getComputedStyle(dusk).transitionDuration) < 0.001")
    visitor.close()


def test_one_touch_begins_the_night_and_takes_it_back(house):
    house.begin("21:30")
    assert house.server.addresses(NAME) == [Upstream.ADDRESS]
    guest = Browser(house.server)
    page = guest.get("/kiosk?brightness=30").text
    assert 'action="/kiosk/goodnight?brightness=30"' in page, "also without a login, for its own person"
    reply = guest.session.post(house.server.url + "/kiosk/goodnight?brightness=30", allow_redirects=False, timeout=10)
    assert reply.status_code == 303
    eventually(lambda: house.server.addresses(NAME) == ["127.0.0.1"])
    where = reply.headers["Location"]
    asleep = guest.get(where).text
    assert "until <b>06:45</b>" in asleep and "/kiosk/undo?" in asleep and "brightness=30" in where
    press = re.search(r'name="press" value="([^"]+)"', asleep).group(1)
    began = house.browser.state()["session"]["id"]
    again = guest.session.post(house.server.url + "/kiosk/goodnight", allow_redirects=False, timeout=10)
    assert again.status_code == 303 and f"press={press}" in again.headers["Location"], "pressed twice is one press"
    assert house.browser.state()["session"]["id"] == began, "and begins no second session"
    assert press in guest.get(again.headers["Location"]).text
    back = guest.session.post(house.server.url + "/kiosk/undo", data={"press": press}, allow_redirects=False, timeout=10)
    assert back.status_code == 303
    eventually(lambda: house.server.addresses(NAME) == [Upstream.ADDRESS])
    late = guest.session.post(house.server.url + "/kiosk/undo", data={"press": press}, timeout=10)
    assert late.status_code == 409 and "too late to undo" in late.text
    assert "on " in json.dumps(house.browser.get("/api/v1/log").json()) and "without the passcode" in json.dumps(
        house.browser.get("/api/v1/log").json())


def test_by_day_the_kiosk_takes_no_touch(house):
    house.begin("12:00")
    assert "/kiosk/goodnight" not in house.browser.get("/kiosk").text
