"""The shield's buttons from outside: an unlock that DNS follows at once, and all tricks of a stranger."""

import html
import http.client
import json
import re
import sqlite3
import time
import urllib.parse
import uuid
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest
import requests

from household import Browser, Server, Upstream, eventually, edit_documents
from test_look import SIZES, Visitor, chromium  # noqa: F401 (a fixture)

# Browsers allow some names over HTTPS only (instagram.com); these two are not among them.
ZONE = ZoneInfo("Europe/Berlin")
FORM = re.compile(r'<form method="post" action="/\.sleep-inducer/(\w+)">(.*?)</form>', re.S)
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def use_up(server, *apps, unlocks_per_day=None, person=1, kind="app", also=None):
    """Stores minutes of scrolling that reach a limit of a minute today, while the server does not run."""
    server.stop()
    today = datetime.now(ZONE).date().isoformat()
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    targets = [(kind, app) for app in apps] + [("app", app) for app in [also] if app]

    def limits(members):
        members["limits"] |= {
            "ProbationTokens": [], "PersistentBlockedTokens": [], "requests": [], "list": []}
        for name in ("unlocksPerDay", "unlocks"):
            members["limits"].pop(name, None)
        if members["id"] != person:
            return
        members["limits"]["list"] = [
            {"id": ("monitor_cat_" if kind == "category" else "monitor_") + str(uuid.uuid4()).upper(), "kind": kind,
             "target": target, "minutes": 1, "minutesByDay": {}}
            for kind, target in targets]
        members["limits"]["PersistentBlockedTokens"] = [
            {"target": {"kind": kind, "target": target}, "day": today, "use": {"day": 1, "week": 1}, "since": now}
            for kind, target in targets]
        if unlocks_per_day is not None:
            members["limits"]["unlocksPerDay"] = unlocks_per_day

    edit_documents(server.data / "sleep-inducer.sqlite", "person", limits)
    server.start()


def forms(page):
    """The fields that each button of a page sends."""
    return {name: dict(FIELD.findall(body)) for name, body in FORM.findall(page)}


def press(server, action, fields, host="tiktok.com", source="127.0.0.1", method="POST", headers=None, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=10, source_address=(source, 0))
    sent = urllib.parse.urlencode(fields) if body is None else body
    connection.request(
        method, f"/.sleep-inducer/{action}", body=sent,
        headers={"Host": host, "Content-Type": "application/x-www-form-urlencoded", **(headers or {})})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response, text


def kinds(server):
    database = sqlite3.connect(f"file:{server.data}/sleep-inducer.sqlite?mode=ro", uri=True)
    found = [row[0] for row in database.execute("SELECT kind FROM event ORDER BY id")]
    database.close()
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    upstream = Upstream()
    server = Server(tmp_path_factory.mktemp("shield") / "data", upstream)
    owner = Browser(server).log_in().enroll()
    # A child, and an adult who can be asked for more time.
    owner.post("/settings/people", {"name": "Ben", "role": "adult"}, page="/settings")
    owner.post("/settings/people/1", {"name": "Me", "role": "child"}, page="/settings")
    yield server
    server.stop()
    upstream.close()


