"""The seeds' rules for colours, sizes and motion, as a browser computes them from the served pages."""

import pytest
from playwright.sync_api import expect

from household import Browser, Server, eventually
from test_look import Visitor, chromium, house, reset  # noqa: F401 (fixtures)

INDIGO, LAVENDER = "rgb(89, 77, 217)", "rgb(166, 140, 242)"


@pytest.fixture
def page(chromium, house):  # noqa: F811
    reset(house)
    visitor = Visitor(chromium, house, "phone", reduced_motion="no-preference").log_in()
    yield visitor.page
    visitor.close()


def style(page, selector, name, pseudo=None):
    """One computed value of the first matching element. An open page may redraw it just then: a removed element has
    none."""
    return eventually(lambda: page.locator(selector).first.evaluate(
        "(element, [name, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name)", [name, pseudo]))


def visit(page, house, path):  # noqa: F811
    page.goto(house.url + path)


def test_the_seeds_look(page, house):  # noqa: F811
    """SI-114, SI-115, SI-178: dark, one gradient over the whole window; SI-121, SI-180, SI-182: one look for cards."""
    visit(page, house, "/")
    assert style(page, "html", "color-scheme") == "dark"
    assert style(page, "body", "background-image", "::before") == (
        "linear-gradient(rgb(13, 13, 38), rgb(20, 20, 64), rgb(13, 13, 38))")
    assert [style(page, "body", edge, "::before") for edge in ("position", "top", "left")] == ["fixed", "0px", "0px"]
    assert "viewport-fit=cover" in page.locator("meta[name=viewport]").get_attribute("content")
    looks = page.locator(".cards .card").evaluate_all(
        "cards => cards.map(card => getComputedStyle(card).backgroundImage + getComputedStyle(card).borderRadius)")
    assert len(looks) >= 4 and set(looks) == {
        "linear-gradient(to right bottom, rgba(255, 255, 255, 0.08), rgba(255, 255, 255, 0.03))16px"}
    visit(page, house, "/settings")
    assert style(page, ".panel", "background-image") in looks[0]


def test_the_home_has_no_bar(page, house):  # noqa: F811
    """SI-122: the header of the page is its own."""
    visit(page, house, "/")
    assert page.locator("header.bar").count() == 0
    visit(page, house, "/session")
    assert page.locator("header.bar").count() == 1


def test_durations_are_three_columns(page, house):  # noqa: F811
    """SI-126, SI-127: three columns of radio buttons; the chosen one has the gradient, the others white at 0.08."""
    visit(page, house, "/session")
    assert len(style(page, ".durations .grid-3", "grid-template-columns").split()) == 3
    assert page.locator(".durations input[type=radio]").count() == 6
    chosen = ".durations input:checked + label"
    gradient = style(page, chosen, "background-image")
    assert gradient.startswith("linear-gradient(to right") and INDIGO in gradient and LAVENDER in gradient
    assert style(page, ".durations input:not(:checked) + label", "background-color") == "rgba(255, 255, 255, 0.08)"


def test_the_modes_are_marked(page, house):  # noqa: F811
    """SI-128: the chosen mode has an indigo border and a filled circle with a tick, the other has neither."""
    visit(page, house, "/session")
    chosen, other = ".modes input:checked + label", ".modes input:not(:checked) + label"
    assert style(page, chosen, "border-top-color") == INDIGO
    assert style(page, chosen, "background-color", "::after") == INDIGO
    assert "url(" in style(page, chosen, "background-image", "::after")
    assert style(page, other, "border-top-color") != INDIGO
    assert style(page, other, "background-image", "::after") == "none"
    assert style(page, other, "border-top-left-radius", "::after") == "50%"


