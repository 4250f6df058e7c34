"""The household view in a parent's hands: one tap to bed, 8 seconds to take it back, with and without script."""

import datetime
import subprocess
import zoneinfo

import pytest

from household import Browser, Server, Upstream, eventually
from test_look import SHOTS, SIZES, Visitor, chromium  # noqa: F401 (a fixture)

# The owner's device and Ada's tablet.
SOURCES = ["127.0.0.1", "127.0.0.2"]
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")


@pytest.fixture
def family(tmp_path):
    """Me, and Ada, a child with strict nights, the next in ten minutes; her tablet is 127.0.0.2."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
    server.ask("example.org", source="127.0.0.2")
    tablet = eventually(lambda: [device for device in owner.get("/api/v1/devices").json()
                                 if "127.0.0.2" in device["addresses"]])[0]
    owner.post(f"/devices/{tablet['id']}", {"name": "Ada's tablet", "kind": "tablet", "owner": "2"}, page="/devices")
    begin(owner, minutes=10)
    yield server
    server.stop()
    upstream.close()


def begin(owner, minutes):
    start = datetime.datetime.now(ZONE) + datetime.timedelta(minutes=minutes)
    end = start + datetime.timedelta(hours=8)
    fields = {"person": "2", "isEnabled": "on", "start": f"{start:%H:%M}", "end": f"{end:%H:%M}", "strictness": "strict"}
    reply = owner.post("/schedule", fields)
    assert reply.status_code == 303, reply.text[:2000]


def dig(server, source):
    return subprocess.run(
        ["dig", "@127.0.0.1", "-b", source, "-p", str(server.dns_port), "+short", "www.tiktok.com"],
        check=True, capture_output=True, text=True).stdout.strip()


def row(page, name):
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=name))


@pytest.mark.parametrize("script", [True, False])
def test_one_tap_to_bed_and_back(chromium, family, script):
    visitor = Visitor(chromium, family, "phone", script=script)
    page = visitor.log_in().page
    page.get_by_role("link", name="Household").first.click()
    row(page, "Ada").get_by_text("Awake").wait_for()
    row(page, "Ada").get_by_text("Bedtime in").wait_for()
    page.get_by_role("button", name="Bedtime now for Ada").click()
    row(page, "Ada").get_by_text("Asleep since").wait_for()
    eventually(lambda: family.addresses("www.tiktok.com", source="127.0.0.2") == ["127.0.0.1"])
    page.get_by_role("button", name="Undo").click()
    row(page, "Ada").get_by_text("Awake").wait_for()
    assert page.get_by_text("Undone.").is_visible()
    eventually(lambda: family.addresses("www.tiktok.com", source="127.0.0.2") == [Upstream.ADDRESS])
    page.get_by_role("button", name="30 minutes later tonight for Ada").click()
    assert row(page, "Ada").get_by_text("30 minutes later than planned.").is_visible()
    page.get_by_role("button", name="Skip tonight for Ada").click()
    assert row(page, "Ada").get_by_text("Tonight is skipped.").is_visible()
    page.get_by_role("button", name="Undo").click()
    row(page, "Ada").get_by_text("30 minutes later than planned.").wait_for()
    assert visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("script", [True, False])
def test_everybody_to_bed_and_back(chromium, family, script):
    visitor = Visitor(chromium, family, "phone", script=script)
    page = visitor.log_in().page
    page.goto(family.url + "/household")
    page.get_by_role("button", name="Everybody to bed").click()
    for name in ["Me", "Ada"]:
        row(page, name).get_by_text("Asleep since").wait_for()
    eventually(lambda: [dig(family, source) for source in SOURCES] == ["127.0.0.1", "127.0.0.1"])
    assert page.get_by_role("button", name="Everybody to bed").count() == 0
    page.get_by_role("button", name="Undo").click()
    for name in ["Me", "Ada"]:
        row(page, name).get_by_text("Awake").wait_for()
    eventually(lambda: [dig(family, source) for source in SOURCES] == [Upstream.ADDRESS, Upstream.ADDRESS])
    if script:
        page.get_by_role("button", name="Everybody to bed").click()
        row(page, "Me").get_by_text("Asleep since").wait_for()
        visitor.check_accessibility("household-everybody")
    assert visitor.noise == []
    visitor.close()


def test_a_childs_own_device_puts_nobody_to_bed(family):
    child = Browser(family, source="127.0.0.2")
    reply = child.session.post(family.url + "/household/everybody", allow_redirects=False)
    assert reply.status_code in (303, 403), reply.status_code
    people = Browser(family).log_in().get("/household").text
    assert "Asleep since" not in people


@pytest.mark.nightly
def test_who_is_woken_stays_awake_and_the_row_says_so(chromium, family):
    """Waits for the real half minute of a cancel."""
    owner = Browser(family).log_in()
    start = datetime.datetime.now(ZONE) - datetime.timedelta(minutes=5)
    end = start + datetime.timedelta(hours=8)
    fields = {"person": "2", "isEnabled": "on", "start": f"{start:%H:%M}", "end": f"{end:%H:%M}",
              "strictness": "flexible", "begin": "now"}
    assert owner.post("/schedule", fields).status_code == 303
    assert owner.post("/schedule", {**fields, "person": "1"}).status_code == 303
    visitor = Visitor(chromium, family, "phone")
    page = visitor.log_in().page
    page.goto(family.url + "/household")
    row(page, "Me").get_by_role("button", name="Wake for 30 minutes").click()
    row(page, "Me").get_by_text("Then the night goes on.").wait_for()
    assert dig(family, "127.0.0.1") == "127.0.0.1", "not before the 30 seconds"
    shield, body = family.get_as("tiktok.com")
    assert shield.status == 403 and "Open in a few seconds, until" in body
    row(page, "Ada").get_by_role("button", name="Wake for the rest of the night").click()
    seconds = row(page, "Ada").get_by_text("Wakes in")
    seconds.wait_for()
    row(page, "Ada").get_by_text("The next bedtime is").wait_for()
    first = int(seconds.inner_text().split()[2])
    assert 20 < first <= 30
    row(page, "Ada").get_by_text(f"Wakes in {first - 2} s.").wait_for(timeout=5000)
    visitor.check_accessibility("household-waking")
    page.screenshot(path=SHOTS / "household-waking-phone.png", full_page=True)
    row(page, "Ada").get_by_text("For the rest of the night. The next bedtime is").wait_for(timeout=40_000)
    assert row(page, "Ada").get_by_role("button", name="Bedtime now").is_visible()
    eventually(lambda: family.addresses("www.tiktok.com", source="127.0.0.2") == [Upstream.ADDRESS])
    row(page, "Me").get_by_text("Awake until").wait_for()
    page.screenshot(path=SHOTS / "household-paused-phone.png", full_page=True)
    eventually(lambda: dig(family, "127.0.0.1") == Upstream.ADDRESS)
    page.goto(family.url + "/?person=1")
    page.get_by_text("Awake until").wait_for()
    visitor.check_accessibility("home-paused")
    page.get_by_role("button", name="Sleep now").click()
    page.get_by_text("Asleep since").wait_for()
    eventually(lambda: dig(family, "127.0.0.1") == "127.0.0.1")
    visitor.close()


def test_the_offer_counts_down_and_goes(chromium, family):
    visitor = Visitor(chromium, family, "phone")
    page = visitor.log_in().page
    page.goto(family.url + "/household")
    page.get_by_role("button", name="Bedtime now for Ada").click()
    button = page.get_by_role("button", name="Undo")
    page.get_by_text("Undo 8").or_(page.get_by_text("Undo 7")).wait_for()
    page.get_by_text("Undo 3").wait_for(timeout=8000)
    assert button.is_visible()
    button.wait_for(state="hidden", timeout=8000)
    assert row(page, "Ada").get_by_text("Asleep since").is_visible()
    visitor.close()


def test_a_page_left_open_follows(chromium, family):
    visitor = Visitor(chromium, family, "laptop")
    page = visitor.log_in().page
    page.goto(family.url + "/household")
    row(page, "Ada").get_by_text("Awake").wait_for()
    owner = Browser(family).log_in()
    owner.post("/household/bedtime", {"person": "2"}, page="/household")
    row(page, "Ada").get_by_text("Asleep since").wait_for(timeout=20000)
    owner.post("/session", {"person": "1", "durationMinutes": "30", "strictness": "flexible"})
    row(page, "Me").get_by_text("Asleep since").wait_for(timeout=5000)
    assert visitor.noise == []
    visitor.close()


def test_a_row_that_says_the_same_stays(chromium, family):
    """Each answer masks the form's token anew: that alone is no news, and no row is drawn again for it."""
    visitor = Visitor(chromium, family, "phone")
    page = visitor.log_in().page
    page.goto(family.url + "/household")
    page.evaluate("document.querySelectorAll('[data-row]').forEach(row => { row.known = true; })")
    with page.expect_response("**/household*"):
        begin(Browser(family).log_in(), minutes=14)
    row(page, "Ada").get_by_text("Bedtime in 14 min").wait_for()
    # Ada's row, which stands first, is another now.
    assert page.evaluate("Array.from(document.querySelectorAll('[data-row]')).map(row => Boolean(row.known))") == [False, True]
    visitor.close()


