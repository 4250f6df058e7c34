"""Open pages: they count as the server counts, follow changes when their stream is cut off, and wait while it is
away."""

import json
import re
import socket
import time
from datetime import datetime

import pytest
import requests
from playwright.sync_api import expect

from household import PASSCODE, Browser, Server, Upstream
from test_look import chromium  # noqa: F401 (a fixture)
from test_shield_actions import use_up
from wire import Wire

CUTS = ["closed", "silent"]
PLACES = ["active", "shield", "kiosk"]


@pytest.fixture
def wire(server):
    wire = Wire(server.http_port)
    yield wire
    wire.close()


@pytest.fixture
def window(chromium):
    # Without glow and glide: these pages are open for seconds, and drawing sixty frames of each takes half a processor.
    context = chromium.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def log_in(page, url):
    page.goto(url + "/login")
    page.get_by_label("Passcode").fill(PASSCODE)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(url + "/")


def visit(page, wire, place):
    """Opens a page that people leave open in bed, as it is while a session runs."""
    if place == "shield":
        page.goto(f"http://tiktok.com:{wire.port}/")
    else:
        log_in(page, wire.url)
        page.goto(wire.url + ("/kiosk" if place == "kiosk" else "/session"))
    page.locator("[data-ring]").wait_for()


# 14: the stream alone is cut off.

@pytest.mark.parametrize("how", CUTS)
@pytest.mark.parametrize("place", PLACES)
def test_a_page_without_its_stream_follows_within_15_seconds(sleeper, wire, window, place, how):
    sleeper.start_session(60)
    visit(window, wire, place)
    window.wait_for_timeout(1500)
    wire.cut(how, streams_only=True)
    window.wait_for_timeout(1000)
    if place == "shield":
        sleeper.post("/settings/reset", {"confirm": "reset"}, page="/settings")
        found = window.get_by_text("open again").first
    else:
        sleeper.post("/session/cancel", page="/session")
        found = window.get_by_text("Cancelling in").first
    found.wait_for(timeout=15_000)
    assert not window.get_by_text("Not connected").is_visible()


def test_a_quiet_kiosk_without_its_stream_sees_a_night_begin(sleeper, wire, window):
    window.goto(wire.url + "/kiosk")
    window.get_by_text("No bedtime is planned").wait_for()
    wire.cut("closed", streams_only=True)
    sleeper.start_session(60)
    window.locator("[data-ring]").wait_for(timeout=15_000)


# 14: the whole server is away.

@pytest.mark.parametrize("how", CUTS)
@pytest.mark.parametrize("place", PLACES)
def test_a_page_owns_up_within_five_seconds(sleeper, wire, window, place, how):
    sleeper.start_session(60)
    visit(window, wire, place)
    window.wait_for_timeout(2000)
    assert not window.get_by_text("Not connected").is_visible()
    wire.cut(how)
    window.get_by_text("Not connected").wait_for(timeout=5000)
    wire.mend()
    window.get_by_text("Not connected").wait_for(state="hidden", timeout=8000)


def test_a_quiet_kiosk_owns_up_within_five_seconds(sleeper, wire, window):
    window.goto(wire.url + "/kiosk")
    window.wait_for_timeout(4000)
    wire.cut("silent")
    window.get_by_text("Not connected").wait_for(timeout=5000)


def test_a_press_waits_for_the_server(server, sleeper, window):
    sleeper.start_session(60)
    log_in(window, server.url)
    window.goto(server.url + "/session")
    window.locator("[data-ring]").wait_for()
    server.kill()
    window.get_by_text("Not connected").wait_for(timeout=5000)
    window.get_by_role("button", name="Cancel Session").click()
    window.get_by_text("Your press waits.").wait_for(timeout=2000)
    window.wait_for_timeout(3000)
    assert window.url == server.url + "/session" and window.get_by_role("button", name="Cancel Session").is_visible()
    server.start()
    window.locator("[data-cancelling]").wait_for(timeout=10_000)


