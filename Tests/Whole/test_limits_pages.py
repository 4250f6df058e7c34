"""Limits in use: chosen, changed, removed and restored, at every size and without script."""

import json

import pytest

from household import Browser, Server
from test_look import SIZES, Visitor, chromium, house, reset, visitor  # noqa: F401 (fixtures)

SETTINGS = {"resetHour": "0", "unlocksPerDay": "", "looseningDelay": "0"}


def limits_of(owner):
    return owner.state()["limits"]


def clear(server):
    owner = reset(server)
    owner.post("/limits/settings", SETTINGS, page="/limits")
    for limit in limits_of(owner):
        owner.post(f"/limits/{limit['id']}/delete", page="/limits")
    return owner


def test_limits_in_every_state(visitor, house):
    owner = clear(house)
    visitor.log_in()
    visitor.look("limits-empty", "/limits")
    owner.post("/limits", {"app": "tiktok", "minutes": "30"})
    owner.post("/limits", {"category": "video", "minutes": "60", "weekly": "300", "sat": "120"})
    visitor.look("limits-two", "/limits")
    visitor.press(visitor.page.get_by_text("Change TikTok"))
    visitor.press(visitor.page.get_by_text("By weekday, and for the week").first)
    visitor.check_accessibility("limits-change")
    removed = owner.post(f"/limits/{limits_of(owner)[0]['id']}/delete", page="/limits")
    visitor.look("limits-removed", removed.headers["Location"])


def test_a_change_that_waits(chromium, tmp_path):
    """In its own house, because the setting that makes loosening wait cannot be undone at once."""
    server = Server(tmp_path / "data", None)
    try:
        owner = Browser(server).log_in().enroll()
        owner.post("/limits", {"category": "video", "minutes": "60"})
        owner.post("/limits/settings", {**SETTINGS, "looseningDelay": "24"}, page="/limits")
        owner.post("/limits", {"category": "video", "minutes": "90"})
        owner.post("/limits/settings", {**SETTINGS, "resetHour": "4", "looseningDelay": "8"}, page="/limits")
        for size in SIZES:
            visitor = Visitor(chromium, server, size)
            visitor.log_in().look("limits-waiting", "/limits")
            visitor.page.get_by_role("button", name="Cancel change").first.click()
            assert visitor.page.get_by_text("The change is cancelled.").is_visible()
            visitor.close()
        assert owner.get("/limits").text.count("Cancel change") == 0
    finally:
        server.stop()


@pytest.mark.parametrize("minutes", ["0", "-1", "1441", "1e9", "ten", "<script>"])
def test_what_is_no_limit_comes_back(house, minutes):
    owner = reset(house)
    reply = owner.post("/limits", {"app": "instagram", "minutes": minutes})
    assert reply.status_code == 422
    assert "A limit is 1 to 1440 whole minutes a day." in reply.text
    assert "<script>" not in reply.text


def test_a_limit_from_choice_to_undo_without_script(chromium, house):
    owner = reset(house)
    visitor = Visitor(chromium, house, "phone", script=False)
    page = visitor.log_in().page
    page.goto(house.url + "/limits")
    page.get_by_role("link", name="Add a limit").click()
    page.get_by_label("Search apps").fill("reddit")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Reddit").first.click()
    page.get_by_label("Minutes a day").fill("25")
    page.get_by_role("button", name="Add limit").click()
    assert page.get_by_text("of 25 min today").is_visible()
    page.get_by_role("button", name="Undo").click()
    assert "reddit" not in [limit["target"] for limit in limits_of(owner)]
    owner.post("/limits", {"app": "reddit", "minutes": "25"})
    page.reload()
    row = page.locator("[data-name=Reddit]")
    row.get_by_text("Change").click()
    row.get_by_label("Minutes a day").fill("20")
    row.get_by_role("button", name="Save").click()
    assert page.get_by_text("of 20 min today").is_visible()
    page.locator("[data-name=Reddit]").get_by_text("Change").click()
    page.get_by_role("button", name="Remove Reddit").click()
    assert "reddit" not in [limit["target"] for limit in limits_of(owner)]
    page.get_by_role("button", name="Undo").click()
    assert page.get_by_text("of 20 min today").is_visible()
    assert "reddit" in [limit["target"] for limit in limits_of(owner)]
    visitor.close()


def test_undo_goes_after_eight_seconds(chromium, house):
    owner = reset(house)
    owner.post("/limits", {"app": "netflix", "minutes": "25"})
    netflix = next(limit for limit in limits_of(owner) if limit["target"] == "netflix")
    path = owner.post(f"/limits/{netflix['id']}/delete", page="/limits").headers["Location"]
    visitor = Visitor(chromium, house, "phone", script=False, reduced_motion="reduce")
    visitor.log_in().page.goto(house.url + path)
    undo = visitor.page.get_by_role("button", name="Undo")
    assert undo.is_visible()
    undo.wait_for(state="hidden", timeout=10000)
    visitor.close()


def test_the_page_follows_another_browser(chromium, house):
    owner = reset(house)
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    page.goto(house.url + "/limits")
    owner.post("/limits", {"app": "twitch", "minutes": "35"})
    page.get_by_text("of 35 min today").wait_for(timeout=5000)
    assert visitor.noise == []
    visitor.close()


def test_the_bar_follows_what_is_used(chromium, house):
    """Injects the stream's events into the page, because real minutes would take minutes."""
    owner = reset(house)
    owner.post("/limits", {"app": "tiktok", "minutes": "30"})
    state = owner.state()
    for limit in state["limits"]:
        limit["usedMinutes"] = 12 if limit["target"] == "tiktok" else limit["usedMinutes"]
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    page.route("**/events*", lambda route: route.fulfill(
        content_type="text/event-stream", body=f"event: state\ndata: {json.dumps(state)}\n\n"))
    # If the stream falls silent, the page asks for the state.
    page.route("**/state*", lambda route: route.fulfill(json=state))
    page.goto(house.url + "/limits")
    row = page.locator("[data-name=TikTok]")
    row.get_by_text("12 of 30 min today").wait_for(timeout=5000)
    assert row.get_by_text("18 min left").is_visible()
    assert row.locator(".fill").first.get_attribute("width") == "40%"
    assert visitor.noise == []
    visitor.close()