def test_the_schedule_opens_and_closes(page, house):  # noqa: F811
    """SI-133, SI-135: times and mode show while the schedule is on; 0.3 s ease-in-out, and none with reduced motion."""
    visit(page, house, "/schedule")
    switch = page.locator("input[name=isEnabled]")
    switch.set_checked(False)
    segment = page.locator(".reveal input[name=strictness]").first
    segment.wait_for(state="hidden")
    switch.set_checked(True)
    segment.wait_for(state="visible")
    assert set(style(page, ".reveal", "transition-duration").split(", ")) <= {"0.3s", "0s"}
    assert "0.3s" in style(page, ".reveal", "transition-duration")
    assert "ease-in-out" in style(page, ".reveal", "transition-timing-function")
    page.emulate_media(reduced_motion="reduce")
    durations = [float(value.removesuffix("s")) for value in style(page, ".reveal", "transition-duration").split(", ")]
    assert max(durations) < 0.001


def test_buttons_have_the_seeds_grounds(page, house):  # noqa: F811
    """SI-155 to SI-158, SI-179: gradient and white; white at 0.1 and lavender; danger at 0.8 and white."""
    visit(page, house, "/session")
    gradient = style(page, ".btn.primary", "background-image")
    assert gradient.startswith("linear-gradient(to right") and gradient.index(INDIGO) < gradient.index(LAVENDER)
    assert style(page, ".btn.primary", "color") == "rgb(255, 255, 255)"
    assert page.locator(".btn.primary svg").count() == 1
    visit(page, house, "/settings")
    assert style(page, ".btn.danger", "background-color") == "rgba(230, 77, 77, 0.8)"
    assert style(page, ".btn.danger", "color") == "rgb(255, 255, 255)"
    Browser(house).log_in().start_session(30, "flexible").post("/session/cancel", page="/")
    visit(page, house, "/")
    assert style(page, ".btn.secondary", "background-color") == "rgba(255, 255, 255, 0.1)"
    # On a panel lavender is lightened, because 3.8:1 is too little contrast.
    assert style(page, ".btn.secondary", "color") in (LAVENDER, "rgb(195, 178, 247)")


def test_the_ring_and_the_moon(page, house):  # noqa: F811
    """SI-164: 8 points, round, from the top, 1 s; SI-169, SI-170: the moon glows for 2 s and back, unless motion is
    reduced."""
    visit(page, house, "/")
    assert page.locator(".moon.glow").first.evaluate(
        "moon => moon.getAnimations().map(one => [one.effect.getTiming().duration, one.effect.getTiming().iterations,"
        " one.effect.getTiming().direction, one.effect.getKeyframes().map(frame => frame.filter)])") == [
            [2000, float("inf"), "alternate", [
                f"drop-shadow(rgba(255, 217, 102, {light}) 0px 0px {size}px)" for light, size in [
                    ("0.2", "10"), ("0.23", "10.8"), ("0.3", "12.8"), ("0.4", "15.2"), ("0.5", "17.6"), ("0.57", "19.2"),
                    ("0.6", "20")]]]]
    # Steps along ease-in-out: drawn 3 times a second instead of 60 times.
    assert style(page, ".moon.glow", "animation-timing-function") in ("step-end", "steps(1)")
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".moon.glow").first.evaluate("moon => moon.getAnimations().length") == 0
    page.emulate_media(reduced_motion="no-preference")
    Browser(house).log_in().start_session(30, "flexible")
    progress = page.locator(".ring .progress").first
    progress.wait_for(state="attached")  # the open page follows by itself
    assert progress.get_attribute("stroke-linecap") == "round"
    assert progress.get_attribute("stroke").startswith("url(#")
    drawn = progress.evaluate(
        "circle => [circle.getCTM().b / Math.abs(circle.getCTM().b), circle.getBoundingClientRect().width]")
    assert drawn[0] == -1, "the ring starts at the top"
    thickness = progress.evaluate(
        "circle => parseFloat(getComputedStyle(circle).strokeWidth) * Math.hypot(circle.getCTM().a, circle.getCTM().b)")
    assert thickness == pytest.approx(8, abs=0.2)
    assert style(page, ".ring .progress", "transition") == "stroke-dashoffset 1s linear"