@pytest.mark.nightly
def test_an_unlock_lasts_a_minute_and_dns_follows_before_the_answer(house):
    use_up(house, "tiktok", "9gag")
    assert house.addresses("www.tiktok.com") == ["127.0.0.1"]
    response, page = house.get_as("tiktok.com", "/video?id=1")
    assert response.status == 403 and "Stop Scrolling" in page and "1 of 1 minute today. Back at 00:00." in page
    buttons = forms(page)
    assert list(buttons) == ["done", "unlock", "ask"]

    pressed = time.monotonic()
    response, _ = press(house, "unlock", buttons["unlock"])
    assert response.status == 303 and response.headers["Location"] == "/video?id=1"
    assert response.headers["Set-Cookie"] is None and response.headers["Connection"] == "close"
    # TH-021: at once, and for this app alone; for a cached answer the phone gets a page that waits.
    reply = house.ask("www.tiktok.com")
    assert [str(record) for record in reply.answer[0]] == [Upstream.ADDRESS]
    assert reply.answer[0].ttl <= 60
    assert house.addresses("www.9gag.com") == ["127.0.0.1"]
    response, page = house.get_as("tiktok.com")
    assert response.status == 503 and response.headers["Retry-After"] == "10" and "Opening" in page
    assert 'http-equiv="refresh" content="5"' in page

    # A second press while it runs grants nothing more.
    assert press(house, "unlock", buttons["unlock"])[0].status == 303
    assert kinds(house).count("unlocked") == 1

    # TH-022, TH-031: blocked again after its own minute, with no page open, even if the server was killed in between.
    house.kill()
    house.start()
    assert house.addresses("www.tiktok.com") == [Upstream.ADDRESS]
    eventually(lambda: house.addresses("www.tiktok.com") == ["127.0.0.1"], 65)
    assert 55 <= time.monotonic() - pressed <= 64
    assert house.get_as("tiktok.com")[0].status == 403


def test_a_device_that_enrolled_itself_reads_and_presses_nothing_of_its_persons(tmp_path):
    """Anybody can press "This is my device": before a login on it, the device is blocked as its person is, and no
    more."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    try:
        owner = Browser(server).log_in()
        guest = requests.Session()
        enrolled = guest.post(server.url + "/devices/enroll", allow_redirects=False, timeout=20)
        assert enrolled.status_code == 303
        ben = owner.post("/settings/people", {"name": "Ben", "role": "adult"}, page="/settings")
        assert ben.status_code == 303
        use_up(server, "tiktok")
        eventually(lambda: server.addresses("www.tiktok.com") == ["127.0.0.1"])
        # The shield says that the limit is reached, without buttons; a forged press is refused.
        page = server.get_as("tiktok.com")[1]
        assert "Stop Scrolling" in page and set(forms(page)) <= {"done"}, forms(page)
        refused = press(server, "done", forms(page)["done"])[1]
        assert "This device enrolled itself" in refused
        assert not {"suggestionTaken", "unlocked", "timeAsked"} & set(kinds(server))
        for path in ["/anti-rot", "/anti-rot/schedule", "/anti-rot/apps", "/limits", "/focus", "/focus/history", "/kiosk",
                     "/widget", "/start?minutes=25", "/shield?name=tiktok.com"]:
            reply = guest.get(server.url + path, headers={"Accept": "text/html"}, allow_redirects=False, timeout=20)
            assert (reply.status_code, reply.headers["Location"][:12]) == (303, "/login?next="), path
        for path in ["/state", "/events"]:
            assert guest.get(server.url + path, timeout=20).status_code == 401, path
        for path, fields in [("/anti-rot/override", {}), ("/focus/start", {"minutes": "25"}), ("/my-rules/ask", {"what": "skip"})]:
            reply = guest.post(server.url + path, data=fields, allow_redirects=False, timeout=20)
            assert (reply.status_code, reply.headers["Location"]) == (303, "/login"), path
        rules = guest.get(server.url + "/my-rules", timeout=20).text
        assert "This device enrolled itself" in rules and "cannot ask" in rules and "tiktok" not in rules.lower()
        assert guest.get(server.url + "/help", timeout=20).status_code == 200
        # A login on the device says whose it is, also for later visits without a login.
        assert owner.post("/logout", page="/settings").status_code == 303
        owner.log_in()
        assert list(forms(server.get_as("tiktok.com")[1])) == ["done", "unlock"]
        assert guest.get(server.url + "/limits", timeout=20).status_code == 200
    finally:
        server.stop()
        upstream.close()


def test_a_categorys_shield_opens_the_category(house):
    """TH-016, TH-019: a minute of the whole category, with a token of the category; an app's own limit still holds."""
    use_up(house, "video", kind="category")
    page = house.get_as("vimeo.com")[1]
    assert "Unlock for 1 min" in page and "Video and television" in page and "not all of" not in page
    assert list(forms(page)) == ["done", "unlock", "ask"]
    assert press(house, "unlock", forms(page)["unlock"], host="vimeo.com")[0].status == 303
    assert house.addresses("vimeo.com") == [Upstream.ADDRESS]
    assert house.addresses("www.netflix.com") == [Upstream.ADDRESS]
    database = sqlite3.connect(f"file:{house.data}/sleep-inducer.sqlite?mode=ro", uri=True)
    [token] = json.loads(database.execute(
        "SELECT json_extract(json, '$.limits.ProbationTokens') FROM document WHERE kind = 'person' AND id = 1").fetchone()[0])
    database.close()
    assert token["target"] == {"kind": "category", "target": "video"}
    assert re.fullmatch(r"probation_cat_[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", token["id"]), token
    # The app's own limit comes first on its shield, and its unlock opens the app alone.
    use_up(house, "video", kind="category", also="vimeo")
    assert "Vimeo</bdi></b>: 1 of 1 minute" in house.get_as("vimeo.com")[1]
    press(house, "unlock", forms(house.get_as("vimeo.com")[1])["unlock"], host="vimeo.com")
    assert house.addresses("vimeo.com") == [Upstream.ADDRESS]
    assert house.addresses("www.netflix.com") == ["127.0.0.1"]
    use_up(house, "video", kind="category", also="vimeo")
    press(house, "unlock", forms(house.get_as("netflix.com")[1])["unlock"], host="netflix.com")
    assert house.addresses("www.netflix.com") == [Upstream.ADDRESS]
    assert house.addresses("vimeo.com") == ["127.0.0.1"], "its own limit is another one"


