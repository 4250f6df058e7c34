"""The app on a phone: its service worker keeps one page for the time without the server, and tells a timer's end.

127.0.0.1 is a secure context, as HTTPS with the house's certificate is.
"""

import functools

import pytest
import requests
from playwright.sync_api import expect

from household import PASSCODE
from focus import send
from test_look import chromium, picture, whole_chromium  # noqa: F401 (fixtures)

IN_MEMORY = '{"total": 1500, "remaining": 2, "running": false, "paused": false}'
READY = "navigator.serviceWorker.ready.then(() => caches.match('/offline')).then(Boolean)"
IS_CONTROLLED = "() => navigator.serviceWorker.controller !== null"


def opened(browser, server, **options):
    """A page of somebody who is signed in, with its service worker at work."""
    page = browser.new_context(**options).new_page()
    page.goto(server.url + "/login")
    page.get_by_label("Passcode").fill(PASSCODE)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(server.url + "/")
    assert page.evaluate(READY)
    page.wait_for_function(IS_CONTROLLED)
    return page


@pytest.fixture
def phone(server, sleeper, chromium):
    page = opened(chromium, server, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield page
    page.context.close()


def test_the_last_state_is_said_and_the_server_found_again(server, sleeper, phone):
    sleeper.start_session(60)
    phone.locator("[data-ring]").wait_for()  # home opens the session by itself; another page at once would cross it
    phone.goto(server.url + "/session")
    phone.locator("[data-ring]").wait_for()
    phone.wait_for_function("localStorage.getItem('last-state') !== null")
    end = sleeper.get("/state").json()["session"]["endsAt"]
    server.kill()
    phone.goto(server.url + "/session")
    expect(phone.get_by_role("heading", name="Not connected")).to_be_visible()
    expect(phone.locator("[data-last]")).to_contain_text("Sleep Mode was on, until ")
    count = phone.locator("[data-left]")
    count.wait_for()
    shown = functools.reduce(lambda total, part: 60 * total + int(part), count.inner_text().split(":"), 0)
    left = phone.evaluate("end => (Date.parse(end) - Date.now()) / 1000", end)
    assert abs(shown - left) <= 2, "it goes on to the last known end"
    assert count.evaluate("one => getComputedStyle(one).fontSize") == "64px", "with its style"
    picture(phone, "offline")
    server.start()
    phone.locator("[data-ring]").wait_for(timeout=15_000)
    assert phone.url == server.url + "/session"


def test_a_page_that_stays_open_counts_on_and_says_so(server, sleeper, phone):
    sleeper.start_session(60)
    phone.locator("[data-ring]").wait_for()
    phone.goto(server.url + "/session")
    phone.locator("[data-ring].live").wait_for()
    server.kill()
    phone.get_by_text("Not connected. The countdown goes on to the last known end.").wait_for(timeout=6000)
    before = phone.locator("[data-remaining]").inner_text()
    expect(phone.locator("[data-remaining]")).not_to_have_text(before, timeout=3000)


def test_it_keeps_one_page_without_a_name_on_it(server, phone):
    kept = phone.evaluate("""async () => {
        const names = await caches.keys();
        const requests = (await Promise.all(names.map(async name => (await caches.open(name)).keys()))).flat();
        const page = await (await caches.match("/offline")).text();
        return { paths: requests.map(one => new URL(one.url).pathname), page };
    }""")
    assert [path for path in kept["paths"] if not path.startswith("/assets/")] == ["/offline"]
    assert "csrf" not in kept["page"]
    for path in kept["paths"]:
        assert requests.get(server.url + path, timeout=10).status_code == 200


def test_a_blocked_name_gets_no_service_worker(server, sleeper):
    """It would stay in the way of the real site in the morning."""
    sleeper.start_session(60)
    page = requests.get(server.url + "/", headers={"Host": "tiktok.com"}, timeout=10)
    assert "Sleep Mode Active" in page.text and "app.js" not in page.text
    worker = requests.get(server.url + "/service-worker.js", headers={"Host": "tiktok.com"}, timeout=10)
    assert "javascript" not in worker.headers["Content-Type"]


def test_the_end_of_a_timer_is_told_by_the_worker(server, owner, whole_chromium):
    """Android takes notifications from there only. The time of the timer is real: two seconds."""
    page = opened(whole_chromium, server, permissions=["notifications"])
    assert send(owner, IN_MEMORY, "timer-state.json").status_code == 303
    page.goto(server.url + "/focus")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("25m focused.").wait_for(timeout=8000)
    page.wait_for_function("""async () => {
        const registration = await navigator.serviceWorker.ready;
        const notes = await registration.getNotifications({ tag: "end-of-session" });
        return notes.length === 1 && notes[0].title === "Focus over";
    }""")
    page.context.close()
