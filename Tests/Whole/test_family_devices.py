"""A television that is the family's: added with few taps, and closed while a child sleeps."""

import pytest

from household import Browser, Server, Upstream, eventually
from test_look import SIZES, Visitor, chromium  # noqa: F401 (a fixture)

BLOCKED = ["127.0.0.1"]
TELEVISION = "127.0.0.3"


@pytest.fixture
def home(tmp_path):
    """Me, and the children Ada and Tom. A television at 127.0.0.3 has just asked."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    for name in ("Ada", "Tom"):
        owner.post("/settings/people", {"name": name, "role": "child"}, page="/settings")
    server.ask("example.org", source=TELEVISION)
    eventually(lambda: [device for device in owner.get("/api/v1/devices").json()
                        if TELEVISION in device["addresses"]])
    server.owner = owner
    yield server
    server.stop()
    upstream.close()


def is_blocked(server):
    return server.addresses("www.youtube.com", source=TELEVISION) == BLOCKED


def test_four_taps_add_a_television_that_rests_while_a_child_sleeps(chromium, home):
    assert not is_blocked(home)
    visitor = Visitor(chromium, home, "phone")
    page = visitor.log_in().page
    page.get_by_role("link", name="Household").first.click()
    page.get_by_role("link", name="Add a device").first.click()
    if not page.get_by_role("button", name="The family’s").first.is_visible():
        page.get_by_text("Another device").click()
    page.get_by_role("button", name="The family’s").first.click()
    page.wait_for_load_state()
    assert not is_blocked(home)
    home.owner.post("/household/bedtime", {"person": "3"}, page="/household")
    eventually(lambda: is_blocked(home))
    page.goto(home.url + "/devices")
    page.get_by_text("Blocked while any child sleeps").wait_for()
    assert visitor.noise == []
    visitor.close()


def test_its_pages_at_each_size(chromium, home):
    devices = home.owner.get("/api/v1/devices").json()
    number = [device["id"] for device in devices if TELEVISION in device["addresses"]][0]
    home.owner.post("/household/bedtime", {"person": "3"}, page="/household")
    visitor = Visitor(chromium, home, SIZES)
    visitor.log_in()
    visitor.look("family-arrives", "/setup/device")
    home.owner.post(f"/devices/{number}", {"owner": "family", "times": "own"}, page="/devices")
    for name, path in {"family-devices": "/devices", "family-household": "/household",
                       "family-new-devices": "/settings/new-devices", "family-people": "/settings/people"}.items():
        visitor.look(name, path)
    visitor.page.goto(home.url + "/devices")
    visitor.page.locator(f"#device-{number} summary").first.click()
    assert visitor.page.get_by_label("Its minutes count for").is_visible()
    visitor.check_accessibility("family-device-change")
    assert visitor.noise == []
    visitor.close()
