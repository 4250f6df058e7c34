"""The focus timer in use: by deep links, on two screens at once, with script and without."""

import re

import pytest
import requests

from focus import HOSTILE, at_rest, send, timer_of, visit
from test_look import chromium, house, whole_chromium  # noqa: F401 (fixtures)

IN_MEMORY = '{"total": 1500, "remaining": 4, "running": false, "paused": false}'


@pytest.fixture(autouse=True)
def owner(house):
    return at_rest(house)


# Deep links


def starts_of(visitor):
    """Collects every start that the page sends from now on."""
    posts = []
    visitor.page.on("request", lambda request: posts.append(request.url)
                    if request.method == "POST" and request.url.endswith("/focus/start") else None)
    return posts


def test_a_deep_link_starts_once_and_only_by_its_own_page(chromium, house, owner):
    """MF-062, T-11: neither reading the address, nor a reload, nor going back starts a timer."""
    for _ in range(3):
        assert owner.get("/start?minutes=45").status_code == 200
    assert timer_of(owner)["running"] is False
    visitor = visit(chromium, house)
    posts = starts_of(visitor)
    visitor.page.goto(house.url + "/start?minutes=45")
    visitor.page.wait_for_url("**/focus")
    assert len(posts) == 1
    assert timer_of(owner)["running"] and timer_of(owner)["total"] == 2700
    visitor.page.reload()
    owner.post("/focus/stop", {"save": "false"}, page="/focus")
    visitor.page.go_back()
    visitor.page.wait_for_timeout(700)
    assert timer_of(owner)["running"] is False and len(posts) == 1
    assert visitor.noise == []
    visitor.close()


def test_a_reload_of_the_link_itself_starts_nothing(chromium, house, owner):
    visitor = visit(chromium, house)
    page = visitor.page
    page.add_init_script("HTMLFormElement.prototype.submit = function () {};")
    page.goto(house.url + "/start?minutes=90")
    page.reload()
    assert page.get_by_text("This link was opened here before").is_visible()
    assert timer_of(owner)["running"] is False
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/focus")
    assert timer_of(owner)["total"] == 5400 and timer_of(owner)["running"]
    visitor.close()


def test_a_prefetch_starts_nothing(chromium, house, owner):
    visitor = visit(chromium, house)
    page = visitor.page
    page.goto(house.url + "/focus/history")
    page.evaluate("""() => {
        const link = document.createElement('link');
        link.rel = 'prefetch';
        link.href = '/start?minutes=90';
        document.head.append(link);
        return fetch('/start?minutes=90', { headers: { Purpose: 'prefetch' } }).then((reply) => reply.text());
    }""")
    page.wait_for_timeout(700)
    assert timer_of(owner)["running"] is False
    visitor.close()


def test_a_link_while_it_runs_leaves_it_alone(chromium, house, owner):
    owner.post("/focus/start", {"minutes": "90"}, page="/focus")
    visitor = visit(chromium, house)
    for path in ("/start?minutes=25", "/start?link=web%2Bmonofocus%3A%2F%2Fstart%3Fminutes%3D45"):
        visitor.page.goto(house.url + path)
        visitor.page.wait_for_url("**/focus")
        assert timer_of(owner)["total"] == 5400
    visitor.close()


def test_the_widget_starts_a_timer_without_script(chromium, house, owner):
    visitor = visit(chromium, house, script=False)
    visitor.page.goto(house.url + "/widget/presets")
    visitor.page.get_by_role("link", name="90").click()
    assert timer_of(owner)["running"] is False
    visitor.page.get_by_role("button", name="Start").click()
    assert timer_of(owner)["running"] and timer_of(owner)["total"] == 5400
    visitor.close()


def test_links_of_the_own_scheme_can_be_registered(chromium, house):
    visitor = visit(chromium, house)
    visitor.page.add_init_script("""
        window.registered = [];
        navigator.registerProtocolHandler = function (scheme, url) { window.registered.push([scheme, url]); };
    """)
    visitor.page.goto(house.url + "/focus")
    visitor.page.get_by_text("Start from elsewhere").click()
    visitor.page.get_by_role("button", name="Open web+monofocus links here").click()
    assert visitor.page.evaluate("window.registered") == [["web+monofocus", house.url + "/start?link=%s"]]
    visitor.close()


