"""How many taps a family's everyday things take, from home, as a parent walks who has never done them before."""

import datetime
import time

import pytest

from household import Browser, Server, Upstream, eventually
from test_look import Visitor, chromium  # noqa: F401 (a fixture)
from week_oracle import Zone

ZONE = Zone("Europe/Berlin")
TABLET, TELEVISION = "127.0.0.2", "127.0.0.3"
ADA = 2
PHONE = ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36")


@pytest.fixture
def home(tmp_path):
    """Me, and Ada, a child with a tablet and two limits. A television has just asked for its first name."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
    number = arrived(server, owner, TABLET)
    owner.post(f"/devices/{number}", {"name": "Ada's tablet", "kind": "tablet", "owner": f"{ADA}"}, page="/devices")
    for target in ({"app": "youtube"}, {"category": "social"}):
        owner.post("/limits", {"person": f"{ADA}", "minutes": "30", **target})
    arrived(server, owner, TELEVISION)
    server.owner = owner
    yield server
    server.stop()
    upstream.close()


def arrived(server, owner, address) -> int:
    server.ask("example.org", source=address)
    return eventually(lambda: [device["id"] for device in owner.get("/api/v1/devices").json()
                               if address in device["addresses"]])[0]


class Finger:
    """Taps on a phone, and counts. It begins at home."""

    def __init__(self, chromium, server):  # noqa: F811
        self.visitor = Visitor(chromium, server, "phone", has_touch=True, is_mobile=True, user_agent=PHONE)
        self.page = self.visitor.log_in().page
        self.taps, self.began = 0, time.monotonic()

    def tap(self, control):
        """What is out of sight is scrolled to, which is no tap."""
        control.first.tap()
        self.taps += 1

    def lift(self, what: str, most: int):
        seconds = time.monotonic() - self.began
        assert self.visitor.noise == []
        self.visitor.close()
        print(f"\n{what}: {self.taps} taps, {seconds:.1f} s")
        assert self.taps <= most, f"{what} takes {self.taps} taps"


@pytest.fixture
def finger(chromium, home):  # noqa: F811
    return Finger(chromium, home)


def test_a_school_holiday_next_week_takes_at_most_eight_taps(finger, home):
    today = ZONE.date(time.time())
    monday = today + datetime.timedelta(days=7 - today.weekday())
    page = finger.page
    finger.tap(page.get_by_role("link", name="Household"))
    finger.tap(page.get_by_role("link", name="Add an exception"))
    finger.tap(page.get_by_role("link", name="Next week"))
    page.wait_for_url("**/dates?week=next")
    finger.tap(page.get_by_role("button", name="Add exception"))
    page.get_by_text("as on Saturday").first.wait_for()
    (held,) = home.owner.get("/api/v1/dates").json()
    assert (held["first"], held["last"]) == (f"{monday}", f"{monday + datetime.timedelta(days=6)}")
    assert held["people"] == [ADA]
    finger.lift("A school holiday next week", 8)


def test_more_time_today_takes_two_taps(finger, home):
    page = finger.page
    finger.tap(page.get_by_role("link", name="Household"))
    page.wait_for_url("**/household*")
    finger.tap(page.get_by_role("button", name="+15 min today for Ada"))
    page.get_by_text("15 more minutes of every limit today.").wait_for()
    limits = home.owner.get(f"/api/v1/limits?person={ADA}").json()["limits"]
    assert [limit["minutesToday"] for limit in limits] == [45, 45]
    finger.lift("More time today", 2)


def test_a_television_takes_at_most_four_taps(finger, home):
    page = finger.page
    finger.tap(page.get_by_role("link", name="Household"))
    finger.tap(page.get_by_role("link", name="Add a device"))
    page.wait_for_url("**/setup/device*")
    if not page.get_by_role("button", name="The family’s").first.is_visible():
        finger.tap(page.get_by_text("Another device"))
    finger.tap(page.get_by_role("button", name="The family’s"))
    page.wait_for_load_state()
    home.owner.post("/household/bedtime", {"person": f"{ADA}"}, page="/household")
    eventually(lambda: home.addresses("www.youtube.com", source=TELEVISION) == ["127.0.0.1"])
    finger.lift("A television", 4)


def test_notices_on_a_phone_take_at_most_six_taps(finger, home):
    page = finger.page
    finger.tap(page.get_by_role("link", name="More", exact=True))
    finger.tap(page.get_by_role("link", name="Notices on my phone"))
    finger.tap(page.get_by_role("button", name="Make a topic for my phone"))
    # The link opens the app ntfy, which follows the topic, and the test would be sent away from here: both are counted.
    link = page.get_by_role("link", name="open it in the app")
    link.wait_for()
    assert link.get_attribute("href").startswith("ntfy://")
    assert page.get_by_role("button", name="Send a test").is_visible()
    finger.taps += 2
    assert len(home.owner.get("/api/v1/webhooks").json()) == 1
    finger.lift("Notices on a phone", 6)
