"""The bar of places, and pages on which nothing hides or moves."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from household import eventually
from test_look import ARGUMENTS, SIZES, Visitor, chromium, house, reset  # noqa: F401 (fixtures)

BOXES = """() => [...document.querySelectorAll("h1, .ring, .since, .chips, .btn, .quiet-links a, .places a")]
    .map(e => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round).join(" ") })"""
COVERED = """() => {
    scrollTo(0, document.documentElement.scrollHeight);
    return [document.querySelector("main").getBoundingClientRect().bottom, document.querySelector(".places").getBoundingClientRect().top];
}"""


@pytest.mark.parametrize("percent", [175, 200])
def test_labels_stand_below_their_icons_in_large_text(chromium, house, percent):  # noqa: F811
    """The browser's own text size, which moves the breakpoints too."""
    reset(house)
    larger = [*ARGUMENTS, f"--blink-settings=defaultFontSize={16 * percent // 100}"]
    browser = chromium.browser_type.launch(executable_path="/usr/bin/chromium-headless-shell", args=larger)
    visitor = Visitor(browser, house, "phone").log_in()
    visitor.page.goto(house.url + "/apps")
    for link in visitor.page.locator(".places a").all():
        box, icon, label = (one.bounding_box() for one in (link, link.locator(".icon"), link.locator("span").first))
        assert icon["y"] + icon["height"] <= label["y"] + 1, (icon, label)
        assert box["x"] <= label["x"] and label["x"] + label["width"] <= box["x"] + box["width"] + 1, (box, label)
    visitor.close()
    browser.close()


@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_when_a_cancel_begins(chromium, house, size):  # noqa: F811
    reset(house).start_session(480, "flexible")
    visitor = Visitor(chromium, house, size, reduced_motion="reduce").log_in()
    page = visitor.page
    page.goto(house.url + "/session")
    before = page.evaluate(BOXES)
    page.get_by_role("button", name="Cancel Session").click()
    page.get_by_role("button", name="Keep Sleeping").wait_for()
    page.wait_for_load_state()
    assert page.evaluate(BOXES) == before
    page.get_by_role("button", name="Keep Sleeping").click()
    page.get_by_role("button", name="Cancel Session").wait_for()
    page.wait_for_load_state()
    assert page.evaluate(BOXES) == before
    visitor.close()


@pytest.mark.parametrize("strictness", ["flexible", "strict"])
def test_the_running_session_has_the_whole_screen(chromium, house, strictness):  # noqa: F811
    """SI-141, SI-147: no bar; a chevron in the corner leads to pages that have it. The button stands above its hint."""
    reset(house).start_session(30, strictness)
    visitor = Visitor(chromium, house, SIZES, reduced_motion="reduce").log_in()
    page = visitor.page
    for path in ("/", "/session"):
        page.goto(house.url + path)
        for size in visitor.at_each_size():
            assert page.locator(".places").count() == 0
            way = page.get_by_role("link", name="Other pages").bounding_box()
            assert way["x"] < 16 and way["y"] < 16 and 44 <= way["width"] <= 48 and 44 <= way["height"] <= 48
            # A new size counts from the next frame on.
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), size
            middle = page.evaluate("(box => (box.left + box.right) / 2)(document.querySelector('main').getBoundingClientRect())")
            assert abs(middle - page.evaluate("document.documentElement.clientWidth / 2")) < 2
            if strictness == "flexible":
                button, hint = (page.locator(one).bounding_box() for one in (".btn.danger", ".delay"))
                assert button["y"] + button["height"] <= hint["y"]
    visitor.press(page.get_by_role("link", name="Other pages"))
    page.get_by_role("heading", name="More").wait_for()
    assert page.locator(".places a").count() == 5
    page.locator(".places a").first.click()
    page.get_by_role("heading", name="Sleep Mode Active").wait_for()
    assert page.locator(".places").count() == 0 and visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("path", ["/", "/apps", "/settings", "/usage", "/focus", "/verified/selection"])
def test_nothing_ends_behind_the_bar(chromium, house, path):  # noqa: F811
    reset(house)
    visitor = Visitor(chromium, house, SIZES, reduced_motion="reduce").log_in()
    page = visitor.page
    page.goto(house.url + path)
    for size in visitor.at_each_size():
        end, bar = page.evaluate(COVERED)
        on_the_left = page.evaluate("document.querySelector('.places').getBoundingClientRect().height === innerHeight")
        assert on_the_left == (size == "laptop")
        assert on_the_left or end <= bar, size
    visitor.close()


def test_this_evening_fits_above_the_bar(chromium, house):  # noqa: F811
    """390 x 844, with two people, a bedtime and its buttons, the four cards, and the devices in use."""
    owner = reset(house)
    if "Ada" not in owner.get("/settings/people").text:
        owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings/people")
    now = datetime.now(ZoneInfo("Europe/Berlin"))
    start, end = (f"{now + timedelta(hours=hours):%H:%M}" for hours in (2, 10))
    owner.post("/schedule", [("isEnabled", "on"), ("start", start), ("end", end), ("strictness", "flexible"),
                             *[("days", day) for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")]])
    house.ask("example.org")
    visitor = Visitor(chromium, house, "phone", reduced_motion="reduce").log_in()
    assert visitor.page.locator(".next .hint").is_visible()
    bottom, bar = (visitor.page.locator(one).bounding_box() for one in (".devices-line", ".places"))
    assert bottom["y"] + bottom["height"] <= bar["y"]
    owner.enroll()
    house.ask("example.org")
    # Within a second the server knows that the device uses it.
    eventually(lambda: 'action="/household/children' in owner.get("/").text, 10)
    visitor.page.reload()
    # From 17:00 to 04:00, or within four hours of a bedtime, "Ada to bed" is there too: she is the only child.
    assert visitor.page.get_by_role("button", name="Ada to bed").is_visible()
    bottom, bar = (visitor.page.locator(one).bounding_box() for one in (".devices-line", ".places"))
    assert bottom["y"] + bottom["height"] <= bar["y"]
    visitor.close()