def test_a_press_on_the_shield_waits_too(server, sleeper, window):
    use_up(server, "tiktok")
    window.goto(f"http://tiktok.com:{server.http_port}/")
    window.get_by_role("heading", name="Stop Scrolling").wait_for()
    server.kill()
    window.get_by_text("Not connected").wait_for(timeout=5000)
    window.get_by_role("button", name="Unlock for 1 min").click()
    window.get_by_text("Your press waits.").wait_for(timeout=2000)
    window.wait_for_timeout(1500)
    server.start()
    window.get_by_role("heading", name="Opening").wait_for(timeout=10_000)


def test_a_link_on_the_kiosk_waits_too(server, sleeper, window):
    sleeper.start_session(60)
    window.goto(server.url + "/kiosk")
    window.locator(".ring.live").wait_for()
    server.kill()
    window.get_by_text("Not connected", exact=True).wait_for(timeout=5000)
    window.get_by_role("link", name="Need help tonight?").click()
    window.get_by_text("Your press waits.").wait_for(timeout=2000)
    server.start()
    window.get_by_role("heading", name="Help tonight").wait_for(timeout=10_000)


# 11: seconds.

WATCH = """() => {
    const shown = JSON.parse(sessionStorage.shown || "[]");
    const words = document.querySelector("[data-cancelling]");
    function note() {
        const seconds = Number(/in (\\d+)s/.exec(words.textContent)[1]);
        if (shown.length && shown[shown.length - 1][0] === seconds) { return; }
        shown.push([seconds, Date.now()]);
        sessionStorage.shown = JSON.stringify(shown);
    }
    note();
    new MutationObserver(note).observe(words, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.nightly
def test_every_second_of_a_cancel_is_shown_for_a_second(server, sleeper, window):
    """SI-085: from 30 on; it ends together with the server's."""
    # Before the log-in: the dashboard after it would go to the session by itself.
    sleeper.start_session(60)
    log_in(window, server.url)
    window.goto(server.url + "/session")
    window.get_by_role("button", name="Cancel Session").click()
    window.locator("[data-cancelling]").wait_for()
    window.evaluate(WATCH)
    end = datetime.fromisoformat(sleeper.state()["session"]["cancelsAt"]).timestamp()
    window.get_by_role("link", name="Start Now").wait_for(timeout=40_000)
    over = time.time()
    shown = json.loads(window.evaluate("sessionStorage.shown"))
    assert [seconds for seconds, _ in shown if seconds] == list(range(30, 0, -1))
    begun = {seconds: at / 1000 for seconds, at in shown}
    late = {seconds: round(begun[seconds] - (end - seconds), 3) for seconds in range(1, 30)}
    assert all(-0.05 < value < 0.25 for value in late.values()), late
    assert 0 <= over - end < 1.5


# AR-043: the kiosk counts a running override down.

def test_the_kiosk_counts_an_override_down(server, sleeper, window):
    sleeper.post("/anti-rot/apps", {"app": "tiktok"})
    sleeper.post("/anti-rot/windows", {"start": "03:00", "end": "03:01"}, page="/anti-rot/schedule")
    token = server.command("token", "--name", "hands").stdout.split()[-1]
    window.goto(server.url + "/kiosk")
    window.get_by_text("No bedtime is planned").wait_for()
    assert not window.get_by_text("Override active").is_visible()
    reply = sleeper.session.post(
        server.url + "/api/v1/override", headers={"Authorization": f"Bearer {token}"}, timeout=10)
    assert reply.status_code in (200, 201), reply.text
    line = window.get_by_text("Override active")
    line.wait_for(timeout=5000)
    first = line.inner_text()
    assert re.fullmatch(r"Override active — 4[45]:\d\d", first), first
    window.wait_for_timeout(2200)
    assert line.inner_text() < first
    state = sleeper.session.get(f"{server.url}/state", timeout=10).json()
    assert state["overrideEndsAt"] == state["antiRot"]["override"]["expiresAt"]