def test_an_adult_has_the_two_actions_and_no_third(house):
    """TH-015: only a child is offered to ask; the form of a page from before asks nobody either."""
    use_up(house, "tiktok")
    owner = Browser(house).log_in()
    asked = forms(house.get_as("tiktok.com")[1])["ask"]
    try:
        assert owner.post("/settings/people/1", {"name": "Me", "role": "adult"}, page="/settings").status_code == 303
        page = house.get_as("tiktok.com")[1]
        assert list(forms(page)) == ["done", "unlock"] and "more time" not in page
        before = kinds(house).count("timeAsked")
        press(house, "ask", asked)
        assert kinds(house).count("timeAsked") == before
    finally:
        owner.post("/settings/people/1", {"name": "Me", "role": "child"}, page="/settings")


def test_i_will_do_it_leaves_and_is_counted(house):
    """TH-017: a farewell, with the suggestion's timer one link away."""
    use_up(house, "tiktok")
    before = kinds(house).count("suggestionTaken")
    response, _ = press(house, "done", forms(house.get_as("tiktok.com")[1])["done"])
    farewell = response.headers["Location"]
    assert response.status == 303 and farewell.startswith("/.sleep-inducer/left?start=")
    response, page = house.get_as("tiktok.com", farewell)
    assert response.status == 200 and "Good. You can close this." in page and forms(page) == {}
    timer = html.unescape(re.search(r'<a href="([^"]+)">15-minute timer</a>', page).group(1))
    assert timer.startswith("/.sleep-inducer/doing?start=")
    response, page = house.get_as("tiktok.com", timer)
    assert response.status == 200 and "You have time until" in page and "Well done" not in page
    assert "Give it a minute first." not in page
    response, page = house.get_as("tiktok.com", timer.replace("/doing?", "/done?"))
    assert response.status == 200 and "Give it a minute first." in page and "Well done" not in page
    # Another device, a start of one's own, and no link at all.
    start = re.search(r"start=(\d+)", timer).group(1)
    for link in (timer, farewell):
        assert house.get_as("tiktok.com", link, source="127.0.0.9")[0].status == 403
        forged = link.replace(f"start={start}", f"start={int(start) - 900}")
        assert house.get_as("tiktok.com", forged)[0].status == 403
    for name in ("left", "doing", "done"):
        assert house.get_as("tiktok.com", f"/.sleep-inducer/{name}")[0].status == 403
    assert kinds(house).count("suggestionTaken") == before + 1
    assert house.addresses("www.tiktok.com") == ["127.0.0.1"]


