"""Old iPads: Safari of iOS 12 to 15, emulated by taking away what it lacks (`old_safari.py`)."""

import re
from pathlib import Path

import pytest

from focus import at_rest
from household import Browser, eventually
from old_safari import OldSafari
from test_look import chromium, house, picture, reset  # noqa: F401 (fixtures)

ROOT = Path(__file__).parents[2]
WITHOUT = {
    "*.css": [r"(?<!-)clamp\(", r":is\(", r":where\(", r"\baspect-ratio:", r"@container", r"\bcontainer(-type)?:", r"\dcq[wi]\b"],
    "*.js": [r"\.submitter", r"replaceChildren", r"requestSubmit\(\)"],
}
# iOS 12.5, 13.7, 14.8 and 15.8, the last ones of iPads that get no more.
VERSIONS = [12.1, 13.1, 14.1, 15.3]
BEDSIDE = ["/", "/kiosk", "/kiosk?limits=on", "/focus", "/focus/history", "/household", "/allowed-apps", "/anti-rot",
           "/anti-rot/schedule", "/limits", "/schedule", "/session", "/usage", "/devices", "/settings", "/help",
           "/shield?name=tiktok.com", "/verified/setup"]
# What a finger presses, and words of one line, that stand beside each other without room between them.
TOUCHING = """() => [...document.querySelectorAll("[data-no-gap]")].flatMap(row => {
    const boxes = [...row.children].filter(e => e.offsetParent && e.getBoundingClientRect().width > 1
        && getComputedStyle(e).position !== "absolute").map(e => [e, e.getBoundingClientRect()]);
    return boxes.slice(1).filter(([e, box], i) => {
        const before = boxes[i][1];
        const beside = Math.abs(box.left - before.right) < 2 && box.top < before.bottom && before.top < box.bottom;
        const below = Math.abs(box.top - before.bottom) < 2 && box.left < before.right && e.matches("a, button, .pill, form");
        return (beside || below) && e.innerText !== "";
    }).map(([e]) => row.className + " > " + e.outerHTML.slice(0, 90));
})"""

WIDTHS = "names => names.map(name => document.querySelector(name).getBoundingClientRect().width)"


@pytest.fixture(params=VERSIONS)
def ipad(request, chromium, house):  # noqa: F811
    reset(house)
    ipad = OldSafari(chromium, house, request.param).log_in()
    yield ipad
    assert ipad.noise == []
    ipad.close()


def test_no_page_needs_what_old_ipads_lack():
    """What there is another word for. `:has()` and the like only add to a page that is whole without them."""
    said = {f"{file.name}: {word}" for kind, words in WITHOUT.items() for file in (ROOT / "Public").glob(kind)
            for word in words if re.search(word, file.read_text())}
    assert said == set()


def test_it_lacks_what_it_says(chromium, house):  # noqa: F811
    oldest, newest = (OldSafari(chromium, house, version).log_in().page for version in (12.1, 99))
    lacks = """() => [!("submitter" in SubmitEvent.prototype), !Element.prototype.replaceChildren,
        !HTMLFormElement.prototype.requestSubmit, !HTMLDialogElement.prototype.showModal, !("wakeLock" in navigator)]"""
    assert oldest.evaluate(lacks) == [True] * 5 and newest.evaluate(lacks) == [False] * 5
    gap = "() => getComputedStyle(document.querySelector('.inline-actions')).columnGap"
    oldest.goto(house.url + "/focus"), newest.goto(house.url + "/focus")
    assert oldest.evaluate(gap) == "0px" and newest.evaluate(gap) == "8px"


def test_its_pages_fit(ipad, house):  # noqa: F811
    for path in BEDSIDE:
        ipad.page.goto(house.url + path)
        for width, height in ((1024, 768), (375, 667)):
            ipad.page.set_viewport_size({"width": width, "height": height})
            picture(ipad.page, f"ios-{ipad.version:g}{path.partition('?')[0].replace('/', '-')}-{width}")
            # The page measures its window when it hears of it.
            eventually(lambda: ipad.overflow() <= 0, 2)
            assert ipad.page.evaluate(TOUCHING) == [], (path, width)


def test_the_clock_beside_the_bed_is_large(ipad, house):  # noqa: F811
    Browser(house).log_in().start_session(480, "strict")
    ipad.page.goto(house.url + "/kiosk")
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    assert ipad.page.locator("[data-clock]").evaluate(size) > 180
    ring, reading = ipad.page.evaluate(WIDTHS, [".ring", ".reading b"])
    assert reading < ring and 250 < ring < 420
    # Nothing but amber by night.
    assert ipad.page.locator(".ring .progress").evaluate("one => getComputedStyle(one).stroke") == "rgb(201, 138, 43)"


def test_focus_has_its_ring_and_discards(ipad, house):  # noqa: F811
    owner = at_rest(house)
    page = ipad.page
    page.goto(house.url + "/focus")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator("[data-dial][data-state=running]").wait_for()
    dial, reading = page.evaluate(WIDTHS, [".dial", ".dial-reading b"])
    assert reading < dial and dial > 250
    assert page.locator(".dial").evaluate("one => one.clientWidth === one.clientHeight")
    border = page.get_by_role("button", name="Pause").evaluate("one => getComputedStyle(one).borderTopColor")
    assert border in ("rgba(0, 0, 0, 0.2)", "rgba(255, 255, 255, 0.2)")
    page.get_by_role("button", name="Stop and discard").click()
    page.locator("[data-dial][data-state=idle]").wait_for()
    assert "Nothing yet" in page.locator("[data-today]").inner_text()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.locator("[data-dial][data-state=idle]").wait_for()
    owner.post("/focus/stop", {"save": "false"}, page="/focus")


def test_a_picker_finds_saves_and_takes_back(ipad, house):  # noqa: F811
    page = ipad.page
    page.goto(house.url + "/allowed-apps")
    # Requests that outlive their page hang where Playwright looks at them.
    ipad.context.unroute_all()
    page.get_by_label("Search apps").fill("spotify")
    page.locator("[data-found] #app-spotify").wait_for()
    page.locator("label[for=app-spotify]").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone.").wait_for()
    assert not page.locator("#app-spotify").is_checked()


def test_a_window_is_added(ipad, house):  # noqa: F811
    """Where a dialog is an element like any other it opens in the page, and stays shut until then."""
    page = ipad.page
    page.goto(house.url + "/anti-rot/schedule")
    assert not page.locator("#add-window").is_visible()
    page.get_by_role("link", name="Add Window").or_(page.get_by_role("button", name="Add Window")).first.click()
    page.locator("#add-window").wait_for()
    page.goto(house.url + "/anti-rot/schedule")


def test_the_zone_of_the_device_is_taken(ipad, house):  # noqa: F811
    page = ipad.page
    page.goto(house.url + "/verified/setup")
    page.get_by_role("button", name="Use this device's zone").click()
    page.wait_for_url("**/verified/setup?*")
