"""The devices page in every state: a phone that is back, a router, names from the network, and conflicting claims."""

import re
import sqlite3
import subprocess
import time

import pytest

from household import Browser, Server, Upstream, add_device, edit_documents, eventually
from test_look import DOUBLE_TEXT, READERS, SHOTS, SIZES, Visitor, chromium  # noqa: F401

def gateway():
    found = re.search(r"via (\S+)", subprocess.run(["ip", "-4", "route", "show", "default"], capture_output=True, text=True).stdout)
    return found.group(1) if found else None


def add_devices(stored, now):
    day, quiet, new = now - 86_400_000, now - 900_000, now - 600_000
    add_device(stored, 101, quiet, day, name="Ada's phone", networkName="adas-iphone", kind="phone", person=2,
               hardwareAddress="02:00:00:00:00:01", addresses=["10.9.0.1", "fd09::1", "10.9.0.11"])
    add_device(stored, 102, now, new, name="Adas-iPhone", isNamed=False, networkName="Adas-iPhone",
               hardwareAddress="da:a1:19:00:00:02", addresses=["10.9.0.2"])
    add_device(stored, 103, now, day, name="fritz-box", isNamed=False, networkName="fritz-box",
               hardwareAddress="3c:00:00:00:00:03", addresses=[gateway() or "10.9.0.3"])
    add_device(stored, 104, day, name="A television with a name that goes on for as long as names may go",
               networkName="tv", kind="television", addresses=["10.9.0.4"])
    add_device(stored, 105, now, day, name="Baby monitor", kind="safety", person=1,
               hardwareAddress="3c:00:00:00:00:05", addresses=["10.9.0.5"])
    add_device(stored, 106, now, new, name="Device 106", isNamed=False, isConfirmed=False,
               hardwareAddress="3c:00:00:00:00:05", addresses=["10.9.0.6"])


@pytest.fixture
def family(tmp_path):
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    assert owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings").status_code == 303
    server.stop()
    now = int(time.time() * 1000)
    database = server.data / "sleep-inducer.sqlite"
    with sqlite3.connect(database) as stored:
        add_devices(stored, now)
    stored.close()
    (server.data / "last-known.json").unlink()
    server.start()
    yield server
    server.stop()
    upstream.close()


def words(page):
    return page.locator("main").inner_text()


@pytest.mark.parametrize("size", SIZES)
def test_it_looks_right(chromium, family, size):
    visitor = Visitor(chromium, family, size)
    visitor.log_in().look("devices-returned", "/devices")
    page = visitor.page
    assert "Is this Ada's phone?" in words(page)
    assert ("This is your router." in words(page)) == (gateway() is not None)
    for summary in page.locator("summary").all():
        summary.click()
    page.screenshot(path=SHOTS / f"devices-open-{size}.png", full_page=True)
    assert visitor.overflow() <= 0
    visitor.check_accessibility("devices-open")
    assert visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_crowd_has_pages_and_goes_at_one_press(chromium, family, size):
    family.stop()
    now = int(time.time() * 1000)
    with sqlite3.connect(family.data / "sleep-inducer.sqlite") as database:
        for number in range(201, 301):
            add_device(database, number, now - 3_600_000 - number, name=f"Device {number}", isNamed=False)
    database.close()
    (family.data / "last-known.json").unlink()
    family.start()
    visitor = Visitor(chromium, family, size)
    visitor.log_in().look("devices-crowd", "/devices")
    page = visitor.page
    assert "1 to 50 of 107" in words(page) and page.locator("li.device").count() == 50
    page.get_by_role("link", name="Older").click()
    page.get_by_text("51 to 100 of 107").wait_for()
    page.locator("summary", has_text="100 devices seen once").click()
    page.screenshot(path=SHOTS / f"devices-crowd-open-{size}.png", full_page=True)
    assert visitor.overflow() <= 0
    visitor.check_accessibility("devices-crowd-open")
    page.get_by_role("button", name="Remove 100 devices").click()
    page.get_by_text("Removed.").wait_for()
    assert page.locator("li.device").count() == 7 and "seen once" not in words(page)
    assert visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("reader", READERS)
