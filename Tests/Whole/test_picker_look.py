"""The picker of apps on its four pages: search, whole categories, Undo, by keyboard alone and without script."""

import pytest

from household import Browser, eventually
from test_look import Visitor, chromium, house, reset  # noqa: F401 (fixtures)

# Each page, and the name of its selection over the API.
PICKERS = {"/allowed-apps": "allowed", "/anti-rot/apps": "restricted", "/verified/selection": "productive"}


def stored(owner, path):
    return owner.get(f"/api/v1/selections/{PICKERS[path]}").json()


def save(owner, path, *ticks):
    assert owner.post(path, list(ticks) or [("app", "")]).status_code == 303


def open_picker(page, house, path):
    page.goto(house.url + path)
    if path == "/anti-rot/apps":
        page.get_by_role("button", name="Choose Apps to Block").click()
    page.get_by_label("Search apps").wait_for()


@pytest.fixture
def page(chromium, house):  # noqa: F811
    visitor = Visitor(chromium, house, "phone")
    yield visitor.log_in().page
    assert visitor.noise == []
    visitor.close()


def names(page):
    return page.locator(".found-rows bdi").all_inner_texts()


def test_every_picker_at_every_size(chromium, house):  # noqa: F811
    owner = reset(house)
    for path in PICKERS:
        save(owner, path, ("app", "instagram"), ("app", "tiktok"))
    visitor = Visitor(chromium, house, ["phone", "bedside", "laptop"])
    visitor.log_in()
    for number, path in enumerate([*PICKERS, "/limits/new", "/relay"]):
        name = f"picker-{number}"
        visitor.look(f"{name}-open", f"{path}?open=social")
        visitor.look(f"{name}-found", f"{path}?find=insta")
        visitor.look(f"{name}-nothing", f"{path}?find=zzzz")
    visitor.close()


@pytest.mark.parametrize("path", [*PICKERS, "/limits/new"])
def test_a_search_shows_names_before_domains(page, house, path):  # noqa: F811
    save(reset(house), "/allowed-apps")
    open_picker(page, house, path)
    page.get_by_label("Search apps").fill("goo")
    page.locator(".found-rows").wait_for()
    found = names(page)
    named = [("goo" in name.lower()) for name in found]
    assert named[0] and named == sorted(named, reverse=True), found
    page.get_by_label("Search apps").fill("cdninstagram")
    eventually(lambda: names(page) == ["Instagram"])
    page.get_by_label("Search apps").fill("zzzz")
    page.get_by_text("No app of that name.").wait_for()
    page.get_by_role("link", name="Show all categories").click()
    page.locator("#shelf-social").wait_for()
    # What people come for stands first.
    first = page.locator(".shelf summary b").first.inner_text()
    expected = {"/allowed-apps": "Phone and Messages", "/verified/selection": "Learning"}
    assert first == expected.get(path, "Short video")


def test_a_whole_category_and_one_app_of_it(page, house):  # noqa: F811
    owner = reset(house)
    save(owner, "/allowed-apps")
    open_picker(page, house, "/allowed-apps")
    shelf = page.locator("#shelf-social")
    assert shelf.locator("[data-shelf-count]").inner_text() == "None"
    shelf.locator("summary").click()
    page.locator("#app-instagram").wait_for()
    shelf.get_by_label("Everything in Social").check()
    eventually(lambda: shelf.locator("[data-shelf-count]").inner_text() == "All allowed")
    assert page.locator("#app-instagram").is_checked()
    whole = stored(owner, "/allowed-apps")
    page.locator("#app-instagram").uncheck()
    eventually(lambda: not shelf.get_by_label("Everything in Social").is_checked())
    all_of_it = shelf.locator("[name=app]").count()
    assert shelf.locator("[data-shelf-count]").inner_text() == f"{all_of_it - 1} of {all_of_it}"
    assert len(stored(owner, "/allowed-apps")["apps"]) == all_of_it - 1
    # Undo restores exactly what was before: the category, not its apps one by one.
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone. It is as it was before.").wait_for()
    assert stored(owner, "/allowed-apps") == whole
    assert page.locator("#app-instagram").is_checked()
    assert shelf.locator("[data-shelf-count]").inner_text() == "All allowed"