@pytest.mark.parametrize("alone", [True, False], ids=["a tab of its own", "a tab with a past"])
def test_i_will_do_it_closes_the_tab_where_the_browser_lets_it(chromium, house, alone):
    """T-13: a link from a message opens a tab that may close; any other shows the dark page, and nothing before it."""
    use_up(house, "tiktok")
    visitor = Visitor(chromium, house, "phone")
    link = f"http://tiktok.com:{house.http_port}/video"
    visitor.page.goto(f"http://127.0.0.1:{house.http_port}/offline")
    visitor.page.evaluate("""link => {
        const way = document.createElement("a");
        Object.assign(way, { href: link, target: "_blank", rel: "noopener", textContent: "From a message" });
        document.body.append(way);
    }""", link)
    with visitor.page.context.expect_page() as opened:
        visitor.page.get_by_text("From a message").click()
    tab = opened.value
    if not alone:
        tab.goto(link + "?again")
    button = tab.get_by_role("button", name="I'll do it")
    if alone:
        with tab.expect_event("close"):
            button.click()
    else:
        button.click()
        tab.get_by_role("heading", name="Good. You can close this.").wait_for()
        assert tab.evaluate("getComputedStyle(document.body, '::before').backgroundColor") == "rgb(0, 0, 0)"
        tab.go_back()
        assert "left?" not in tab.url and "again" not in tab.url, "the farewell took the shield's place"
    assert kinds(house)[-1] == "suggestionTaken"
    visitor.close()


def test_a_question_is_asked_once_and_the_page_says_so(house):
    use_up(house, "tiktok")
    ask = forms(house.get_as("tiktok.com")[1])["ask"]
    assert [press(house, "ask", ask)[0].status for _ in range(2)] == [303, 303]
    page = house.get_as("tiktok.com")[1]
    assert re.search(r"Asked at \d\d:\d\d\. Waiting for an answer\.", page)
    assert "ask" not in forms(page)
    database = sqlite3.connect(f"file:{house.data}/sleep-inducer.sqlite?mode=ro", uri=True)
    assert database.execute(
        "SELECT json_extract(json, '$.limits.requests[0].answer'), json_array_length(json, '$.limits.requests') "
        "FROM document WHERE kind = 'person' AND id = 1").fetchone() == ("open", 1)
    database.close()


def test_a_cap_on_unlocks(house):
    use_up(house, "tiktok", "9gag", unlocks_per_day=1)
    page = house.get_as("tiktok.com")[1]
    assert "1 left today." in page
    other = forms(house.get_as("9gag.com")[1])["unlock"]
    assert press(house, "unlock", forms(page)["unlock"])[0].status == 303
    response, words = press(house, "unlock", other, host="9gag.com")
    assert response.status == 409 and "Back to the page" in words
    page = house.get_as("9gag.com")[1]
    assert "unlock is used up." in page and list(forms(page)) == ["done", "ask"]


def test_a_stricter_layer_takes_the_unlock_away(house):
    use_up(house, "tiktok")
    unlock = forms(house.get_as("tiktok.com")[1])["unlock"]
    owner = Browser(house).log_in().start_session(30)
    try:
        eventually(lambda: "Sleep Mode Active" in house.get_as("tiktok.com")[1])
        assert forms(house.get_as("tiktok.com")[1]) == {}
        # C-25: an outdated form leads to the current page.
        assert press(house, "unlock", unlock)[0].status == 303
        assert house.addresses("www.tiktok.com") == ["127.0.0.1"]
    finally:
        owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")


