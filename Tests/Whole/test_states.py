"""Every state of every page, as the golden files hold it, with the real style: axe finds nothing, and nothing overflows.

The pages of a running server show one evening. Here are also the morning, a dim display, refused forms and set-up's steps.
"""

from urllib.parse import urlsplit

import pytest

from household import ROOT
from test_look import SIZES, chromium, shape_of, violations  # noqa: F401

STATES = sorted(path for path in (ROOT / "Tests/PagesTests/Golden").glob("*.html") if "<title>" in path.read_text())
# No network: a name that is reserved (RFC 6761), and every request of the page ends here.
HOST = "http://states.test"
TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}


def serve(route):
    """The state that the path names, and its style. Scripts stay out: they would ask a server for the next state."""
    path = urlsplit(route.request.url).path
    asset = ROOT / "Public" / path.rpartition("/")[2]
    if path.startswith("/states/"):
        state = ROOT / "Tests/PagesTests/Golden" / f"{path.rpartition('/')[2]}.html"
        route.fulfill(body=state.read_text().replace('http-equiv="refresh"', ""), content_type="text/html; charset=utf-8")
    elif "/assets/" in path and asset.suffix in TYPES and asset.exists():
        route.fulfill(body=asset.read_bytes(), content_type=TYPES[asset.suffix])
    else:
        route.abort()


@pytest.fixture(scope="module")
def page(chromium):  # noqa: F811
    context = chromium.new_context(viewport=shape_of("phone"), reduced_motion="reduce")
    context.route("**/*", serve)
    yield context.new_page()
    context.close()


def too_wide(page):
    """The sizes at which the page is wider than its window."""
    wide = []
    for size in SIZES:
        page.set_viewport_size(shape_of(size))
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(f"too wide: {size}")
    page.set_viewport_size(shape_of("phone"))
    return wide


@pytest.mark.parametrize("group", range(4))
def test_every_state_is_for_everybody(page, group):
    faults = {}
    for path in STATES[group::4]:
        page.goto(f"{HOST}/states/{path.stem}", wait_until="load")
        found = [one["id"] + ": " + one["nodes"][0]["html"][:200] for one in violations(page)] + too_wide(page)
        if found:
            faults[path.stem] = found
    assert faults == {}


@pytest.mark.parametrize("state", ["allowed-apps", "relay-some"])
def test_a_picker_begins_where_its_page_begins(page, state):
    """Also once every set was added: what is not shown takes no column."""
    page.set_viewport_size(shape_of("laptop"))
    page.goto(f"{HOST}/states/{state}", wait_until="load")
    assert page.locator(".picker").bounding_box()["x"] == page.locator("h1").bounding_box()["x"]
    page.set_viewport_size(shape_of("phone"))