@pytest.mark.parametrize("path", ["/allowed-apps", "/anti-rot/apps"])
def test_by_keyboard_alone(page, house, path):  # noqa: F811
    owner = reset(house)
    save(owner, path, ("app", "whatsapp"))
    before = stored(owner, path)
    open_picker(page, house, path)
    page.get_by_label("Search apps").focus()
    page.keyboard.type("tiktok")
    eventually(lambda: names(page)[:1] == ["TikTok"])
    # The last letter's answer may still be on its way.
    page.wait_for_timeout(600)
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "app-tiktok":
            break
    page.keyboard.press("Space")
    # The same words are spoken: they stand in a live region.
    page.locator("[role=status][data-saved]", has_text="Saved. TikTok added.").wait_for()
    assert "tiktok" in stored(owner, path)["apps"]
    page.keyboard.press("Control+z")
    page.get_by_text("Undone. It is as it was before.").wait_for()
    assert stored(owner, path) == before and not page.locator("#app-tiktok").is_checked()
    page.keyboard.press("Space")
    page.get_by_text("Saved. TikTok added.").wait_for()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.textContent") == "Undo":
            break
    page.keyboard.press("Enter")
    page.get_by_text("Undone. It is as it was before.").wait_for()
    assert stored(owner, path) == before


def test_ticks_are_a_draft_until_they_are_saved(chromium, house):  # noqa: F811
    """DD-022: the page says so, a search and a closed category lose nothing, and leaving asks first."""
    owner = reset(house)
    path = "/verified/selection"
    save(owner, path, ("app", "duolingo"), ("app", "kindle"))
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    page.goto(house.url + path)
    page.get_by_text("Ticks are a draft until you save them.").wait_for()
    page.get_by_label("Search apps").fill("duolingo")
    page.locator("#app-duolingo").uncheck()
    page.get_by_text("1 change is not saved yet.").wait_for()
    page.get_by_label("Search apps").fill("khan")
    page.locator("#app-khan-academy").check()
    page.get_by_label("Search apps").fill("tiktok")
    page.locator("#app-tiktok").check()
    page.get_by_label("Search apps").fill("khan")
    eventually(lambda: page.locator("#app-khan-academy").is_checked())
    page.get_by_text("3 changes are not saved yet.").wait_for()
    page.get_by_label("Search apps").fill("tiktok")
    page.locator("#app-tiktok").uncheck()
    page.get_by_text("2 changes are not saved yet.").wait_for()
    page.wait_for_timeout(600)
    assert set(stored(owner, path)["apps"]) == {"duolingo", "kindle"}, "nothing is saved by itself"
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_role("link", name="Setup").click()
    eventually(lambda: asked == ["beforeunload"])
    page.get_by_role("button", name="Save selection locally").click()
    page.get_by_text("Saved.").first.wait_for()
    assert set(stored(owner, path)["apps"]) == {"khan-academy", "kindle"}
    page.get_by_text("Ticks are a draft until you save them.").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone. It is as it was before.").wait_for()
    assert set(stored(owner, path)["apps"]) == {"duolingo", "kindle"}
    assert visitor.noise == []
    visitor.close()


def test_undo_goes_after_eight_seconds_and_is_offered_once(page, house):  # noqa: F811
    owner = reset(house)
    save(owner, "/allowed-apps")
    open_picker(page, house, "/allowed-apps?open=social")
    page.locator("#app-instagram").check()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    page.wait_for_timeout(6000)
    assert undo.is_visible()
    undo.wait_for(state="hidden", timeout=6000)
    page.reload()
    assert not undo.is_visible() and page.locator("#app-instagram").is_checked()