# Live


def test_two_pages_stay_in_step_within_a_second(chromium, house, owner):
    left, right = visit(chromium, house), visit(chromium, house, "laptop")
    for visitor in (left, right):
        visitor.page.goto(house.url + "/focus")
        visitor.page.wait_for_timeout(300)
    for press, follows in (("Start", "Pause"), ("Pause", "Resume"), ("Resume", "Pause"), ("Stop", "Start")):
        left.page.get_by_role("button", name=press, exact=True).click()
        right.page.get_by_role("button", name=follows, exact=True).wait_for(timeout=1000)
        left.page.get_by_role("button", name=follows, exact=True).wait_for(timeout=1000)
    right.page.get_by_role("button", name="45m").click()
    left.page.get_by_text("45:00").wait_for(timeout=1000)
    right.page.get_by_role("button", name="Start", exact=True).click()
    left.page.get_by_role("button", name="Pause").wait_for(timeout=1000)
    for _ in range(4):
        left.page.wait_for_timeout(700)
        seen = [visitor.page.locator("[data-digits]").inner_text() for visitor in (left, right)]
        seconds = [int(text[:2]) * 60 + int(text[3:]) for text in seen]
        assert abs(seconds[0] - seconds[1]) <= 1
    # Rounded up, the first second still reads 45:00.
    assert seconds[0] < 2700
    assert re.match(r"44:\d\d · Focus", left.page.title())
    assert left.noise == [] and right.noise == []
    left.close(), right.close()


def watch_the_end(page):
    """Records what the page does at the end, because a browser without a screen shows nothing."""
    page.add_init_script("""
        window.told = [];
        window.Notification = class extends EventTarget {
            static permission = 'granted';
            static requestPermission() { return Promise.resolve('granted'); }
            constructor(title, options) { super(); window.told.push(['notification', title, options.tag, options.body]); }
            close() { window.told.push(['closed']); }
        };
        navigator.vibrate = function (pattern) { window.told.push(['vibration', [].concat(pattern).length]); return true; };
    """)


def test_the_end_is_told_once_on_every_open_page(chromium, house, owner):
    """MF-037, MF-041, MF-046: with an imported timer, so that the test does not wait for 25 minutes."""
    assert send(owner, IN_MEMORY, "timer-state.json").status_code == 303
    visitor, other = visit(chromium, house), visit(chromium, house, "laptop")
    for page in (visitor.page, other.page):
        watch_the_end(page)
        page.goto(house.url + "/focus")
        assert page.evaluate("window.isSecureContext")
    visitor.page.get_by_role("button", name="Start", exact=True).click()
    for page in (visitor.page, other.page):
        page.get_by_text("25m focused.").wait_for(timeout=8000)
        page.wait_for_timeout(300)
        notes = [entry for entry in page.evaluate("window.told") if entry[0] == "notification"]
        assert [note[1:3] for note in notes] == [["Focus over", "end-of-session"]]
        assert "Ended at" in notes[0][3]
        assert page.title().startswith("Focus over")
        assert page.get_by_role("button", name="Start", exact=True).is_visible()
    vibrations = [entry[1] for entry in visitor.page.evaluate("window.told") if entry[0] == "vibration"]
    assert vibrations == [1, 5]
    visitor.page.reload()
    assert visitor.page.get_by_text("25m focused.").is_visible()
    assert visitor.page.evaluate("window.told") == []
    assert visitor.noise == [] and other.noise == []
    assert owner.get("/sessions.json").json()[-1]["completed"] is True
    visitor.close(), other.close()


def test_a_notification_comes_where_the_browser_allows_it(whole_chromium, house, owner):
    """A real notification: 127.0.0.1 is a secure context."""
    assert send(owner, IN_MEMORY.replace("4", "2"), "timer-state.json").status_code == 303
    visitor = visit(whole_chromium, house)
    visitor.context.grant_permissions(["notifications"], origin=house.url)
    visitor.page.add_init_script("""
        window.notes = [];
        window.Notification = new Proxy(window.Notification, {
            construct(Real, words) { const note = new Real(...words); window.notes.push(note.tag); return note; }
        });
        delete Navigator.prototype.serviceWorker;  // With one it is told from there: test_offline.py.
    """)
    visitor.page.goto(house.url + "/focus")
    assert visitor.page.evaluate("Notification.permission") == "granted"
    visitor.page.get_by_role("button", name="Start", exact=True).click()
    visitor.page.get_by_text("25m focused.").wait_for(timeout=8000)
    assert visitor.page.evaluate("window.notes") == ["end-of-session"]
    visitor.close()


