"""A browser behind the gateway: its download ends at bedtime, and goes on in the morning."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from gateway_lan import HOME, PHONE, home
from household import eventually

pytestmark = pytest.mark.alone


@pytest.fixture
def phones_browser(home):
    """Chromium on the phone, with the phone's own resolver."""
    place = Path(f"/etc/netns/{PHONE}")
    place.mkdir(parents=True, exist_ok=True)
    (place / "resolv.conf").write_text(f"nameserver {HOME['v4']}\n")
    start = home.folder / "chromium"
    start.write_text(f'#!/bin/sh\nexec ip netns exec {PHONE} /usr/bin/chromium "$@"\n')
    start.chmod(0o755)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(start), args=["--no-sandbox"])
            yield browser
            browser.close()
    finally:
        (place / "resolv.conf").unlink()
        place.rmdir()


# Reads until the end; notes when the last bytes came and what ended it. The page's clock, in ms of Unix time.
FETCH = """async () => {
    window.download = {last: 0, bytes: 0, end: null};
    const clock = () => performance.timeOrigin + performance.now();
    try {
        const reader = (await fetch("/film")).body.getReader();
        while (true) {
            const {done, value} = await reader.read();
            if (done) { window.download.end = "done"; break; }
            window.download.bytes += value.length;
            window.download.last = clock();
        }
    } catch (error) { window.download.end = error.message; }
}"""
# Asks again and again, and notes when the first answer came that is the page itself.
ASK = """async () => {
    window.opened = 0;
    while (!window.opened) {
        try {
            const text = await (await fetch("/page?" + Math.random())).text();
            if (text == "<title>x</title>") window.opened = performance.timeOrigin + performance.now();
        } catch (error) {}
        await new Promise(done => setTimeout(done, 10));
    }
}"""


def test_chromium_is_cut_too(home, phones_browser):
    home.enrol()
    page = phones_browser.new_page()
    page.goto("http://www.video.example/page")
    page.evaluate(f"void ({FETCH})()")
    eventually(lambda: page.evaluate("window.download.bytes") > 100_000, 10)
    wall = time.time() - time.monotonic()
    begun = home.sleep() + wall
    end = eventually(lambda: page.evaluate("window.download.end"), 5)
    last = page.evaluate("window.download.last") / 1000
    print(f"\nChromium: from the start of a night to the last byte {(last - begun) * 1000:.0f} ms, {end}")
    assert end == "network error" and -0.1 < last - begun < 1
    page.evaluate(f"void ({ASK})()")
    time.sleep(1)
    assert page.evaluate("window.opened") == 0
    released = home.reset() + wall
    opened = eventually(lambda: page.evaluate("window.opened"), 30) / 1000
    print(f"Chromium: from the release to the first byte {(opened - released) * 1000:.0f} ms")
    assert opened > released