def test_a_refused_save_says_so_beside_its_row(chromium, house):  # noqa: F811
    owner = reset(house)
    save(owner, "/allowed-apps")
    # The console tells of the refusals too.
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    open_picker(page, house, "/allowed-apps?open=social")

    def spoil(route):
        request = route.request
        data = request.post_data.replace("app=instagram", "app=nosuchapp") if request.method == "POST" else None
        route.continue_(post_data=data)

    page.route("**/allowed-apps", spoil)
    page.locator("#app-instagram").click()
    row = page.locator("li.row", has=page.locator("#app-instagram"))
    row.get_by_role("alert").filter(has_text="nosuchapp").wait_for()
    assert not page.locator("#app-instagram").is_checked()
    assert stored(owner, "/allowed-apps")["apps"] == []
    page.unroute("**/allowed-apps")
    page.route("**/allowed-apps", lambda route: route.abort())
    page.locator("#app-facebook").click()
    page.get_by_text("The server cannot be reached.").wait_for()
    assert not page.locator("#app-facebook").is_checked()
    page.unroute("**/allowed-apps")
    page.locator("#app-instagram").check()
    page.get_by_text("Saved. Instagram added.").wait_for()
    assert page.get_by_role("alert").count() == 0
    visitor.close()


def test_what_loosens_waits_and_the_tick_is_back(chromium, server):  # noqa: F811
    owner = Browser(server).log_in().enroll()
    save(owner, "/anti-rot/apps", ("app", "tiktok"))
    owner.post("/anti-rot/windows", {"start": "12:00", "end": "13:00"}, page="/anti-rot/schedule")
    assert owner.post("/limits/settings", {"resetHour": "0", "unlocksPerDay": "", "looseningDelay": "8"},
                      page="/limits").status_code == 303
    visitor = Visitor(chromium, server, "phone")
    page = visitor.log_in().page
    open_picker(page, server, "/anti-rot/apps?open=short-video,social")
    page.locator("#app-instagram").check()
    page.get_by_text("2 apps").first.wait_for()
    eventually(lambda: page.locator("[data-saved]").inner_text() == "Saved")
    # It tightened at once, and the way back would wait: there is no Undo.
    assert not page.get_by_role("button", name="Undo").is_visible()
    page.locator("#app-tiktok").uncheck()
    page.get_by_text("1 app selected").wait_for()
    page.get_by_role("button", name="Choose Apps to Block").click()
    page.locator("#app-tiktok").wait_for()
    assert page.locator("#app-tiktok").is_checked()
    assert set(owner.get("/api/v1/selections/restricted").json()["apps"]) == {"tiktok", "instagram"}
    visitor.close()


@pytest.mark.parametrize("path", PICKERS)
def test_without_script(chromium, house, path):  # noqa: F811
    owner = reset(house)
    save(owner, path, ("app", "whatsapp"))
    before = stored(owner, path)
    visitor = Visitor(chromium, house, "phone", script=False)
    page = visitor.log_in().page
    page.goto(house.url + path)
    if path == "/anti-rot/apps":
        page.get_by_role("link", name="Choose Apps to Block").click()
    page.get_by_label("Search apps").fill("tiktok")
    page.get_by_role("button", name="Search").click()
    page.locator("#app-tiktok").check()
    page.get_by_role("button", name="Save", exact=path != "/verified/selection").first.click()
    assert page.get_by_text("Saved. TikTok added.").is_visible()
    # What the search did not show is still chosen.
    assert set(stored(owner, path)["apps"]) == {"tiktok", "whatsapp"}
    page.get_by_role("button", name="Undo").click()
    assert stored(owner, path) == before
    visitor.close()


def test_a_limit_is_found_without_script(chromium, house):  # noqa: F811
    reset(house)
    visitor = Visitor(chromium, house, "phone", script=False)
    page = visitor.log_in().page
    page.goto(house.url + "/limits/new")
    page.locator("#shelf-short-video summary").click()
    page.get_by_role("link", name="Show the apps in Short video").click()
    page.get_by_role("link", name="TikTok").first.click()
    assert page.get_by_label("Minutes a day").is_visible()
    visitor.close()


def test_a_page_holds_only_what_is_open(house):  # noqa: F811
    owner = reset(house)
    save(owner, "/allowed-apps", ("category", "phone"))
    for path in [*PICKERS, "/limits/new"]:
        page = owner.get(path)
        assert page.text.count("<li") < 120 and len(page.content) < 60_000, path
        assert page.text.count('name="app"') < 40 or path == "/anti-rot/apps", path
