"""The seeds' rules for colours, sizes and motion, as a browser computes them from the served pages."""

import base64

import pytest
from playwright.sync_api import expect

from household import Browser, Server, eventually
from test_look import SIZES, Visitor, chromium, house, reset  # noqa: F401 (fixtures)

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


def pixels(page, locator):
    """The rows of an element's picture, each a list of (red, green, blue)."""
    size, data = page.evaluate("""async picture => {
        const image = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height);
        canvas.getContext("2d").drawImage(image, 0, 0);
        return [[image.width, image.height], Array.from(canvas.getContext("2d").getImageData(0, 0, image.width, image.height).data)];
    }""", base64.b64encode(locator.screenshot()).decode())
    return [[tuple(data[(row * size[0] + column) * 4:][:3]) for column in range(size[0])] for row in range(size[1])]


def contrast(one, other):
    """WCAG 2.2."""
    def light(colour):
        parts = [part / 255 for part in colour]
        red, green, blue = (part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4 for part in parts)
        return .2126 * red + .7152 * green + .0722 * blue
    lighter, darker = sorted((light(one), light(other)), reverse=True)
    return (lighter + .05) / (darker + .05)


@pytest.mark.parametrize("path, label", [
    ("/session", "Start Sleep Session"), ("/help", "Open calls, messages, maps and health for 15 minutes"),
    ("/verified/selection", "Save selection locally")])
def test_the_gradient_is_seen_and_its_label_can_be_read(chromium, house, path, label):  # noqa: F811
    """SI-179: from indigo to lavender, from side to side; under the label white keeps 4.5:1. axe skips gradients."""
    reset(house)
    visitor = Visitor(chromium, house, SIZES, reduced_motion="reduce").log_in()
    page = visitor.page
    page.goto(house.url + path)
    blank = page.context.new_page()
    for size in visitor.at_each_size():
        button = page.get_by_role("button", name=label)
        button.scroll_into_view_if_needed()
        box, text = button.bounding_box(), button.locator("span").bounding_box()
        # The label alone is made invisible; its ground stays.
        button.evaluate("button => { button.style.color = 'transparent'; }")
        rows = pixels(blank, button)
        row, scale = rows[len(rows) // 2], len(rows[0]) / box["width"]
        button.evaluate("button => { button.style.color = ''; }")
        assert contrast(row[2], (89, 77, 217)) < 1.05, f"it begins in indigo: {row[2]}"
        assert contrast(row[-3], (166, 140, 242)) < 1.1, f"it ends in lavender: {row[-3]}"
        steps = [contrast(one, other) for one, other in zip(row[2:-4:6], row[8:-4:6])]
        assert max(steps) < 1.25, "it has no edge"
        begin, end = (round((x - box["x"]) * scale) for x in (text["x"], text["x"] + text["width"]))
        worst = min(contrast(one, (255, 255, 255)) for one in row[begin:end])
        assert worst >= 4.5, (size, worst)
        seen = [one for one in row if contrast(one, (89, 77, 217)) > 1.3]
        assert len(seen) >= 24 * scale, f"{len(seen)} px of it are seen at {size}"
    visitor.close()


def test_warnings_are_the_seeds_red_and_can_be_read(chromium, house):  # noqa: F811
    """SI-177: dangerRed for errors, warnings and the BLOCKED badge, on a ground that lets it be read."""
    owner = reset(house)
    owner.post("/anti-rot/apps", {"app": "tiktok"})
    owner.post("/anti-rot/windows", {"start": "03:00", "end": "03:01"}, page="/anti-rot/schedule")
    visitor = Visitor(chromium, house, "phone").log_in()
    page = visitor.page
    blank = page.context.new_page()

    def judge(words):
        words.wait_for()
        assert words.evaluate("element => getComputedStyle(element).color") == "rgb(230, 77, 77)"
        drawn = [pixel for row in pixels(blank, words) for pixel in row]
        ground = max(set(drawn), key=drawn.count)
        bold = words.evaluate("e => parseInt(getComputedStyle(e).fontWeight) >= 700 && parseFloat(getComputedStyle(e).fontSize) >= 18.66")
        assert contrast(ground, (230, 77, 77)) >= (3 if bold else 4.5), ground

    page.goto(house.url + "/anti-rot")
    judge(page.locator(".badge.blocked"))
    page.goto(house.url + "/settings/reset")
    page.goto(house.url + "/goodbye")
    judge(page.locator(".warning").first)
    page.goto(house.url + "/limits/new/app/tiktok")
    page.get_by_label("Minutes a day").fill("30")
    page.get_by_label("Minutes a day").evaluate("field => { field.type = 'text'; field.value = '5000'; field.form.noValidate = true; }")
    page.locator("main form button[type=submit], main form button").last.click()
    judge(page.locator("p.error").first)
    visitor.close()


def test_the_ring_and_the_moon(page, house):  # noqa: F811
    """SI-164: 8 points, round, from the top, 1 s; SI-169, SI-170: the moon glows for 2 s and back, unless motion is
    reduced."""
    visit(page, house, "/")
    # From the weaker shadow to the stronger one: only the stronger one's opacity moves, and without steps.
    assert style(page, ".moon.glow", "filter") == "drop-shadow(rgba(255, 217, 102, 0.2) 0px 0px 10px)"
    assert style(page, ".moon.glow", "filter", "::after") == "drop-shadow(rgba(255, 217, 102, 0.6) 0px 0px 20px)"
    breath = """moon => moon.getAnimations({ subtree: true }).map(one => [
        one.effect.pseudoElement, one.effect.getTiming().duration, one.effect.getTiming().iterations,
        one.effect.getTiming().direction, one.effect.getKeyframes().map(frame => [frame.opacity, frame.filter || null])])"""
    assert page.locator(".moon.glow").first.evaluate(breath) == [
        ["::after", 2000, float("inf"), "alternate", [["0", None], ["1", None]]]]
    assert page.evaluate("matchMedia('(update: fast)').matches")
    assert style(page, ".moon.glow", "animation-timing-function", "::after") == "ease-in-out"
    # Six steps would be seven values.
    seen = eventually(lambda: page.evaluate("""async () => {
        const seen = new Set();
        for (let frame = 0; frame < 100; frame += 1) {
            await new Promise(requestAnimationFrame);
            seen.add(getComputedStyle(document.querySelector(".moon.glow"), "::after").opacity);
        }
        return Array.from(seen);
    }"""))
    assert len(seen) > 20, f"it moves with every frame: {seen}"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".moon.glow").first.evaluate("moon => moon.getAnimations({ subtree: true }).length") == 0
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
    assert [style(page, main, f"border-{edge}-width") for edge in ("top", "left")] == ["0px", "0px"], "no outline"
    assert style(page, ".dial-reading b", "font-variant-numeric") == "tabular-nums"
    page.locator(main).hover()
    page.mouse.down()
    expect(page.locator(main)).to_have_css("transform", "matrix(0.98, 0, 0, 0.98, 0, 0)")
    page.mouse.up()
    page.locator(".other-button").first.wait_for()
    assert style(page, ".other-button", "font-weight") == "500"
    assert "0.2" in style(page, ".other-button", "border-top-color")
    assert style(page, ".other-button", "background-color") == "rgba(0, 0, 0, 0)"


