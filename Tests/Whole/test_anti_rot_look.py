"""Anti-Rot in a browser: its pages in their states at the three sizes, its sheets, and every action without script."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from household import Browser, eventually
from test_look import PAGES, SIZES, Visitor, chromium, house, reset, visitor  # noqa: F401 (fixtures)

SCHEDULE = "/anti-rot/schedule"


def window_ids(owner):
    return re.findall(r"windows/([0-9A-F-]{36})/delete", owner.get(SCHEDULE).text)


def forget(server):
    """Signed in, with no chosen app and no windows; only a new person would be really new again."""
    owner = reset(server)
    for number, window in enumerate(ids := window_ids(owner)):
        confirm = {"confirm": "empty"} if number == len(ids) - 1 else {}
        assert owner.post(f"/anti-rot/windows/{window}/delete", confirm, page=SCHEDULE).status_code == 303
    return owner


def add(owner, label, start, end):
    reply = owner.post("/anti-rot/windows", {"label": label, "start": start, "end": end}, page=SCHEDULE)
    assert reply.status_code == 303, reply.text[:500]


def choose(owner, *apps):
    assert owner.post("/anti-rot/apps", [("app", app) for app in apps]).status_code == 303


def chosen(owner):
    [shown] = re.findall(r'name="shown" value="([^"]*)"', owner.get("/anti-rot/apps").text)
    return {part.removeprefix("app=") for part in shown.partition(" ")[2].split("&amp;")} - {""}


def around_now():
    """A window that is open now, on one day."""
    now = datetime.now(ZoneInfo("Europe/Berlin"))
    start, end = now - timedelta(minutes=5), now + timedelta(minutes=45)
    start = start if start.date() == now.date() else now.replace(hour=0, minute=0)
    end = end if end.date() == now.date() else now.replace(hour=23, minute=59)
    return start.strftime("%H:%M"), end.strftime("%H:%M")


def leave(visitor):
    """Leaves the page: an open page follows every change by itself, which would disturb the test's next page."""
    visitor.page.goto("about:blank")


def test_every_state_at_every_size(visitor, house):
    owner = forget(house)
    visitor.log_in()
    leave(visitor)
    choose(owner, "tiktok", "instagram", "youtube")
    for name, path in PAGES.items():
        if name.startswith("anti-rot") or name == "dashboard":
            visitor.look(f"{name}-all-day", path)
    leave(visitor)
    add(owner, "Film", "00:00", "00:01")
    add(owner, "", "23:58", "23:59")
    visitor.look("anti-rot-blocked", "/anti-rot")
    visitor.look("anti-rot-windows", SCHEDULE)
    visitor.press(visitor.page.get_by_text("As a list"))
    visitor.check_accessibility("anti-rot-list")
    visitor.press(visitor.page.get_by_role("button", name="Add Window").first)
    visitor.check_accessibility("anti-rot-sheet")
    gone = owner.post(f"/anti-rot/windows/{window_ids(owner)[0]}/delete", page=SCHEDULE)
    visitor.look("anti-rot-removed", gone.headers["location"])
    forget(house)
    add(owner, "Lunch", *around_now())
    visitor.look("anti-rot-allowed", "/anti-rot")
    leave(visitor)
    owner.post("/anti-rot/override", page="/anti-rot")
    visitor.look("anti-rot-eating", "/anti-rot")
    assert visitor.page.get_by_role("button", name="Override active").is_disabled()
    visitor.page.goto(house.url + "/anti-rot/apps")
    visitor.press(visitor.page.get_by_role("button", name="Choose Apps to Block"))
    visitor.page.get_by_label("Search apps").wait_for()
    visitor.check_accessibility("anti-rot-picker")


