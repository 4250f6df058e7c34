"""What a page weighs: itself, its style and its script, each compressed."""

import gzip
import re

from household import Browser
from test_look import PAGES, house  # noqa: F401 (a fixture)

MOST = 60 * 1024


def packed(browser, path):
    """The text at an address, and how many bytes it has compressed."""
    reply = browser.get(path)
    return reply.text, len(gzip.compress(reply.content, 6))


def test_every_page_is_light(house):  # noqa: F811
    browser = Browser(house).log_in().enroll()
    weights, files = {}, {}
    for state in ("day", "night"):
        for name, path in {**PAGES, "login": "/login"}.items():
            text, weight = packed(browser, path)
            for file in re.findall(r'<(?:link rel="stylesheet"|script)[^>]* (?:href|src)="(/[^"]+)"', text):
                if file not in files:
                    files[file] = packed(browser, file)[1]
                weight += files[file]
            weights[name, state] = weight
        if state == "day":
            browser.start_session(480)
    heaviest = sorted(weights.items(), key=lambda item: -item[1])
    assert len(files) > 20, "style and script were found"
    assert [(name, weight) for name, weight in heaviest if weight > MOST] == []
