"""A family's week in a parent's hands: exceptions by date, more time today, another bedtime, and what does not count."""

import datetime
import zoneinfo

import pytest

from household import Browser, Server, Upstream, eventually
from test_look import SIZES, Visitor, chromium  # noqa: F401 (a fixture)

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
BLOCKED = ["127.0.0.1"]


@pytest.fixture
def family(tmp_path):
    """Me, and Ada, a child whose TikTok no window opens and who has two limits; her tablet is 127.0.0.2."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
    server.ask("example.org", source="127.0.0.2")
    tablet = eventually(lambda: [device for device in owner.get("/api/v1/devices").json()
                                 if "127.0.0.2" in device["addresses"]])[0]
    owner.post(f"/devices/{tablet['id']}", {"name": "Ada's tablet", "kind": "tablet", "owner": "2"}, page="/devices")
    owner.post("/anti-rot/apps", {"person": "2", "app": "tiktok"})
    owner.post("/anti-rot/windows/clear", {"person": "2", "confirm": "empty"}, page="/anti-rot/schedule")
    for target in ({"app": "youtube"}, {"category": "social"}):
        owner.post("/limits", {"person": "2", "minutes": "30", **target})
    night = datetime.datetime.now(ZONE) + datetime.timedelta(hours=2)
    owner.post("/schedule", {"person": "2", "isEnabled": "on", "start": f"{night:%H:%M}", "strictness": "flexible",
                             "end": f"{night + datetime.timedelta(hours=8):%H:%M}"})
    yield server
    server.stop()
    upstream.close()


def is_blocked(server):
    return server.addresses("www.tiktok.com", source="127.0.0.2") == BLOCKED


@pytest.mark.parametrize("script", [True, False])
def test_a_day_in_bed_opens_what_windows_close_and_is_taken_back(chromium, family, script):
    eventually(lambda: is_blocked(family))
    visitor = Visitor(chromium, family, "phone", script=script)
    page = visitor.log_in().page
    # From home: Household, Add an exception, No bedtime …, Add exception. Ada is ticked, and one day is today.
    page.get_by_role("link", name="Household").first.click()
    page.get_by_role("link", name="Add an exception").click()
    page.get_by_label("No bedtime, no windows, no limits").check()
    page.get_by_role("button", name="Add exception").click()
    page.get_by_text("Added.").wait_for()
    eventually(lambda: not is_blocked(family))
    assert page.get_by_text("no bedtime, no windows, no limits").first.is_visible()
    page.get_by_role("button", name="Take back").click()
    page.get_by_text("Undone.").wait_for()
    eventually(lambda: is_blocked(family))
    assert visitor.noise == []
    visitor.close()


def test_school_holidays_take_at_most_eight_taps(chromium, family):
    visitor = Visitor(chromium, family, "phone")
    page = visitor.log_in().page
    monday = datetime.datetime.now(ZONE).date() + datetime.timedelta(days=7)
    page.get_by_role("link", name="Household").first.click()  # 1
    page.get_by_role("link", name="Add an exception").click()  # 2
    page.get_by_label("From").fill(f"{monday}")  # 3, 4: the date, its day
    page.get_by_label("To", exact=True).fill(f"{monday + datetime.timedelta(days=6)}")  # 5, 6
    page.get_by_role("button", name="Add exception").click()  # 7
    page.get_by_text("as on Saturday").first.wait_for()
    (held,) = Browser(family).log_in().get("/api/v1/dates").json()
    assert (held["first"], held["instead"], held["weekday"], held["people"]) == (f"{monday}", "weekday", "sat", [2])
    visitor.close()


@pytest.mark.parametrize("script", [True, False])
def test_more_time_takes_two_taps_and_undo_takes_it_back(chromium, family, script):
    owner = Browser(family).log_in()

    def today():
        return [limit["minutesToday"] for limit in owner.get("/api/v1/limits?person=2").json()["limits"]]

    visitor = Visitor(chromium, family, "phone", script=script)
    page = visitor.log_in().page
    page.goto(family.url + "/household")
    page.locator("#person-2").get_by_text("More time today").click()
    page.get_by_role("button", name="+30 min for Ada").click()
    page.get_by_text("30 more minutes of every limit today.").wait_for()
    assert today() == [60, 60]
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone.").wait_for()
    assert today() == [30, 30]
    page.locator("#person-2").get_by_text("Another bedtime tonight").click()
    later = datetime.datetime.now(ZONE) + datetime.timedelta(hours=3)
    page.get_by_label("Bedtime tonight for Ada").fill(f"{later:%H:%M}")
    page.get_by_role("button", name="Set for Ada").click()
    page.get_by_text("later than planned.").wait_for()
    assert visitor.noise == []
    visitor.close()


def test_its_pages_at_each_size(chromium, family):
    owner = Browser(family).log_in()
    today = datetime.datetime.now(ZONE).date()
    for days, extra in [((7, 13), {"instead": "weekday", "weekday": "sat"}), ((1, 1), {"instead": "nothing"}),
                        ((3, 3), {"instead": "times", "start": "23:30", "end": "09:00"})]:
        first, last = (today + datetime.timedelta(days=count) for count in days)
        owner.post("/dates", {"first": f"{first}", "last": f"{last}", "people": "2", **extra})
    visitor = Visitor(chromium, family, SIZES)
    visitor.log_in()
    for name, path in {"dates": "/dates?person=2", "dates-household": "/household", "dates-schedule": "/schedule?person=2",
                       "dates-limits": "/limits?person=2", "dates-home": "/?person=2",
                       "dates-left-out": "/limits/new/category/games?person=2"}.items():
        visitor.look(name, path)
    visitor.page.goto(family.url + "/household")
    for line in visitor.page.locator(".more-taps summary").all():
        line.click()
    visitor.check_accessibility("household-more-taps")
    visitor.close()