def count_questions(page):
    """A browser without a decision about notifications; `window.name` survives a reload."""
    page.add_init_script("""
        window.Notification = class {
            static permission = 'default';
            static requestPermission() {
                window.name = String(Number(window.name || 0) + 1);
                if (window.answer) { Notification.permission = window.answer; }
                return Promise.resolve(Notification.permission);
            }
        };
    """)


def test_the_first_start_asks_for_notifications_once(chromium, house):
    """MF-039: at a press, as browsers require, and never again, even if the question was dismissed."""
    visitor = visit(chromium, house)
    page = visitor.page
    count_questions(page)
    page.goto(house.url + "/focus")
    assert page.evaluate("window.name") == ""
    for _ in range(2):
        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_role("button", name="Pause").wait_for()
        assert page.evaluate("window.name") == "1"
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_role("button", name="Start", exact=True).wait_for()
        page.reload()
    # Later only its button asks for it.
    page.evaluate("window.answer = 'granted'")
    page.get_by_role("button", name="Notify me").click()
    page.get_by_text("Comes while a page of the timer is open.").wait_for()
    assert page.evaluate("window.name") == "2"
    visitor.close()


def test_nobody_is_asked_who_decided_already(chromium, house):
    visitor = visit(chromium, house)
    page = visitor.page
    count_questions(page)
    page.add_init_script("Notification.permission = 'denied'")
    page.goto(house.url + "/focus")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Pause").wait_for()
    assert page.evaluate("window.name") == ""
    visitor.close()


