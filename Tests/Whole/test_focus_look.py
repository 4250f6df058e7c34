"""The pages of the focus timer at the three sizes, by day and by night."""

import json

import pytest

from focus import HOSTILE, at_rest, send, sessions, timer_of, visit
from test_look import SHOTS, SIZES, Visitor, chromium, house, whole_chromium  # noqa: F401 (fixtures)

SCHEMES = ["light", "dark"]


@pytest.fixture
def owner(house):
    return at_rest(house)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_timer_in_every_state(whole_chromium, house, owner, scheme):
    visitor = visit(whole_chromium, house, SIZES, color_scheme=scheme)
    visitor.look(f"focus-{scheme}", "/focus")
    owner.post("/focus/shortcuts", {"dnd": "MonoFocus DND", "grayscale": HOSTILE}, page="/focus")
    owner.post("/focus/start", {"minutes": "45"}, page="/focus")
    visitor.look(f"focus-running-{scheme}", "/focus")
    owner.post("/focus/pause", page="/focus")
    visitor.look(f"focus-paused-{scheme}", "/focus")
    owner.post("/focus/length", {"minutes": "100"}, page="/focus")
    visitor.look(f"focus-own-length-{scheme}", "/focus")
    for size in visitor.at_each_size():
        visitor.page.screenshot(path=str(SHOTS / f"focus-whole-{scheme}-{size}.png"), full_page=True)
    visitor.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_end_on_its_page(chromium, house, owner, scheme):
    assert send(owner, '{"total": 1500, "remaining": 1, "running": false, "paused": false}').status_code == 303
    visitor = visit(chromium, house, SIZES, color_scheme=scheme)
    visitor.page.goto(house.url + "/focus")
    visitor.press(visitor.page.get_by_role("button", name="Start", exact=True))
    visitor.page.get_by_text("25m focused.").wait_for(timeout=5000)
    visitor.look(f"focus-ended-{scheme}", "/focus")
    visitor.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_history_link_and_widget(chromium, house, owner, scheme):
    visitor = visit(chromium, house, SIZES, color_scheme=scheme)
    visitor.look(f"focus-history-empty-{scheme}", "/focus/history")
    assert send(owner, json.dumps(sessions(62))).status_code == 303
    visitor.look(f"focus-history-{scheme}", "/focus/history")
    for size in visitor.at_each_size():
        visitor.page.screenshot(path=str(SHOTS / f"focus-history-whole-{scheme}-{size}.png"), full_page=True)
    visitor.press(visitor.page.get_by_text("As a table").first)
    visitor.check_accessibility("focus-history-table")
    visitor.press(visitor.page.get_by_role("button", name="Delete").first)
    visitor.page.get_by_role("button", name="Undo").wait_for()
    visitor.check_accessibility("focus-history-removed")
    visitor.look(f"focus-presets-{scheme}", "/widget/presets")
    visitor.close()
    still = visit(chromium, house, SIZES, script=False, color_scheme=scheme)
    still.page.goto(house.url + "/start?minutes=45")
    for size in still.at_each_size():
        still.page.screenshot(path=str(SHOTS / f"focus-start-{scheme}-{size}.png"))
    assert timer_of(owner)["running"] is False
    still.close()


@pytest.mark.parametrize("size", [(160, 160), (170, 76), (340, 80), (320, 320)])
def test_the_presets_fit_a_corner(chromium, house, size):
    page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(house.url + "/widget/presets")
    assert page.get_by_role("link").all_inner_texts() == ["25", "45", "90"]
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollHeight - document.documentElement.clientHeight") <= 0
    page.screenshot(path=str(SHOTS / f"focus-presets-{size[0]}x{size[1]}.png"))
    page.close()


def test_text_of_twice_the_size_fits_a_phone(chromium, house, owner):
    visitor = Visitor(chromium, house, "phone")
    visitor.page.add_init_script("document.addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')")
    visitor.log_in()
    owner.post("/focus/start", {"minutes": "1440"}, page="/focus")
    send(owner, json.dumps(sessions(9)))
    for name, path in {"focus": "/focus", "focus-history": "/focus/history", "focus-presets": "/widget/presets"}.items():
        visitor.look(f"{name}-large", path)
    visitor.close()


def test_the_shield_of_focus(chromium, house, owner):
    visitor = visit(chromium, house, SIZES)
    visitor.look("shield-focus", "/shield?name=tiktok.com&layer=focus")
    for _ in visitor.at_each_size():
        assert visitor.page.get_by_role("link", name="Open Focus").is_visible()
    visitor.look("home-focus", "/")
    visitor.close()
