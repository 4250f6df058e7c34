"""An old tablet beside the bed: Chromium 69 of 2018 is the oldest browser that the pages of the night support."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from household import PASSCODE, Browser, Server, eventually
from test_look import SHOTS

ROOT = Path(__file__).parents[2]
NIGHT = ["/", "/kiosk", "/kiosk?brightness=30&limits=on", "/help", "/shield?name=tiktok.com", "/widget", "/just-blocked"]
SMALL = """[...document.querySelectorAll("button, a.btn, .pill, footer a, summary")]
    .filter(e => e.offsetParent && e.getBoundingClientRect().height < 44).map(e => e.outerHTML.slice(0, 120))"""


class OldTablet:
    """The window, in its own process."""

    def __init__(self, width=800, height=480):
        quiet = {"QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_DISABLE_SANDBOX": "1",
                 "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox --disable-gpu"}
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", Path(__file__).with_name("old_webview.py"), str(width), str(height)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **quiet})

    def __getattr__(self, name):
        def ask(*arguments):
            self.process.stdin.write(json.dumps([name, *arguments]) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())

        return ask

    def size(self, selector):
        """Font size and width of the first matching element, in pixels."""
        return self.evaluate(f"""(e => [parseFloat(getComputedStyle(e).fontSize), e.getBoundingClientRect().width])
            (document.querySelector({selector!r}))""")

    def log_in(self, url):
        self.open(url + "/login")
        self.evaluate(f"document.querySelector('[name=passcode]').value = {PASSCODE!r}")
        self.evaluate("document.querySelector('main form button').click()")
        # A page that is opened during this navigation would count as opened when the navigation ends.
        arrived = "!location.pathname.startsWith('/login') && document.readyState === 'complete'"
        eventually(lambda: self.evaluate(arrived), 10)

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


@pytest.fixture
def house(tmp_path):
    server = Server(tmp_path / "data", None)
    yield server
    server.stop()


@pytest.fixture
def tablet():
    tablet = OldTablet()
    yield tablet
    tablet.close()


def test_it_is_as_old_as_it_says(tablet):
    assert " Chrome/69." in tablet.evaluate("navigator.userAgent")


def test_it_can_read_every_script(tablet):
    """A word that it does not know would stop the whole script: Safari 12 and Chromium 69 know about the same ones."""
    assert tablet.evaluate("try { new Function('a?.b'); 'read' } catch (error) { error.name }") == "SyntaxError"
    for script in sorted((ROOT / "Public").glob("*.js")):
        parsed = f"try {{ new Function({json.dumps(script.read_text())}); 'read' }} catch (error) {{ String(error) }}"
        assert tablet.evaluate(parsed) == "read", script.name


def test_the_pages_of_the_night_fit_and_make_no_noise(house, tablet):
    SHOTS.mkdir(exist_ok=True)
    Browser(house).log_in().enroll().start_session(480, "flexible")
    tablet.log_in(house.url)
    for path in NIGHT:
        assert tablet.open(house.url + path)
        tablet.wait(300)
        tablet.shot(str(SHOTS / f"old{path.partition('?')[0].replace('/', '-')}.png"))
        assert tablet.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, path
        assert tablet.evaluate(SMALL) == [], path
        assert tablet.noise() == [], path


def test_the_clock_beside_the_bed_is_large_counts_and_owns_up(house, tablet):
    Browser(house).log_in().enroll().start_session(480, "strict")
    tablet.open(house.url + "/kiosk")
    font, width = tablet.size("[data-clock]")
    assert font > 120 and width < 800
    assert tablet.size(".ring")[1] > 180
    before = tablet.evaluate("document.querySelector('[data-remaining]').innerText")
    assert before.startswith(("8:00:0", "7:59:"))
    eventually(lambda: tablet.evaluate("document.querySelector('[data-remaining]').innerText") != before)
    house.kill()
    eventually(lambda: not tablet.evaluate("document.querySelector('[data-lost]').hidden"), 30)
    assert not tablet.evaluate("getComputedStyle(document.querySelector('.ring')).visibility === 'visible'")
    house.start()
    eventually(lambda: tablet.evaluate("document.querySelector('[data-lost]').hidden"), 30)


def test_a_session_is_started_by_hand(house, tablet):
    Browser(house).log_in().enroll()
    tablet.log_in(house.url)
    eventually(lambda: tablet.open(house.url + "/session"))
    tablet.evaluate("document.querySelector('.session-form .btn.primary').click()")
    eventually(lambda: tablet.evaluate("(document.querySelector('h1') || {}).innerText") == "Sleep Mode Active", 10)
    assert tablet.noise() == []
