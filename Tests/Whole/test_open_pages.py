"""Pages that stay open: one stream for a browser, presses that are too late, another day, and a log-in that ended."""

import re
import time

import pytest
from playwright.sync_api import Error, expect

from household import Browser, eventually
from test_live import log_in, wire  # noqa: F401 (a fixture)
from test_look import chromium  # noqa: F401 (a fixture)
from test_morning import House

SEVEN = ["/", "/settings", "/usage", "/limits", "/household", "/schedule", "/devices"]
HIDE = """hidden => {
    Object.defineProperty(document, "visibilityState", { get: () => hidden ? "hidden" : "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def context(chromium):  # noqa: F811
    context = chromium.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield context
    context.close()


def is_drawn_anew(page):
    """Whether the document that was marked has gone, and the next one is there."""
    try:
        return page.evaluate("!window.isOld && document.readyState === 'complete'")
    except Error:
        return False


def switch_on(page):
    """The schedule's times are shown only if it is on."""
    page.evaluate("const box = document.querySelector('#isEnabled'); if (box && !box.checked) { box.click(); }")


def streams(wire):  # noqa: F811
    return len([line for line in wire.lines if line.is_stream])


def open_tabs(context, url, paths):
    first = context.new_page()
    log_in(first, url)
    tabs = [first, *(context.new_page() for _ in paths[1:])]
    for tab, path in zip(tabs, paths):
        tab.goto(url + path)
    return tabs


def sign_in(context, url, session):
    context.add_cookies([{"name": one.name, "value": one.value, "url": url} for one in session.cookies])


# One stream.

def test_seven_tabs_share_a_stream_and_all_of_them_hear(sleeper, wire, context):  # noqa: F811
    tabs = open_tabs(context, wire.url, SEVEN)
    eventually(lambda: streams(wire) == 1, 10)
    sleeper.start_session(60)
    tabs[0].locator("[data-ring]").wait_for(timeout=5000)
    # That tab has led: it went to another page.
    eventually(lambda: streams(wire) == 1, 10)
    sleeper.post("/session/cancel", page="/session")
    tabs[4].get_by_text("Wakes in").wait_for(timeout=5000)
    # The page that leads is closed, and the others go on hearing.
    for tab in reversed(tabs[5:]):
        tab.close()
    eventually(lambda: streams(wire) == 1, 10)
    sleeper.post("/session/keep", page="/session")
    tabs[4].get_by_text("Wakes in").wait_for(state="hidden", timeout=5000)
    assert not any(tab.get_by_text("Not connected").is_visible() for tab in tabs[:5])


def test_a_hidden_tab_holds_no_stream(sleeper, wire, context):  # noqa: F811
    one, other = open_tabs(context, wire.url, ["/household", "/settings"])
    eventually(lambda: streams(wire) == 1)
    other.evaluate(HIDE, True)
    time.sleep(1)
    assert streams(wire) == 1
    one.evaluate(HIDE, True)
    eventually(lambda: streams(wire) == 0)
    sleeper.start_session(60)
    one.evaluate(HIDE, False)
    one.get_by_text(re.compile("^Asleep")).first.wait_for(timeout=5000)
    assert streams(wire) == 1


def test_a_browser_without_channels_hears_too(sleeper, wire, context):  # noqa: F811
    context.add_init_script("delete window.BroadcastChannel; delete window.SharedWorker")
    one, other = open_tabs(context, wire.url, ["/household", "/"])
    eventually(lambda: streams(wire) == 2)
    sleeper.start_session(60)
    other.locator("[data-ring]").wait_for(timeout=5000)
    one.get_by_text(re.compile("^Asleep")).first.wait_for(timeout=5000)


# Presses.

def hold(context, url, connections):
    """Another tab with streams of its own: over plain HTTP a browser has six connections to a host."""
    other = context.new_page()
    other.goto(url + "/healthz")
    other.evaluate("many => { window.held = Array.from({ length: many }, () => new EventSource('/events')); }", connections)
    return other


def test_a_press_that_found_no_connection_does_not_fire_later(sleeper, wire, context):  # noqa: F811
    page = context.new_page()
    log_in(page, wire.url)
    page.goto(wire.url + "/session")
    page.get_by_role("button", name="Start").wait_for()
    page.evaluate(HIDE, True)
    other = hold(context, wire.url, 6)
    eventually(lambda: streams(wire) == 6)
    page.evaluate(HIDE, False)
    page.get_by_role("button", name="Start").click(no_wait_after=True)
    page.get_by_text("Your press is not sent any more").wait_for(timeout=15_000)
    other.close()
    page.wait_for_timeout(3000)
    assert page.url == wire.url + "/session" and sleeper.state()["session"] is None
    page.get_by_role("button", name="Start").click()
    page.locator("[data-ring]").wait_for(timeout=5000)


def test_a_press_takes_the_connection_of_its_own_page(sleeper, wire, context):  # noqa: F811
    page = context.new_page()
    log_in(page, wire.url)
    page.goto(wire.url + "/session")
    eventually(lambda: streams(wire) == 1)
    hold(context, wire.url, 5)
    eventually(lambda: streams(wire) == 6)
    page.get_by_role("button", name="Start").click(no_wait_after=True)
    eventually(lambda: sleeper.state()["session"])