def test_what_is_refused_stands_in_its_sheet(visitor, house):
    forget(house)
    page = visitor.log_in().page
    page.goto(house.url + SCHEDULE)
    visitor.press(page.get_by_role("button", name="Add Window").first)
    page.get_by_label("Label").fill("Film")
    page.get_by_label("Start").fill("23:00")
    page.get_by_label("End").fill("23:00")
    visitor.press(page.locator("dialog .btn.primary"))
    page.get_by_text("A window cannot end when it starts.").wait_for()
    visitor.check_accessibility("anti-rot-same-times")
    assert page.get_by_label("Label").input_value() == "Film"
    page.get_by_label("End").fill("01:00")
    visitor.press(page.locator("dialog .btn.primary"))
    page.get_by_text("23:00–01:00").first.wait_for()
    assert page.locator(".window").count() == 1


def test_a_set_has_pages_of_its_own(visitor, house):
    owner = forget(house)
    choose(owner, "tiktok")
    add(owner, "Lunch", "12:00", "13:00")
    page = visitor.log_in().page
    visitor.look("anti-rot-sets-none", "/anti-rot/sets")
    page.get_by_label("Name").fill("Games")
    visitor.press(page.get_by_role("button", name="Add Set"))
    page.get_by_role("heading", name="Games").wait_for()
    path = page.url.removeprefix(house.url)
    leave(visitor)
    assert owner.post(f"{path}/apps", {"category": "games"}, page=f"{path}/apps").status_code == 303
    film = {"label": "Film", "start": "23:00", "end": "01:00", "days": "fri"}
    assert owner.post(f"{path}/windows", film, page=f"{path}/schedule").status_code == 303
    for name, address in [("", path), ("-apps", f"{path}/apps"), ("-schedule", f"{path}/schedule"),
                          ("-list", "/anti-rot/sets"), ("-home", "/anti-rot")]:
        visitor.look(f"anti-rot-set{name}", address)
    page.goto(house.url + path)
    visitor.press(page.get_by_role("button", name="Remove this set"))
    visitor.press(page.get_by_role("button", name="Undo"))
    page.get_by_text("Undone.").wait_for()
    assert page.get_by_role("link", name="Games").is_visible()
    leave(visitor)
    assert owner.post(f"{path}/delete", page=path).status_code == 303


def test_ticks_are_saved_and_counted_at_once(chromium, house):
    owner = forget(house)
    choose(owner)
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    page.goto(house.url + "/anti-rot/apps")
    page.get_by_role("button", name="Choose Apps to Block").click()
    page.get_by_label("Search apps").fill("tiktok")
    page.locator("#app-tiktok").check()
    page.get_by_text("Saved").wait_for()
    # Another page, open since before: it neither shows nor undoes the ticks of the first page, and after its own save
    # it goes on from there.
    other = Visitor(chromium, house, "phone")
    late = other.log_in().page
    late.goto(house.url + "/anti-rot/apps")
    page.get_by_label("Search apps").fill("instagram")
    page.locator("#app-instagram").check()
    eventually(lambda: chosen(owner) == {"tiktok", "instagram"})
    late.get_by_role("button", name="Choose Apps to Block").click()
    for app in ("youtube", "reddit"):
        late.get_by_label("Search apps").fill(app)
        late.locator(f"#app-{app}").check()
        late.wait_for_timeout(400)
    late.locator("#app-reddit").uncheck()
    eventually(lambda: chosen(owner) == {"tiktok", "instagram", "youtube"})
    other.close()
    owner.post("/anti-rot/apps", [("app", "tiktok")])
    page.get_by_role("button", name="Done").click()
    page.reload()
    assert page.locator("[data-selected]").inner_text() == "1 app selected"
    assert "1 app selected" in owner.get("/anti-rot/apps").text
    assert visitor.noise == []
    visitor.close()