# A test cannot look at the page during a navigation, so the page reports itself.
AFTER_SUBMIT = """addEventListener("submit", () => setTimeout(() => {
    const button = document.querySelector("main form button:last-of-type");
    console.log(button.disabled + " " + getComputedStyle(button).opacity);
}, 50))"""


def test_the_gate_waits_for_its_press(chromium, tmp_path):  # noqa: F811
    """SI-079: a pressed button is disabled and dimmed until the answer comes."""
    server = Server(tmp_path / "data", None, unattended=False)
    visitor = Visitor(chromium, server, "phone")
    try:
        visitor.page.goto(server.url + "/setup")
        visitor.page.get_by_label("One-time code").fill("AAAA-AAAA")
        visitor.page.get_by_label("Choose a passcode").fill("some long words")
        visitor.page.evaluate(AFTER_SUBMIT)
        visitor.page.route("**/setup", lambda route: None)  # the answer never comes
        with visitor.page.expect_console_message() as told:
            visitor.page.locator("main form button").last.click(no_wait_after=True)
        disabled, opacity = told.value.text.split()
        assert disabled == "true" and float(opacity) < 0.7
    finally:
        visitor.close()
        server.stop()


def test_the_shield_of_windows(page, house):  # noqa: F811
    """AR-078 to AR-080: a dark panel that blurs what is behind, "Anti-Rot" in white, the line below at 0.7."""
    visit(page, house, "/shield?name=tiktok.com&layer=windows")
    assert style(page, ".windows h1", "color") == "rgb(255, 255, 255)"
    assert page.locator(".windows h1").inner_text() == "Anti-Rot"
    assert page.locator(".windows p").first.evaluate(
        "line => getComputedStyle(line).color") == "rgba(255, 255, 255, 0.7)"
    blurred = page.evaluate(
        "Array.from(document.querySelectorAll('.windows, .windows *')).some("
        "element => getComputedStyle(element).backdropFilter.includes('blur'))")
    assert blurred


def test_focus_buttons(page, house):  # noqa: F811
    """MF-063 to MF-066, MF-068: a capsule, a filled and a stroked button, 0.98 while pressed, digits of one width."""
    visit(page, house, "/focus")
    pill, main = ".presets .pill", ".main-button"
    assert style(page, pill, "font-weight") == "500"
    radius = page.locator(pill).first.evaluate(
        "pill => parseFloat(getComputedStyle(pill).borderTopLeftRadius) >= pill.clientHeight / 2")
    assert radius
    assert style(page, main, "font-weight") == "600" and style(page, main, "font-size") == "20px"
    assert "0.1" in style(page, main, "background-color")
    assert style(page, ".dial-reading b", "font-variant-numeric") == "tabular-nums"
    page.locator(main).hover()
    page.mouse.down()
    expect(page.locator(main)).to_have_css("transform", "matrix(0.98, 0, 0, 0.98, 0, 0)")
    page.mouse.up()
    page.locator(".other-button").first.wait_for()
    assert style(page, ".other-button", "font-weight") == "500"
    assert "0.2" in style(page, ".other-button", "border-top-color")
    assert style(page, ".other-button", "background-color") == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("scheme, ground", [("light", "rgb(255, 255, 255)"), ("dark", "rgb(0, 0, 0)")])
def test_focus_follows_light_and_dark(page, house, scheme, ground):  # noqa: F811
    """MF-071, MF-073: monochrome in both, and the spaces and the radius of the tokens."""
    page.emulate_media(color_scheme=scheme)
    visit(page, house, "/focus")
    assert style(page, "html", "background-color") == ground
    assert style(page, "main.focus", "row-gap") == "32px"
    assert style(page, ".controls", "row-gap") == "20px"
    assert style(page, ".presets", "column-gap") == "12px"
    assert style(page, ".main-button", "border-top-left-radius") == "20px"