def test_a_press_that_waited_too_long_is_not_sent(server, sleeper, context):
    sleeper.start_session(60)
    page = context.new_page()
    log_in(page, server.url)
    page.goto(server.url + "/session")
    page.locator("[data-ring]").wait_for()
    server.kill()
    page.get_by_text("Not connected").wait_for(timeout=5000)
    page.get_by_role("button", name="Cancel Session").click()
    page.get_by_text("Your press waits.").wait_for(timeout=2000)
    page.get_by_text("Your press was not sent").wait_for(timeout=12_000)
    server.start()
    page.get_by_text("Not connected").wait_for(state="hidden", timeout=10_000)
    page.wait_for_timeout(2000)
    assert page.get_by_text("Your press was not sent").is_visible()
    assert sleeper.state()["session"]["cancelsAt"] is None
    page.get_by_role("button", name="Cancel Session").click()
    page.locator("[data-cancelling]").wait_for(timeout=10_000)


# Another day.

@pytest.fixture
def night(tmp_path, upstream):
    house = House(tmp_path, upstream)
    yield house
    house.server.stop()


def test_pages_follow_midnight(night, context):
    night.begin("23:59:40", nights=0)
    night.browser.post("/household/skip", {"person": "1"}, page="/household")
    sign_in(context, night.server.url, night.browser.session)
    pages = {}
    for path in ("/", "/schedule", "/household", "/usage", "/limits", "/kiosk", "/settings"):
        pages[path] = context.new_page()
        pages[path].goto(night.server.url + path)
        pages[path].evaluate("window.isOld = true")
    # Somebody is typing, and somebody else left a change half made.
    schedule = pages["/schedule"]
    schedule.locator("[name=start]").fill("21:15")
    for path, page in pages.items():
        eventually(lambda: is_drawn_anew(page), 60)
        assert page.evaluate("new Date(document.body.dataset.tomorrow) - Date.now()") > 0, path
    expect(schedule.locator("[name=start]")).to_have_value("21:15")
    assert schedule.get_by_text("Not saved yet").is_visible()
    assert night.browser.state()["schedule"]["start"] == "23:00"


# Back, after log-out.

def test_a_page_that_a_browser_kept_is_asked_for_again(owner, server, context):
    page = context.new_page()
    log_in(page, server.url)
    for path in ("/settings", "/usage", "/help", "/devices"):
        page.goto(server.url + path)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        assert page.evaluate("document.documentElement.style.visibility") == "hidden", path
        page.evaluate("window.isOld = true")
        page.evaluate("setTimeout(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))")
        eventually(lambda: is_drawn_anew(page))
        assert page.url == server.url + path


def test_other_tabs_notice_that_the_login_ended(owner, server, context):
    one, other = open_tabs(context, server.url, ["/more", "/usage"])
    one.get_by_role("button", name=re.compile("Log out")).first.click()
    one.wait_for_url(server.url + "/login")
    other.wait_for_url(re.compile("/login"), timeout=15_000)


# Fields.

def test_fields_show_what_is_stored(owner, server, context):
    page = context.new_page()
    log_in(page, server.url)
    for path, field, typed in (("/schedule", "[name=start]", "20:30"), ("/settings/people", "[name=name]", "Somebody"),
                               ("/limits", "[name=resetHour]", "4")):
        page.goto(server.url + path)
        control = page.locator(f"main {field}").first
        stored = control.input_value()

        def spoil():
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            switch_on(page)
            if control.evaluate("control => control.matches('select')"):
                control.select_option(typed)
            else:
                control.fill(typed)

        spoil()
        page.reload()
        assert control.input_value() == stored, path
        spoil()
        page.goto(server.url + "/more")
        page.go_back()
        assert control.input_value() == stored, path


# A log-in that ended.

def end_login(server):
    browser = Browser(server).log_in()
    browser.post("/logout", {"everywhere": "on"}, page="/more")


def test_a_form_that_came_after_the_login_is_asked_again(owner, server, context):
    context.add_init_script("window.EventSource = class { close() {} addEventListener() {} }")
    page = context.new_page()
    log_in(page, server.url)
    page.goto(server.url + "/schedule")
    switch_on(page)
    page.locator("[name=start]").fill("21:15")
    end_login(server)
    page.get_by_role("button", name="Save").first.click()
    page.get_by_text("Nothing was saved or changed").wait_for()
    page.get_by_label("Passcode").fill("moonlight-42")
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("Not saved yet").wait_for()
    assert page.url == server.url + "/schedule"
    expect(page.locator("[name=start]")).to_have_value("21:15")
    fresh = Browser(server).log_in()
    assert fresh.state()["schedule"]["start"] != "21:15"
    page.get_by_role("button", name="Save").first.click()
    # The test may run at any hour: at night it is asked from when.
    tomorrow = page.get_by_role("button", name="From tomorrow")
    page.get_by_text("Saved.").or_(tomorrow).first.wait_for()
    if tomorrow.count():
        tomorrow.click()
    page.get_by_text("Saved.").wait_for()
    assert fresh.state()["schedule"]["start"] == "21:15"