# 15 and 16.

def test_the_gate_says_what_to_do(tmp_path, window):
    """SI-075."""
    upstream = Upstream()
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket(type=socket.SOCK_DGRAM) as taken_too:
        port = taken.getsockname()[1]
        taken_too.bind(("127.0.0.1", port))
        server = Server(tmp_path / "data", upstream, "--dns-port", str(port), unattended=False)
        try:
            window.goto(server.url + "/")
            assert f"port {port}" in window.locator(".gate-error").inner_text()
            steps = window.locator("section[aria-label='What to do'] li")
            assert "sleep-inducer doctor" in steps.first.inner_text() and steps.count() == 3
        finally:
            server.stop()
            upstream.close()


def test_a_wrong_passcode_leaves_the_other_ways_open(server, sleeper):
    for tried in ("wrong-42", "", *["wrong-43"] * 9):
        reply = sleeper.session.post(
            f"{server.url}/login", data={"passcode": tried}, headers={"Cookie": ""}, allow_redirects=False, timeout=20)
        assert reply.status_code in (422, 429)
        for way in ("/help", "/my-rules", "/limits", "/anti-rot", "/usage"):
            assert f'href="{way}"' in reply.text, (tried, reply.status_code, way)
    assert reply.status_code == 429


@pytest.mark.nightly
def test_without_script_home_follows_a_cancel(chromium, server, sleeper):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, server.url)
    sleeper.start_session(60)
    page.goto(server.url + "/session")
    page.get_by_role("button", name="Cancel Session").click()
    page.get_by_text("Cancelling in").wait_for()
    page.get_by_role("link", name="Start Now").wait_for(timeout=42_000)
    assert page.url == server.url + "/"
    context.close()


def test_emergency_numbers_can_be_called(sleeper, server, window):
    window.goto(server.url + "/help")
    for number in ("112", "911"):
        expect(window.get_by_role("link", name=number, exact=True)).to_have_attribute("href", f"tel:{number}")
    words = window.locator(".first").inner_text()
    assert words == "In danger? Call 112, 911 or your local number. Calls are not blocked."


def test_the_cards_icons_are_filled_and_the_pizza_is_seen(server, sleeper, window):
    """SI-119, SI-120, AR-053."""
    log_in(window, server.url)
    for card in ("Allowed Apps", "Settings"):
        icon = window.get_by_role("link", name=card).first.locator("svg").first
        assert icon.evaluate("icon => getComputedStyle(icon).fill") not in ("none", "rgba(0, 0, 0, 0)"), card
    window.goto(server.url + "/anti-rot")
    button = window.get_by_role("button", name="I'm Eating 🍕")
    slice = button.locator("svg path").first
    assert slice.is_visible() and slice.evaluate("path => getComputedStyle(path).fill") != "none"


def test_what_a_proxy_says_of_its_own_connection_puts_no_clear_text_into_tls(tmp_path, upstream):
    server = Server(tmp_path / "proxied", upstream)
    owner = Browser(server).log_in().enroll().start_session()
    server.stop()
    server = Server(server.data, upstream, "--behind-proxy", "127.0.0.1", "--proxy-name", "sleep.example.org")
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in owner.session.cookies)
    says = {"Host": "sleep.example.org", "X-Forwarded-Proto": "http", "X-Forwarded-For": "127.0.0.1", "Cookie": cookie}
    try:
        with requests.get(f"https://127.0.0.1:{server.https_port}/events", stream=True, headers=says, verify=False,
                          timeout=20) as stream:
            assert stream.status_code == 200, stream.text
            lines = stream.iter_lines(decode_unicode=True)
            assert any(line.startswith("event: state") for line in lines)
            assert any(line.startswith("event: tick") for line in lines)
    finally:
        server.stop()
