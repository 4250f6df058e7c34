"""The keyboard alone: Tab reaches every control of every page, shows the focus, and leaves it again."""

import pytest

from household import PASSCODE, Browser, eventually
from test_look import PAGES, Visitor, chromium, house, reset  # noqa: F401 (fixtures)

# One stop for each visible and enabled control; radio buttons with one name count as one.
STOPS = """() => {
    const seen = new Set(), stops = [];
    for (const e of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")) {
        if (e.disabled || e.type === "hidden" || !e.checkVisibility({visibilityProperty: true})) continue;
        const group = e.type === "radio" ? `radio ${e.form && [...document.forms].indexOf(e.form)} ${e.name}` : null;
        if (group && seen.has(group)) continue;
        if (group) seen.add(group);
        stops.push(group || (e.outerHTML.slice(0, 160)));
    }
    return stops;
}"""
HERE = """() => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const group = e.type === "radio" ? `radio ${e.form && [...document.forms].indexOf(e.form)} ${e.name}` : null;
    const shows = [e, e.nextElementSibling, e.parentElement].some(
        x => x && getComputedStyle(x).outlineStyle !== "none" && parseFloat(getComputedStyle(x).outlineWidth) > 0);
    return {stop: group || e.outerHTML.slice(0, 160), shows};
}"""


@pytest.mark.parametrize("asleep", [False, True], ids=["day", "night"])
def test_every_control_is_reached(chromium, house, asleep):
    owner = reset(house)
    if asleep:
        owner.start_session(480)
    visitor = Visitor(chromium, house, "laptop")
    page = visitor.log_in().page
    missed, count = {}, 0
    for name, path in PAGES.items():
        page.goto(house.url + path)
        page.evaluate("document.activeElement && document.activeElement.blur()")
        wanted = page.evaluate(STOPS)
        count += len(wanted)
        reached, hidden, ends = set(), [], 0
        for _ in range(2 * len(wanted) + 12):
            page.keyboard.press("Tab")
            here = page.evaluate(HERE)
            if here is None:
                # Past the last stop and round again: a heading that took the focus comes after the way back.
                ends += 1
                if ends == 2:
                    break
                continue
            if here["stop"] in reached and len(reached) >= len(set(wanted)):
                break
            reached.add(here["stop"])
            if not here["shows"]:
                hidden.append(here["stop"])
        if left := [stop for stop in wanted if stop not in reached]:
            missed[name] = left[:3]
        if hidden:
            missed[f"{name}, focus unseen"] = hidden[:3]
    visitor.close()
    assert missed == {}
    assert count > 8 * len(PAGES), "there was something to reach"


def test_a_night_by_keyboard(chromium, house):
    """From the passcode to a session, to Help, and back, without a pointer."""
    reset(house)
    visitor = Visitor(chromium, house, "phone")
    page = visitor.page

    def go_to(words):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.innerText || ''").strip().startswith(words):
                return page.keyboard.press("Enter")
        raise AssertionError(f"{words} was not reached")

    page.goto(house.url + "/login")
    while page.evaluate("document.activeElement.name") != "passcode":
        page.keyboard.press("Tab")
    page.keyboard.type(PASSCODE)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Start Now").wait_for()
    go_to("Start Now")
    page.wait_for_url("**/session")
    go_to("Start Sleep Session")
    page.get_by_role("heading", name="Sleep Mode Active").wait_for()
    go_to("Need help tonight?")
    page.get_by_role("heading", name="Help tonight").wait_for()
    eventually(lambda: page.evaluate("document.activeElement.tagName") == "H1")  # the heading has the focus
    go_to("Open calls")
    page.wait_for_load_state()
    eventually(lambda: house.addresses("whatsapp.com") != ["127.0.0.1"])
    visitor.close()
    owner = Browser(house).log_in()
    owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