def test_what_strangers_try(house):
    use_up(house, "tiktok")
    unlock = forms(house.get_as("tiktok.com")[1])["unlock"]
    before = kinds(house)
    attempts = [
        ("unlock", unlock, {"source": "127.0.0.9"}), ("unlock", unlock, {"host": "www.tiktok.com"}),
        ("unlock", unlock, {"host": "9gag.com"}), ("ask", unlock, {}), ("done", unlock, {}),
        ("unlock", {**unlock, "app": "9gag"}, {}), ("unlock", {**unlock, "seal": "0" * 64}, {}),
        ("unlock", {**unlock, "expires": str(int(unlock["expires"]) + 1)}, {}),
        ("unlock", unlock, {"headers": {"Origin": "http://evil.example"}}),
        ("unlock", unlock, {"headers": {"Origin": "null"}}),
        ("unlock", unlock, {"headers": {"Sec-Fetch-Site": "cross-site"}}),
    ]
    for action, fields, options in attempts:
        response, page = press(house, action, fields, **options)
        assert response.status == 403, (action, fields, options)
        assert "Nothing was changed." in page and response.headers["Set-Cookie"] is None
    for body, status in [("", 400), ("seal=1", 400), ("a" * 8193, 413), ("%", 400), ("app=<b>&expires=1&seal=2", 403)]:
        response, page = press(house, "unlock", {}, body=body)
        assert response.status == status and "<b>" not in page
    assert press(house, "unlock", {}, method="GET")[0].status == 405
    assert press(house, "unlock", unlock, headers={"Content-Type": "text/plain"})[0].status == 415
    for path in ("//evil.example", "/\\evil.example", "http://evil.example", "/.sleep-inducer/unlock", "/a\r\nX: y"):
        assert press(house, "ask", {**forms(house.get_as("tiktok.com")[1]).get("ask", unlock), "path": path})[
            0].headers.get("Location", "/") == "/"
    assert house.addresses("www.tiktok.com") == ["127.0.0.1"]
    assert [kind for kind in kinds(house)[len(before):] if kind != "timeAsked"] == []
    # The server's own Hosts have no such addresses, and a foreign Host has no others.
    assert press(house, "unlock", unlock, host="127.0.0.1")[0].status in (303, 404)
    response, _ = house.get_as("tiktok.com", "/limits", method="POST")
    assert response.status == 403


def test_the_household_s_own_suggestions(house):
    use_up(house, "tiktok")
    file = house.data / "suggested_tasks.json"
    file.write_text('["Feed <i>the</i> hedgehog"]')
    eventually(lambda: "Feed &lt;i&gt;the&lt;/i&gt; hedgehog" in house.get_as("tiktok.com")[1])
    for broken in ("[", "", "[]", "x" * 70_000, '[{"title": 1}]'):
        file.write_text(broken)
        eventually(lambda: "hedgehog" not in house.get_as("tiktok.com")[1])
        response, page = house.get_as("tiktok.com")
        assert response.status == 403 and "Stop Scrolling" in page and 'class="suggestion"' in page
        file.write_text('["Feed the hedgehog"]')
        eventually(lambda: "hedgehog" in house.get_as("tiktok.com")[1])
    owner = Browser(house).log_in()
    assert "Feed the hedgehog" in owner.get("/suggestions").text
    assert owner.post("/suggestions/restore", page="/suggestions").status_code == 303
    assert "hedgehog" not in house.get_as("tiktok.com")[1]
    file.unlink(missing_ok=True)


