"""How Chromium reacts to a block's start and end, with names that DNS alone blocks and with relayed names."""

import time

import pytest

from household import eventually
from lan import browser_at
from relay_lan import PHONE, SHIELD, Owner, dig, lan, open_way  # noqa: F401

pytestmark = pytest.mark.alone

DOWNLOAD = """async () => {
    window.bytes = 0;
    window.end = null;
    const reader = (await fetch("/slow")).body.getReader();
    (async () => {
        try {
            for (;;) {
                const part = await reader.read();
                if (part.done) { window.end = "done"; return; }
                window.bytes += part.value.length;
                window.last = Date.now() / 1000;
            }
        } catch (error) { window.end = String(error); }
    })();
}"""


@pytest.fixture
def browser(lan):  # noqa: F811
    with browser_at(PHONE, SHIELD, lan) as browser:
        yield browser


def run_until_cut(browser, owner, seconds):
    """How long a download in an open page goes on after the press on Start, in seconds; None: it is not cut."""
    page = browser.new_page()
    page.goto("https://tiktok.com/")
    page.evaluate(DOWNLOAD)
    eventually(lambda: page.evaluate("window.bytes") > 30, 10)
    begun = time.time()
    owner.post("/session", durationMinutes=60, strictness="flexible")
    deadline = time.time() + seconds
    while time.time() < deadline and page.evaluate("window.end") is None:
        time.sleep(0.05)
    end, last = page.evaluate("window.end"), page.evaluate("window.last")
    page.close()
    return None if end is None else last - begun


def wait_for_release(browser, owner):
    """Seconds from the release until a waiting shield becomes the page, without a reload by hand."""
    page = browser.new_page()
    page.goto("http://tiktok.com/")
    assert "Sleep Mode Active" in page.content()
    page.wait_for_timeout(1500)
    begun = time.time()
    owner.reset()
    page.wait_for_function("() => document.title === 'world'", timeout=20000)
    seconds = time.time() - begun
    assert "world of tiktok.com" in page.content()
    page.close()
    return seconds


def test_by_dns_alone_what_is_open_goes_on_and_a_page_comes_back_by_itself(lan, browser):  # noqa: F811
    open_way()
    owner = Owner(lan / "jar")
    assert run_until_cut(browser, owner, 4) is None, "as Docs/accuracy.md says"
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
    owner.reset()
    owner.start()
    seconds = wait_for_release(browser, owner)
    print(f"\nDNS alone: from the release to the page {seconds * 1000:.0f} ms")
    assert seconds < 4


def test_relayed_it_is_cut_within_a_second_and_comes_back_within_two(lan, browser):  # noqa: F811
    owner = Owner(lan / "jar")
    owner.post("/relay", app="tiktok")
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
    last = run_until_cut(browser, owner, 4)
    print(f"\nrelayed: from the press on Start to the last byte {last * 1000:.0f} ms")
    assert last < 1
    seconds = wait_for_release_relayed(browser, owner)
    print(f"relayed: from the release to the page {seconds * 1000:.0f} ms")
    assert seconds < 2


def wait_for_release_relayed(browser, owner):
    """The same for a name whose answer does not change: only the verdict shows the release."""
    owner.reset = lambda: owner.post("/settings/reset", page="/settings", confirm="reset")
    return wait_for_release(browser, owner)