def test_whoever_reads_it_answers_in_one_tap(chromium, family, reader):
    options, script = READERS[reader]
    visitor = Visitor(chromium, family, "phone", **options)
    if script == DOUBLE_TEXT:
        visitor.page.add_init_script(script)
    page = visitor.log_in().page
    page.goto(family.url + "/devices")
    page.screenshot(path=SHOTS / f"devices-returned-{reader}.png", full_page=True)
    assert visitor.overflow() <= 0
    page.get_by_role("button", name="It is Ada's phone", exact=True).click()
    page.get_by_text("It is one device again: the rules of Ada's phone hold for it.").wait_for()
    assert "Is this Ada's phone?" not in words(page)
    page.screenshot(path=SHOTS / f"devices-merged-{reader}.png", full_page=True)
    assert visitor.overflow() <= 0
    # A wrong tap is undone beside the notice, and after another tap in the device's own row.
    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_text("Undone. They are two devices, as they were before.").wait_for()
    page.get_by_role("button", name="It is Ada's phone", exact=True).click()
    page.get_by_text("It is one device again").wait_for()
    page.goto(family.url + "/devices")
    page.locator("summary", has_text="Change Ada's phone").click()
    page.get_by_text("Taken for one device with").wait_for()
    page.get_by_role("button", name=re.compile("^Undo.*Adas-iPhone")).click()
    page.get_by_text("Undone. They are two devices, as they were before.").wait_for()
    assert "Is this Ada's phone?" in words(page)
    visitor.close()


def test_claims_that_clash_are_answered_in_words(family):
    """Two people claim a device, a person is removed during their session, and a passcode is lost."""
    owner = Browser(family).log_in()
    family.ask("example.org", source="127.0.0.9")
    eventually(lambda: "127.0.0.9" in owner.get("/devices").text)
    stranger = Browser(family, source="127.0.0.9")
    # Ada claims a device; another person without the passcode cannot take it over.
    claim = {"device": "102", "person": "2"}
    assert owner.post("/devices/enroll", claim, page="/devices").status_code == 303
    url = family.url + "/devices/enroll"
    reply = stranger.session.post(url, data={"device": "102", "person": "1"}, allow_redirects=False)
    assert reply.status_code in (303, 401) and "login" in reply.headers.get("Location", "login")
    # The owner may give it away, unless a strict session holds it.
    assert owner.post("/session", {"person": "2", "durationMinutes": "30", "strictness": "strict"}).status_code == 303
    refused = owner.post("/devices/enroll", {"device": "101", "person": "1"}, page="/devices")
    assert refused.status_code == 409 and "Ada has a strict session running" in refused.text
    gone = owner.post("/settings/people/2/delete", {"confirm": "remove"}, page="/settings")
    assert gone.status_code == 409 and "Ada has a strict session running" in gone.text
    # The session has ended: the second step says what is deleted with her, and her devices belong to nobody.
    owner.post("/settings/reset", {"person": "2", "confirm": "reset"}, page="/settings")
    owner.post("/session", {"person": "2", "durationMinutes": "30", "strictness": "flexible"})
    asked = owner.post("/settings/people/2/delete", page="/settings")
    assert asked.status_code == 200 and "Ada&#39;s phone" in asked.text
    assert owner.post("/settings/people/2/delete", {"confirm": "remove"}, page="/settings").status_code == 303
    page = owner.get("/devices").text
    assert "Ada&#39;s phone" in page and ">Ada<" not in page
    assert family.addresses("tiktok.com", source="127.0.0.9") == [Upstream.ADDRESS]
    assert "sleep-inducer passcode" in Browser(family).get("/login").text


def rows_of(page):
    return page.locator(".device-list > li").evaluate_all("rows => rows.map(row => row.id)")


@pytest.mark.parametrize("script", [True, False], ids=["script", "scriptless"])
def test_the_page_stays_at_its_row(chromium, family, script):
    """After a save and after a removal: the row, or the next one, is in sight, and with script the place and the focus."""
    visitor = Visitor(chromium, family, "phone", script=script)
    page = visitor.log_in().page
    page.goto(family.url + "/devices")
    rows = rows_of(page)
    saved = "device-101"
    for press, expected in (("Save", saved), ("Remove", rows[rows.index(saved) + 1])):
        row = page.locator(f"#{saved}")
        row.locator("summary").first.click()
        with page.expect_navigation():
            row.get_by_role("button", name=press).first.click()
        assert page.locator("body > .notice").first.is_visible(), page.url + words(page)[:1500]
        target = page.locator(f"#{expected}")
        target.wait_for()
        if script:
            page.wait_for_function("id => document.activeElement.id === id", arg=expected)
        else:
            assert page.url.endswith("#" + expected)
        page.wait_for_timeout(300)
        box = target.bounding_box()
        assert 0 <= box["y"] + box["height"] and box["y"] < 844, (press, box)
        assert page.evaluate("window.scrollY") > 0, press
        assert page.locator("body > .notice").bounding_box()["y"] >= 0, "what was done is in sight"
    assert saved not in rows_of(page)
    visitor.close()