@pytest.mark.parametrize("size", SIZES)
def test_every_look(chromium, house, size):
    use_up(house, "tiktok", "9gag", unlocks_per_day=3)
    visitor = Visitor(chromium, house, size)
    base = f"http://{{}}.com:{house.http_port}"
    visitor.look("shield-limits", base.format("tiktok") + "/video?id=1")
    visitor.page.get_by_text("Ask for more time").click()
    visitor.page.get_by_label("Why?").fill("Homework video")
    visitor.page.get_by_role("button", name="Ask for 15 more minutes").click()
    visitor.page.get_by_text("Waiting for an answer.").wait_for()
    visitor.look("shield-limits-asked", visitor.page.url)
    assert visitor.page.url.endswith("/video?id=1")
    visitor.page.goto(base.format("9gag"))
    visitor.page.get_by_role("button", name="I'll do it").click()
    visitor.page.get_by_text("Good. You can close this.").wait_for()
    visitor.look("shield-left", visitor.page.url)
    visitor.page.get_by_role("link", name="15-minute timer").click()
    visitor.page.get_by_text("You have time until").wait_for()
    visitor.look("shield-timer", visitor.page.url)
    visitor.page.goto(base.format("9gag"))
    visitor.page.get_by_role("button", name="Unlock for 1 min").click()
    visitor.page.get_by_role("heading", name="Opening…").wait_for()
    visitor.look("shield-opening", base.format("9gag"))
    visitor.log_in()
    for layer in ("sleep", "windows", "limits"):
        visitor.look(f"shield-{layer}-preview", f"/shield?name=tiktok.com&layer={layer}")
    visitor.look("suggestions", "/suggestions")
    visitor.close()


def real_site(route):
    """Does what DNS does for a real phone: the same name is another server now."""
    route.fulfill(status=200, body="<h1>The real site</h1>", content_type="text/html")


def opening(chromium, house, script=""):
    use_up(house, "9gag")
    visitor = Visitor(chromium, house, "phone")
    page = visitor.page
    page.add_init_script(script)
    page.goto(f"http://9gag.com:{house.http_port}/p/1")
    page.get_by_role("button", name="Unlock for 1 min").click()
    page.get_by_role("heading", name="Opening…").wait_for()
    return visitor


def test_the_opening_page_opens_when_the_name_leads_elsewhere(chromium, house):
    visitor = opening(chromium, house)
    visitor.page.wait_for_timeout(2500)
    visitor.page.route("**/*", real_site)
    visitor.page.get_by_role("heading", name="The real site").wait_for(timeout=15_000)
    assert visitor.page.url.endswith("/p/1")
    visitor.close()


def test_it_opens_on_a_display_that_wrongly_calls_itself_offline(chromium, house):
    visitor = opening(
        chromium, house, "Object.defineProperty(Navigator.prototype, 'onLine', { get: function () { return false; } });")
    visitor.page.wait_for_timeout(2500)
    visitor.page.route("**/*", real_site)
    visitor.page.get_by_role("heading", name="The real site").wait_for(timeout=15_000)
    visitor.close()


def test_it_stays_while_a_phone_is_offline(chromium, house):
    visitor = opening(chromium, house)
    with visitor.page.expect_response("**/.sleep-inducer/here"):
        pass
    visitor.page.context.set_offline(True)
    visitor.page.wait_for_timeout(7000)
    assert visitor.page.get_by_role("heading", name="Opening…").is_visible(), "not the browser's own error"
    visitor.page.context.set_offline(False)
    visitor.page.route("**/*", real_site)
    visitor.page.get_by_role("heading", name="The real site").wait_for(timeout=15_000)
    visitor.close()


def test_without_script(chromium, house):
    use_up(house, "tiktok")
    visitor = Visitor(chromium, house, "phone", script=False)
    page = visitor.page
    page.goto(f"http://tiktok.com:{house.http_port}/")
    page.get_by_role("button", name="I'll do it").click()
    assert page.get_by_text("Good. You can close this.").is_visible()
    page.get_by_role("link", name="15-minute timer").click()
    assert page.get_by_text("You have time until").is_visible()
    timer = page.url
    page.reload()
    assert page.url == timer and page.get_by_text("You have time until").is_visible()
    page.get_by_role("link", name="I did it").click()
    assert page.get_by_text("Give it a minute first.").is_visible()
    page.get_by_role("link", name="Stop").click()
    assert page.get_by_role("heading", name="Stop Scrolling").is_visible()
    page.goto(f"http://tiktok.com:{house.http_port}/")
    page.get_by_role("button", name="Unlock for 1 min").click()
    assert page.get_by_role("heading", name="Opening…").is_visible()
    visitor.close()