def test_focus_is_dark_from_the_evening(page, house):  # noqa: F811
    """UR-027: an open page becomes dark by itself, also where the system asks for light."""
    page.emulate_media(color_scheme="light")
    visit(page, house, "/focus")
    page.evaluate("""() => {
        document.documentElement.removeAttribute("data-dark");
        document.documentElement.dataset.darkFrom = new Date(Date.now() + 2000).toISOString();
    }""")
    look = "() => document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(look)
    assert style(page, "html", "background-color") == "rgb(255, 255, 255)"

    def is_dark():
        page.evaluate(look)
        return style(page, "html", "background-color") == "rgb(0, 0, 0)"

    eventually(is_dark, 10)
    assert style(page, "html", "color-scheme") == "dark"


@pytest.mark.parametrize("scheme, ground", [("light", "rgb(255, 255, 255)"), ("dark", "rgb(0, 0, 0)")])
def test_focus_follows_light_and_dark(page, house, scheme, ground):  # noqa: F811
    """MF-071, MF-073: monochrome in both, and the spaces and the radius of the tokens."""
    page.emulate_media(color_scheme=scheme)
    visit(page, house, "/focus")
    page.evaluate("document.documentElement.removeAttribute('data-dark')")
    assert style(page, "html", "background-color") == ground, "by day"
    assert style(page, "main.focus", "row-gap") == "32px"
    assert style(page, ".controls", "row-gap") == "20px"
    assert style(page, ".presets", "column-gap") == "12px"
    assert style(page, ".main-button", "border-top-left-radius") == "20px"
