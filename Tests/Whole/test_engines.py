"""The household's own pages in WebKit and Firefox: one walk through each, and what Chromium cannot show."""

import shutil

import pytest

from engines import WPE, Firefox, WebKitGTK
from household import Browser, Server, Upstream, eventually

KINDS = {
    "wpe": ("WPEWebDriver", lambda home: WPE()),
    "webkitgtk": ("WebKitWebDriver", WebKitGTK),
    "firefox": ("firefox-esr", Firefox),
}
UPRIGHT, ACROSS = (390, 844), (844, 390)
LONG = "Maximiliane-Theodora Hohenfriedeberg-Ob"
NARROW_PAGES = ["/", "/devices", "/limits", "/usage", "/webhooks", "/anti-rot/schedule", "/household", "/schedule", "/more",
                "/settings/people"]
TURNED_PAGES = ["/", "/session", "/schedule", "/allowed-apps", "/anti-rot", "/anti-rot/schedule", "/limits", "/devices",
                "/webhooks", "/focus", "/kiosk", "/verified/selection"]
# Where everything is and how large its letters are. What is in closed details or dialogs is not laid out.
BOXES = """document.getAnimations().forEach(one => { try { one.finish(); } catch (error) { /* It has no end. */ } });
    return [...document.querySelectorAll("body *")].filter(e => !e.closest("svg *") && e.checkVisibility()
    && !e.closest("details:not([open]) > :not(summary)")).map(e => {
        const box = e.getBoundingClientRect();
        return [e.tagName + " " + (e.id || e.className), getComputedStyle(e).fontSize,
            ...[box.left, box.top + scrollY, box.width, box.height].map(Math.round)].join(" ");
    })"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house whose second person and a device have long names."""
    upstream = Upstream()
    server = Server(tmp_path_factory.mktemp("engines") / "data", upstream)
    owner = Browser(server).log_in().enroll()
    assert owner.post("/settings/people", {"name": LONG, "role": "adult"}, page="/settings").status_code == 303
    yield server, owner
    server.stop()
    upstream.close()


@pytest.fixture(scope="module", params=KINDS)
def engine(request, tmp_path_factory):
    program, start = KINDS[request.param]
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")
    engine = start(tmp_path_factory.mktemp(request.param))
    yield engine
    engine.close()


@pytest.fixture
def signed_in(engine, house):
    """At rest, with the window of a phone where it can have one."""
    server, owner = house
    owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    owner.post("/focus/stop", {"save": "false"}, page="/focus")
    if engine.turns:
        engine.size(*UPRIGHT)
    engine.log_in(server.url)
    return engine


def test_a_night_is_begun_and_counts(signed_in, house):
    server, owner = house
    signed_in.open(server.url + "/session")
    signed_in.click(".session-form .btn.primary")
    signed_in.until("document.querySelector('h1').innerText === 'Sleep Mode Active'")
    for _ in range(3):
        shown = signed_in.run("return document.querySelector('[role=timer]').innerText")
        signed_in.until(f"document.querySelector('[role=timer]').innerText !== {shown!r}", 3)
    owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    signed_in.until("document.querySelector('.cards')")


def test_an_app_is_found_ticked_and_taken_back(signed_in, house):
    server, _ = house
    signed_in.open(server.url + "/allowed-apps")
    signed_in.type("[data-picker-search]", "spotify")
    signed_in.until("document.querySelector('[data-found] #app-spotify')")
    signed_in.click("label[for=app-spotify]")
    signed_in.until("!document.querySelector('[data-undo-bar]').hidden")
    signed_in.click("[data-undo-bar] button")
    signed_in.until("document.querySelector('[data-saved]').innerText.startsWith('Undone')")
    assert not signed_in.run("return document.querySelector('#app-spotify').checked")


def test_focus_runs_and_is_discarded(signed_in, house):
    server, owner = house
    signed_in.open(server.url + "/focus")
    signed_in.click("#move")
    signed_in.until("document.querySelector('[data-dial]').dataset.state === 'running'")
    shown = signed_in.run("return document.querySelector('[data-digits]').innerText")
    signed_in.until(f"document.querySelector('[data-digits]').innerText !== {shown!r}", 3)
    ring, reading = signed_in.run("""return ['.dial', '.dial-reading b'].map(one =>
        document.querySelector(one).getBoundingClientRect().width)""")
    assert reading < ring
    signed_in.click("button[name=save][value=false]")
    signed_in.until("document.querySelector('[data-dial]').dataset.state === 'idle'")
    assert "/focus/history/" not in owner.get("/focus/history").text.replace("/focus/history/export", "")


def test_the_display_fits(signed_in, house):
    server, owner = house
    owner.start_session(480, "strict")
    signed_in.open(server.url + "/kiosk")
    for width, height in [(800, 480), UPRIGHT] if signed_in.turns else [(800, 600)]:
        if signed_in.turns:
            signed_in.size(width, height)
        signed_in.until("parseFloat(getComputedStyle(document.querySelector('[data-clock]')).fontSize) > 80")
        # The page measures its window when it hears of it.
        eventually(lambda: signed_in.overflow() <= 0, 2)


def test_ten_pages_are_as_wide_as_a_phone(signed_in, house):
    server, _ = house
    too_wide = {}
    for path in NARROW_PAGES:
        signed_in.open(server.url + path)
        # A select is as wide as its place, whatever is chosen in it.
        signed_in.run(f"""document.querySelectorAll("select").forEach(select => {{
            select.add(new Option({LONG * 2!r})); select.selectedIndex = select.length - 1; }})""")
        if (overflow := signed_in.overflow()) > 0:
            too_wide[path] = overflow
    assert too_wide == {}


def test_back_after_log_out_shows_nothing_of_the_house(signed_in, house):
    """WebKit keeps pages although they say `no-store`; the kept page asks again when it is shown."""
    server, _ = house
    signed_in.open(server.url + "/devices")
    signed_in.open(server.url + "/more")
    signed_in.click("form[action='/logout'] button")
    signed_in.until("!document.querySelector('form[action=\"/logout\"]')")
    for _ in range(2):
        signed_in.back()
        signed_in.until("document.querySelector('[name=passcode]') && location.pathname === '/login'")


@pytest.mark.nightly
def test_a_turned_page_looks_like_one_that_was_opened_so(signed_in, house):
    if not signed_in.turns:
        pytest.skip("its window cannot be turned")
    server, _ = house
    for path in TURNED_PAGES:
        for begun, turned in [(UPRIGHT, ACROSS), (ACROSS, UPRIGHT)]:
            signed_in.size(*turned)
            signed_in.open(server.url + path)
            meant = signed_in.run(BOXES)
            signed_in.size(*begun)
            signed_in.ask("Refresh")
            signed_in.size(*turned)
            # The window's new size is known before its event comes.
            try:
                eventually(lambda: signed_in.run(BOXES) == meant, 2)
            except AssertionError:
                assert [one for one in zip(meant, signed_in.run(BOXES)) if len(set(one)) > 1] == [], path
            assert signed_in.overflow() <= 0, path


def test_a_display_at_twice_the_size_fits_in_webkit(house, tmp_path):
    """WebKit takes a font size in vw from the window before its zoom; 2.05 makes its 800 pixels 390."""
    if not shutil.which("WPEWebDriver"):
        pytest.skip("there is no WPEWebDriver")
    server, _ = house
    engine = WPE(scale=2.05)
    try:
        engine.log_in(server.url)
        for path in ["/kiosk", "/kiosk?limits=on", "/focus", *NARROW_PAGES]:
            engine.open(server.url + path)
            assert engine.overflow() <= 0, path
    finally:
        engine.close()