def test_an_undo_is_offered_for_eight_seconds(chromium, house):
    owner = forget(house)
    add(owner, "Lunch", "12:00", "13:00")
    add(owner, "Dinner", "18:00", "19:00")
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    page.goto(house.url + SCHEDULE)
    page.get_by_role("button", name="Delete Lunch").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Delete Lunch").wait_for()
    page.get_by_role("button", name="Delete Dinner").click()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    undo.wait_for(state="hidden", timeout=12000)
    assert len(window_ids(owner)) == 1
    visitor.close()


def test_every_action_without_script(chromium, house):
    owner = forget(house)
    choose(owner)
    visitor = Visitor(chromium, house, "phone", script=False)
    page = visitor.log_in().page
    page.get_by_role("link", name="Apps", exact=True).click()
    page.get_by_role("link", name="Anti-Rot").click()
    tabs = page.get_by_role("navigation", name="Anti-Rot")
    tabs.get_by_role("link", name="Apps").click()
    page.get_by_role("link", name="Choose Apps to Block").click()
    page.locator("#shelf-social summary").click()
    page.get_by_role("link", name="Show the apps in Social").click()
    page.locator("#app-instagram").check()
    page.get_by_role("button", name="Save").click()
    assert page.get_by_text("Saved. Instagram added.").is_visible()
    page.get_by_role("link", name="Done").click()
    tabs.get_by_role("link", name="Schedule").click()
    page.get_by_role("link", name="Add Window").click()
    page.get_by_label("Label").fill("Tea")
    page.get_by_label("Start").fill("16:00")
    page.get_by_label("End").fill("16:00")
    page.get_by_role("button", name="Add Window").click()
    assert page.get_by_text("A window cannot end when it starts.").is_visible()
    page.get_by_label("End").fill("16:30")
    page.get_by_role("button", name="Add Window").click()
    page.get_by_role("link", name="Change Tea").click()
    assert page.get_by_label("End").input_value() == "16:30"
    page.get_by_label("End").fill("16:20")
    page.get_by_role("button", name="Save").click()
    assert page.get_by_text("16:00–16:20").is_visible()
    page.get_by_role("button", name="Undo").click()
    assert page.get_by_text("16:00–16:30").is_visible()
    page.get_by_role("button", name="Delete Tea").click()
    assert page.get_by_role("heading", name="Your apps will be blocked all day").is_visible()
    page.get_by_role("button", name="Delete Tea").click()
    page.get_by_role("button", name="Undo").click()
    assert len(window_ids(owner)) == 1
    visitor.close()


def test_an_open_page_follows_what_changes_elsewhere(chromium, server):
    owner = forget(server)
    choose(owner, "tiktok")
    for signed_in in (True, False):
        visitor = Visitor(chromium, server, "phone")
        page = visitor.log_in().page if signed_in else visitor.page
        page.goto(server.url + "/anti-rot")
        page.locator("[data-anti-rot]").wait_for()
        add(owner, "Right now", *around_now())
        page.get_by_text("Right now").wait_for(timeout=8000)
        forget(server)
        page.get_by_text("all day", exact=True).wait_for(timeout=8000)
        assert visitor.noise == []
        visitor.close()


def test_a_visitor_without_a_login(chromium, server):
    visitor = Visitor(chromium, server, SIZES)
    visitor.look("anti-rot-welcome", "/anti-rot")
    for _ in visitor.at_each_size():
        assert visitor.page.get_by_role("button", name="Get Started").is_visible()
    visitor.close()
    owner = Browser(server).log_in().enroll()
    choose(owner, "tiktok")
    add(owner, "Right now", *around_now())
    visitor = Visitor(chromium, server, "phone")
    visitor.look("anti-rot-own", "/anti-rot")
    visitor.page.get_by_role("button", name="I'm Eating").click()
    visitor.page.get_by_role("timer").wait_for()
    eventually(lambda: visitor.page.get_by_role("timer").inner_text() != "45:00")
    visitor.look("anti-rot-own-schedule", SCHEDULE)
    assert visitor.page.get_by_role("link", name="Log in to change").is_visible()
    visitor.close()