def test_what_strict_forbids_is_said(family):
    owner = Browser(family).log_in()
    owner.post("/session", {"person": "2", "durationMinutes": "30", "strictness": "strict"})
    for tap, words in [("bedtime", "already running"), ("later", "strict session"), ("skip", "strict session")]:
        reply = owner.post(f"/household/{tap}", {"person": "2"}, page="/household")
        assert reply.status_code == 409 and words in reply.text


def test_it_looks_right(chromium, family):
    visitor = Visitor(chromium, family, SIZES)
    visitor.log_in().look("household-winding-down", "/household")
    page = visitor.page
    visitor.press(page.get_by_role("button", name="Bedtime now for Ada"))
    page.get_by_role("button", name="Undo").wait_for()
    visitor.look("household-undo", page.url)
    visitor.look("home-of-two", "/?person=1")
    visitor.close()


def test_an_open_page_counts_the_minutes(chromium, family):
    """A page without a stream; the test moves its clock on instead of waiting."""
    visitor = Visitor(chromium, family, "phone")
    page = visitor.log_in().page
    page.clock.install()
    page.goto(family.url + "/allowed-apps?person=2")
    line = page.locator("[data-wind-down]")
    minutes = int(line.inner_text().split()[2])
    page.clock.fast_forward(60_000)
    page.get_by_text(f"Bedtime in {minutes - 1} min").wait_for(timeout=3000)
    page.clock.fast_forward(600_000)
    line.wait_for(state="hidden", timeout=3000)
    visitor.close()


@pytest.mark.parametrize("path", ["/limits?person=2", "/kiosk?person=2"])
def test_an_open_page_hears_of_another_bedtime(chromium, family, path):
    visitor = Visitor(chromium, family, "bedside")
    page = visitor.log_in().page
    page.goto(family.url + path)
    page.get_by_text("Bedtime in").wait_for()
    Browser(family).log_in().post("/household/later", {"person": "2"}, page="/household")
    page.get_by_text("Bedtime in").wait_for(state="hidden", timeout=5000)
    assert visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("script", [True, False])
def test_winding_down_looks_right(chromium, family, script):
    visitor = Visitor(chromium, family, SIZES, script=script)
    visitor.log_in()
    if script:
        for name in ("home", "kiosk", "schedule", "limits", "focus", "anti-rot"):
            visitor.look(f"{name}-winding-down", f"/{name if name != 'home' else ''}?person=2")
    for path in ("/", "/kiosk", "/schedule", "/focus"):
        visitor.page.goto(f"{family.url}{path}?person=2")
        for _ in visitor.at_each_size():
            assert visitor.page.get_by_text("Bedtime in").first.is_visible()
    visitor.close()