HINTLESS = """() => Array.from(document.querySelectorAll(
    'main :is(a, button, input, select, summary, textarea)')).filter((control) => {
        const ids = (control.getAttribute('aria-describedby') || '').split(' ').filter(Boolean);
        const hint = ids.length
            ? ids.map((id) => document.getElementById(id)?.textContent || '').join(' ').trim() : control.title.trim();
        const name = (control.getAttribute('aria-label') || control.labels?.[0]?.textContent
            || control.textContent).trim();
        return control.type !== 'hidden' && (!hint || !name || hint === name);
    }).map((control) => control.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("state", ["idle", "running", "paused", "question"])
def test_every_control_of_the_timer_has_a_name_and_a_hint(chromium, house, owner, state):
    """MF-070."""
    owner.post("/focus/shortcuts", {"dnd": "MonoFocus DND", "grayscale": ""}, page="/focus")
    if state != "idle":
        owner.post("/focus/start", page="/focus")
    if state in ("paused", "question"):
        owner.post("/focus/pause", page="/focus")
    visitor = visit(chromium, house)
    page = visitor.page
    page.goto(house.url + "/focus")
    if state == "question":
        page.get_by_role("button", name="45m").click()
        page.get_by_role("button", name="Discard").wait_for()
    page.get_by_text("Soft sound").wait_for()
    assert page.evaluate(HINTLESS) == []
    if state == "idle":
        for path in ("/widget/presets", "/focus/history"):
            page.goto(house.url + path)
            assert page.evaluate(HINTLESS) == [], path
    visitor.close()


def test_the_page_of_a_link_has_hints_too(chromium, house):
    visitor = visit(chromium, house)
    visitor.page.add_init_script("HTMLFormElement.prototype.submit = function () {};")
    visitor.page.goto(house.url + "/start?minutes=25")
    assert visitor.page.evaluate(HINTLESS) == []
    visitor.close()


# Focused time is never dropped (MF-086)

TWENTY_OF_45 = '{"total": 2700, "remaining": 1500, "running": false, "paused": false}'


def kept(owner):
    """To half a minute: a timer runs for as long as two requests take."""
    sessions = owner.get("/sessions.json").json()
    return [(entry["durationSeconds"] // 30 * 30, entry["presetLabel"]) for entry in sessions]


def pause_at_twenty(owner):
    """A session of 45 minutes with 25 left, imported, started and paused. It runs between the two answers."""
    assert send(owner, TWENTY_OF_45, "timer-state.json").status_code == 303
    owner.post("/focus/start", page="/focus")
    owner.post("/focus/pause", page="/focus")


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("answer, history", [("Save", 1), ("Discard", 0)])
def test_another_length_in_a_pause_asks_what_becomes_of_the_session(chromium, house, owner, script, answer, history):
    pause_at_twenty(owner)
    visitor = visit(chromium, house, script=script)
    page = visitor.page
    page.goto(house.url + "/focus")
    page.get_by_role("button", name="25m").click()
    page.get_by_text("Keep the 20m that you did?").wait_for()
    assert kept(owner) == [] and timer_of(owner)["paused"]
    page.get_by_role("link", name="Go back").click()
    page.get_by_role("button", name="Resume").wait_for()
    assert kept(owner) == [] and timer_of(owner)["total"] == 2700
    page.get_by_role("button", name="25m").click()
    page.locator(".question").get_by_role("button", name=answer).click()
    page.get_by_role("button", name="Start", exact=True).wait_for()
    assert kept(owner)[-1:] == [(1200, "45m")][:history]
    assert timer_of(owner)["total"] == 1500 and not timer_of(owner)["paused"]
    # Stop has nothing left to drop.
    owner.post("/focus/stop", {"save": "true"}, page="/focus")
    assert len(kept(owner)) == history
    assert visitor.noise == []
    visitor.close()


def test_a_link_in_a_pause_saves_what_was_done(chromium, house, owner):
    pause_at_twenty(owner)
    visitor = visit(chromium, house)
    visitor.page.goto(house.url + "/start?minutes=25")
    visitor.page.wait_for_url("**/focus")
    assert kept(owner) == [(1200, "45m")]
    assert timer_of(owner)["running"] and timer_of(owner)["total"] == 1500
    visitor.close()


def test_the_soft_sound_is_off_until_it_is_switched_on(chromium, house):
    visitor = visit(chromium, house)
    visitor.page.add_init_script("""
        window.contexts = 0;
        const Real = window.AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.contexts += 1; } };
    """)
    visitor.page.goto(house.url + "/focus")
    visitor.page.get_by_role("button", name="Start", exact=True).click()
    visitor.page.get_by_role("button", name="Pause").wait_for()
    assert visitor.page.evaluate("window.contexts") == 0
    visitor.page.get_by_label("Soft sound").check()
    assert visitor.page.evaluate("window.contexts") == 1
    visitor.page.reload()
    assert visitor.page.get_by_label("Soft sound").is_checked()
    assert visitor.noise == []
    visitor.close()


def test_a_page_that_is_not_secure_says_what_it_cannot(chromium, house):
    visitor = visit(chromium, house)
    visitor.page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    visitor.page.goto(house.url + "/focus")
    assert visitor.page.get_by_text("Browsers allow it over HTTPS only.").is_visible()
    assert not visitor.page.get_by_role("button", name="Notify me").is_visible()
    assert visitor.page.locator("[data-protocol]").is_hidden()
    visitor.close()


def test_the_keyboard_stays_where_it_was(chromium, house):
    visitor = visit(chromium, house)
    page = visitor.page
    page.goto(house.url + "/focus")
    for label in ("Start", "Pause", "Resume"):
        button = page.get_by_role("button", name=label, exact=True)
        button.wait_for()
        button.focus()
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Pause"
    visitor.close()


# Without script, and hostile input


def test_the_timer_without_script(chromium, house, owner):
    visitor = visit(chromium, house, script=False)
    page = visitor.page
    page.goto(house.url + "/focus")
    page.get_by_role("button", name="90m").click()
    assert page.get_by_text("1:30:00").is_visible()
    page.get_by_text("Other", exact=True).click()
    page.get_by_label("Minutes").fill("12")
    page.get_by_role("button", name="Set").click()
    assert page.get_by_text("12:00").is_visible()
    page.get_by_label("Minutes").fill("0")
    page.get_by_role("button", name="Set").click()
    assert page.get_by_text("The timer runs 1 to 1440 whole minutes.").is_visible()
    page.goto(house.url + "/focus")
    for press, follows in (("Start", "Pause"), ("Pause", "Resume"), ("Resume", "Stop"), ("Stop", "Start")):
        page.get_by_role("button", name=press, exact=True).click()
        assert page.get_by_role("button", name=follows, exact=True).is_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Stop and discard").click()
    assert len(owner.get("/sessions.json").json()) == 1
    visitor.close()


def test_everything_around_it_without_script(chromium, house, owner, tmp_path):
    owner.post("/focus/start", {"minutes": "25"}, page="/focus")
    owner.post("/focus/stop", {"save": "true"}, page="/focus")
    visitor = visit(chromium, house, script=False)
    page = visitor.page
    page.goto(house.url + "/focus")
    page.get_by_label("Shield distractions while focusing").check()
    page.get_by_role("button", name="Save", exact=True).click()
    assert page.get_by_label("Shield distractions while focusing").is_checked()
    page.get_by_label("Do Not Disturb").fill("MonoFocus DND")
    page.get_by_role("button", name="Save Shortcut Names").click()
    run = page.get_by_role("link", name="Run Do Not Disturb")
    assert run.get_attribute("href") == "shortcuts://run-shortcut?name=MonoFocus%20DND"
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name=re.compile("Delete .*")).first.click()
    page.get_by_role("button", name="Undo").click()
    assert page.get_by_text("Stopped early").is_visible()
    file = tmp_path / "sessions.json"
    file.write_text("[]")
    page.get_by_label("Import sessions.json or timer-state.json").set_input_files(file)
    page.get_by_role("button", name="Import", exact=True).click()
    assert page.get_by_text("0 sessions were added.").is_visible()
    visitor.close()


def test_a_file_that_is_too_large_is_refused_in_words(chromium, house, tmp_path):
    file = tmp_path / "sessions.json"
    file.write_bytes(b"[" + b" " * (5 << 20) + b"]")
    for script in (True, False):
        visitor = visit(chromium, house, script=script)
        page = visitor.page
        page.goto(house.url + "/focus/history")
        page.get_by_label("Import sessions.json or timer-state.json").set_input_files(file)
        page.get_by_role("button", name="Import", exact=True).click()
        if script:
            message = page.locator("#file").evaluate("(field) => field.validationMessage")
            assert message == "The file is larger than 4 MB."
        else:
            assert page.get_by_text("The file is larger than 4 MB.").is_visible()
        visitor.close()


@pytest.mark.parametrize("name", [HOSTILE, "' OR 1=1 --", "😴" * 40, "%00%0A", "\u202egnp.exe", "شورتكت"])
def test_names_of_shortcuts_stay_names(chromium, house, owner, name):
    owner.post("/focus/shortcuts", {"dnd": name, "grayscale": name}, page="/focus")
    visitor = visit(chromium, house)
    visitor.page.on("dialog", lambda dialog: visitor.noise.append(dialog.message))
    visitor.look("focus-hostile", "/focus")
    links = [link.get_attribute("href") for link in visitor.page.locator("[data-run]").all()]
    assert len(links) == 2
    assert all(re.fullmatch(r"shortcuts://run-shortcut\?name=[A-Za-z0-9._~%-]+", link) for link in links)
    visitor.close()


@pytest.mark.parametrize("name", ["x" * 61, "😴" * 61, "e\u0301" * 61])
def test_names_that_are_too_long_come_back(owner, name):
    reply = owner.post("/focus/shortcuts", {"dnd": name, "grayscale": ""}, page="/focus")
    assert reply.status_code == 422 and "dnd-error" in reply.text


def test_the_widget_needs_nobody(house):
    reply = requests.get(house.url + "/widget/presets", timeout=10)
    assert reply.status_code == 200 and "Set-Cookie" not in reply.headers


def test_the_manifest_offers_the_presets(house):
    manifest = requests.get(house.url + "/manifest.webmanifest", timeout=10).json()
    links = [shortcut["url"] for shortcut in manifest["shortcuts"] if shortcut["url"].startswith("/start")]
    assert links == [f"/start?minutes={minutes}" for minutes in (25, 45, 90)]
    assert manifest["protocol_handlers"] == [{"protocol": "web+monofocus", "url": "/start?link=%s"}]
