"""A child asks and is answered, an adult leaves and comes back: at phone size, without the passcode, with and without script."""

import datetime
import zoneinfo

import pytest

from household import Browser, Server, Upstream, eventually
from test_look import SHOTS, SIZES, Visitor, chromium  # noqa: F401 (a fixture)

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
TIKTOK = "www.tiktok.com"


@pytest.fixture
def family(tmp_path):
    """Me, Ada, a child, and Anna; this machine's browser is whoever's `belongs` says."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    for name, role in [("Ada", "child"), ("Anna", "adult")]:
        owner.post("/settings/people", {"name": name, "role": role}, page="/settings")
    yield server, owner
    server.stop()
    upstream.close()


def belongs(owner, person):
    machine = [device for device in owner.get("/api/v1/devices").json() if "127.0.0.1" in device["addresses"]][0]
    fields = {"name": "Phone", "kind": "phone", "owner": str(person)}
    assert owner.post(f"/devices/{machine['id']}", fields, page="/devices").status_code == 303


def begin(owner, person, minutes):
    start = datetime.datetime.now(ZONE) + datetime.timedelta(minutes=minutes)
    end = start + datetime.timedelta(hours=8)
    fields = {"person": str(person), "isEnabled": "on", "start": f"{start:%H:%M}", "end": f"{end:%H:%M}",
              "strictness": "strict"}
    assert owner.post("/schedule", fields).status_code == 303
    return start


@pytest.mark.parametrize("script", [True, False])
def test_a_child_asks_and_is_answered(chromium, family, script):
    server, owner = family
    start = begin(owner, 2, minutes=20)
    belongs(owner, 2)
    child, parent = Visitor(chromium, server, "phone", script=script), Visitor(chromium, server, "phone", script=script)
    page, desk = child.page, parent.log_in().page
    page.goto(server.url + "/my-rules")
    page.get_by_text(f"at {start:%H:%M}, until").wait_for()
    page.get_by_role("button", name="Ask for 30 minutes later tonight").click()
    page.get_by_text("It was not answered yet.").wait_for()
    assert page.get_by_role("button", name="Ask to skip tonight").count() == 0
    desk.goto(server.url + "/")
    desk.get_by_text("asks for bedtime 30 minutes later tonight").wait_for()
    desk.screenshot(path=SHOTS / "fairness-asked-phone.png")
    desk.get_by_role("button", name="30 minutes later").first.click()
    desk.get_by_text("30 minutes later than planned.").wait_for()
    assert desk.get_by_text("asks for bedtime").count() == 0
    page.goto(server.url + "/my-rules")
    page.get_by_text("Yes: bedtime 30 minutes later tonight").wait_for()
    page.get_by_text(f"at {start + datetime.timedelta(minutes=30):%H:%M}, until").wait_for()
    # An app is declined, kindly.
    page.get_by_label("An app, open at night").select_option(label="TikTok")
    page.get_by_role("button", name="Ask for this app").click()
    desk.goto(server.url + "/household")
    desk.get_by_text("asks to have TikTok open at night").wait_for()
    desk.get_by_role("button", name="Not now").click()
    page.goto(server.url + "/my-rules")
    page.get_by_text("Not this time: TikTok open at night").wait_for()
    if script:
        child.look("my-rules-child", "/my-rules")
    assert page.get_by_role("link", name="Leave…").count() == 0
    for visitor in (child, parent):
        assert visitor.noise == []
        visitor.close()


@pytest.mark.parametrize("script", [True, False])
def test_an_adult_leaves_and_comes_back(chromium, family, script):
    server, owner = family
    belongs(owner, 3)
    owner.post("/session", {"person": "3", "durationMinutes": "60", "strictness": "flexible"})
    eventually(lambda: server.addresses(TIKTOK) == ["127.0.0.1"])
    adult, other = Visitor(chromium, server, "phone", script=script), Visitor(chromium, server, "phone", script=script)
    page, desk = adult.page, other.log_in().page
    page.goto(server.url + "/my-rules")
    page.get_by_role("link", name="Leave…").click()
    if script:
        adult.check_accessibility("leave")
    assert server.addresses(TIKTOK) == ["127.0.0.1"], "looking at it does nothing"
    page.get_by_role("button", name="Leave on Phone").click()
    page.get_by_text("Anna left on this device today").wait_for()
    eventually(lambda: server.addresses(TIKTOK) == [Upstream.ADDRESS])
    for path in ("/?person=1", "/devices?person=1", "/household"):
        desk.goto(server.url + path)
        desk.get_by_text("Anna left on “Phone” today").first.wait_for()
        assert "bypass" not in desk.content().lower()
    desk.goto(server.url + "/?person=1")
    desk.screenshot(path=SHOTS / "fairness-left-phone.png")
    page.get_by_role("button", name="This is my device").click()
    page.get_by_role("heading", name="My rules").wait_for()
    eventually(lambda: server.addresses(TIKTOK) == ["127.0.0.1"])
    for visitor in (adult, other):
        assert visitor.noise == []
        visitor.close()


def test_leaving_waits_for_a_strict_session(chromium, family):
    server, owner = family
    belongs(owner, 3)
    # A device that was first seen in a session's own second counts as new in it, and may always go.
    eventually(lambda: all(device["firstSeen"][:19] < f"{datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H:%M:%S}"
                           for device in owner.get("/api/v1/devices").json()))
    owner.post("/session", {"person": "3", "durationMinutes": "60", "strictness": "strict"})
    eventually(lambda: server.addresses(TIKTOK) == ["127.0.0.1"])
    adult = Visitor(chromium, server, "phone")
    page = adult.page
    page.goto(server.url + "/my-rules/leave")
    page.get_by_text("A strict session runs, and it is kept").wait_for()
    page.screenshot(path=SHOTS / "leave-strict-phone.png")
    page.get_by_role("button", name="Leave on Phone").click()
    page.get_by_role("button", name="Stay after all").wait_for()
    assert server.addresses(TIKTOK) == ["127.0.0.1"]
    owner.post("/settings/reset", {"person": "3", "confirm": "reset"}, page="/settings")
    eventually(lambda: server.addresses(TIKTOK) == [Upstream.ADDRESS])
    page.goto(server.url + "/my-rules")
    page.get_by_text("Anna left on this device today").wait_for()
    adult.close()


@pytest.mark.parametrize("size", SIZES)
def test_how_they_look(chromium, family, size):
    server, owner = family
    begin(owner, 2, minutes=20)
    belongs(owner, 2)
    own = Visitor(chromium, server, size)
    own.page.goto(server.url + "/my-rules")
    own.page.get_by_role("button", name="Ask to skip tonight").click()
    own.look("my-rules-asked", "/my-rules")
    own.page.screenshot(path=SHOTS / f"my-rules-asked-full-{size}.png", full_page=True)
    own.log_in()
    own.look("request", own.page.evaluate("""async () => {
        const page = await (await fetch("/")).text();
        return page.match(/action="(\\/requests\\/[^"]+)"/)[1];
    }"""))
    belongs(owner, 3)
    own.look("leave-adult", "/my-rules/leave")
    own.page.get_by_role("button", name="Leave on Phone").click()
    own.look("my-rules-left", "/my-rules")
    own.look("home-left", "/?person=1")
    own.look("devices-left", "/devices?person=1")
    own.close()
