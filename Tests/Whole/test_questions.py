"""What a child asks shows on every open page of the adults, and their answer on the child's shield, all at once."""

import time

import pytest
from playwright.sync_api import expect

from household import Browser, edit_documents, eventually
from test_fairness import belongs, family  # noqa: F401 (a fixture)
from test_look import SHOTS, Visitor, chromium  # noqa: F401 (a fixture)
from test_shield_actions import use_up


def ask(server, **fields):
    """The device of this machine asks, without a login."""
    child = Browser(server)
    reply = child.session.post(server.url + "/my-rules/ask", data=fields, allow_redirects=False, timeout=20)
    assert reply.status_code == 303, reply.text[:1000]


@pytest.mark.parametrize("path", ["/more", "/limits", "/focus", "/settings/passcode", "/household"])
def test_a_question_comes_to_every_open_page_without_a_reload(chromium, family, path):
    """Some of these pages listen to the server anyway, the others do so only for this."""
    server, owner = family
    belongs(owner, 2)
    visitor = Visitor(chromium, server, "phone").log_in()
    page = visitor.page
    page.goto(server.url + path)
    page.evaluate("window.wasHere = true")
    assert page.locator(".question").count() == 0 and page.locator(".places .count").count() == 0
    ask(server, what="app", app="tiktok", reason="Homework video")
    page.get_by_text("Ada asks: TikTok open at night. “Homework video”").wait_for()
    expect(page.locator(".places .count")).to_have_text("1 request")
    assert page.evaluate("window.wasHere")
    visitor.check_accessibility("asked" + path.replace("/", "-"))
    # It goes when another browser answers it.
    asked = owner.get("/api/v1/state?person=2").json()["requests"]
    assert owner.post(f"/requests/{asked[0]['id']}", {"answer": "decline"}, page="/more").status_code == 303
    page.locator(".question").wait_for(state="detached")
    expect(page.locator(".places .count")).to_have_count(0)
    assert page.evaluate("window.wasHere") and visitor.noise == []
    visitor.close()


def test_without_script_it_is_in_the_page_and_the_answer_leads_back(chromium, family):
    server, owner = family
    belongs(owner, 2)
    use_up(server, "tiktok", "9gag", person=2)
    limits = owner.get("/api/v1/limits?person=2").json()["limits"]
    for limit in limits:
        ask(server, what="minutes", limit=limit["id"])
    ask(server, what="app", app="tiktok")
    visitor = Visitor(chromium, server, "phone", script=False).log_in()
    page = visitor.page
    page.goto(server.url + "/settings/passcode?person=2")
    page.get_by_text("Ada asks: 15 more minutes of TikTok.").wait_for()
    assert page.locator(".question").count() == 1
    page.get_by_role("button", name="Yes to Ada").click()
    page.get_by_text("Yes to Ada: 15 more minutes of TikTok.").wait_for()
    assert "/settings/passcode?person=2" in page.url
    page.get_by_role("link", name="1 more").click()
    page.get_by_role("heading", name="Requests").wait_for()
    assert page.locator(".question").count() == 2, "the list, and no bar above it"
    page.get_by_role("button", name="No to Ada").first.click()
    page.get_by_role("button", name="Yes to Ada").click()
    page.get_by_text("Nobody asks for anything now.").wait_for()
    for path in ("/kiosk?person=2", "/shield?name=tiktok.com&layer=sleep&person=2", "/widget?person=2"):
        assert "data-asked" not in owner.get(path).text, path
    visitor.close()


@pytest.mark.parametrize("script", [True, False])
def test_a_child_asks_on_the_page_of_limits(chromium, family, script):
    """No shield shows in an app or over HTTPS, so the list of limits takes the question too."""
    server, owner = family
    belongs(owner, 2)
    use_up(server, "tiktok", person=2)
    child, parent = Visitor(chromium, server, "phone", script=script), Visitor(chromium, server, "phone", script=script)
    page, desk = child.page, parent.log_in().page
    page.goto(server.url + "/limits")
    page.get_by_text("Ask for more time").click()
    page.get_by_label("Why?").fill("Homework video")
    if script:
        child.check_accessibility("limits-asking")
        child.page.screenshot(path=SHOTS / "limits-asking-phone.png")
    page.get_by_role("button", name="Ask for 15 more minutes of TikTok").click()
    page.get_by_text("There is no answer yet.").wait_for()
    assert "/limits" in page.url and page.get_by_text("Ask for more time").count() == 0
    desk.goto(server.url + "/limits?person=2")
    assert desk.get_by_text("Ask for more time").count() == 0, "nobody asks for somebody else"
    desk.get_by_text("Ada asks: 15 more minutes of TikTok. “Homework video”").wait_for()
    desk.get_by_role("button", name="Yes to Ada").click()
    desk.get_by_text("Yes to Ada: 15 more minutes of TikTok.").wait_for()
    if not script:
        page.reload()
    page.get_by_text("15 min more were given for today.").wait_for(timeout=20_000)
    page.get_by_text("Yes: 15 more minutes of TikTok").wait_for()
    for visitor in (child, parent):
        assert visitor.noise == []
        visitor.close()


@pytest.mark.parametrize("path", ["/", "/my-rules"])
def test_a_childs_own_page_hears_the_answer(chromium, family, path):
    """Without a login, on the child's own device; what is being typed elsewhere on the page stays."""
    server, owner = family
    belongs(owner, 2)
    visitor = Visitor(chromium, server, "phone")
    page = visitor.page
    page.goto(server.url + path)
    page.evaluate("window.wasHere = true")
    if path == "/":
        visitor.check_accessibility("my-home")
        assert page.get_by_role("link", name="Log in").count() == 1 and page.get_by_text("Anna").count() == 0
    ask(server, what="app", app="tiktok")
    expect(page.get_by_text("There is no answer yet.")).to_be_visible()
    asked = owner.get("/api/v1/state?person=2").json()["requests"]
    assert owner.post(f"/requests/{asked[0]['id']}", {"answer": "grant"}, page="/more").status_code == 303
    expect(page.get_by_text("Yes: TikTok open at night")).to_be_visible()
    assert page.evaluate("window.wasHere") and visitor.noise == []
    visitor.close()


def shield_that_asked(chromium, server, size="phone"):
    visitor = Visitor(chromium, server, size)
    page = visitor.page
    page.goto(f"http://tiktok.com:{server.http_port}/video")
    page.get_by_text("Ask for more time").click()
    page.get_by_label("Why?").fill("Homework video")
    page.get_by_role("button", name="Ask for 15 more minutes").click()
    page.get_by_text("Waiting for an answer.").wait_for()
    page.evaluate("window.wasHere = true")
    return visitor


@pytest.mark.parametrize("answer", ["grant", "decline"])
def test_the_answer_comes_to_the_shield_without_a_reload(chromium, family, answer):
    server, owner = family
    belongs(owner, 2)
    use_up(server, "tiktok", person=2)
    eventually(lambda: server.addresses("www.tiktok.com") == ["127.0.0.1"])
    visitor = shield_that_asked(chromium, server)
    page = visitor.page
    asked = owner.get("/api/v1/state?person=2").json()["requests"]
    assert [(one["kind"], one["reason"]) for one in asked] == [("minutes", "Homework video")]
    before = time.monotonic()
    assert owner.post(f"/requests/{asked[0]['id']}", {"answer": answer}, page="/more").status_code == 303
    if answer == "grant":
        page.get_by_role("heading", name="Yes").wait_for()
        assert page.get_by_text("15 more minutes of TikTok, until 00:00.", exact=True).is_visible()
        assert page.get_by_role("link", name="Open TikTok").is_visible()
        assert not page.get_by_text("Stop Scrolling").is_visible()
    else:
        page.locator("p.answer").get_by_text("Not tonight.").wait_for()
        assert not page.get_by_text("Waiting for an answer.").is_visible()
        assert page.get_by_role("button", name="I'll do it").is_visible()
    assert time.monotonic() - before < 3
    page.wait_for_timeout(3000)
    assert page.evaluate("window.wasHere"), "it was not loaded again"
    visitor.check_accessibility(f"shield-{answer}")
    # What comes next from the server says it too, also without script.
    text = server.get_as("tiktok.com")[1]
    assert ("Yes: 15 more minutes of TikTok." if answer == "grant" else "Not tonight.") in text
    visitor.close()


def test_a_device_that_enrolled_itself_hears_no_answer(chromium, family):
    """Whoever pressed "This is my device" reads nothing of what its person asked and was told."""
    server, owner = family
    belongs(owner, 2)
    use_up(server, "tiktok", person=2)
    visitor = shield_that_asked(chromium, server)
    visitor.close()
    state = server.get_as("tiktok.com", "/.sleep-inducer/state")
    assert '"request":"open"' in state[1]
    # Another device of hers, which only named her.
    machine = [one for one in owner.get("/api/v1/devices").json() if "127.0.0.1" in one["addresses"]][0]["id"]
    server.stop()
    edit_documents(
        server.data / "sleep-inducer.sqlite", "device", lambda members: members.update(isConfirmed=False), machine)
    server.start()
    state = server.get_as("tiktok.com", "/.sleep-inducer/state")
    assert '"request":null' in state[1] and '"blocked":true' in state[1]
    page = server.get_as("tiktok.com")[1]
    assert "Homework" not in page and "data-answer" not in page


def test_a_suggestion_takes_its_time_and_well_done_comes_after_it(chromium, family):
    """Waits for the real minute after which "I did it" is believed."""
    server, owner = family
    belongs(owner, 2)
    use_up(server, "tiktok", person=2)
    eventually(lambda: server.addresses("www.tiktok.com") == ["127.0.0.1"])
    visitor = Visitor(chromium, server, "phone")
    page = visitor.page
    page.goto(f"http://tiktok.com:{server.http_port}/video")
    task = page.locator(".suggestion b").inner_text()
    page.get_by_role("button", name="I'll do it").click()
    page.get_by_text("Good. You can close this.").wait_for()
    page.get_by_role("link", name="15-minute timer").click()
    page.get_by_text("You have time until").wait_for()
    began = time.monotonic()
    assert page.get_by_role("heading", name=task).is_visible(), "the suggestion that was shown"
    assert page.get_by_text("Well done").count() == 0
    page.screenshot(path=SHOTS / "shield-timer-phone.png")
    # A restart takes less than a second: the timer must have begun to count before it.
    eventually(lambda: page.locator("[data-remaining]").inner_text().startswith("14:"), 10)
    server.kill()
    server.start()
    page.reload()
    page.get_by_text("You have time until").wait_for()
    left = page.locator("[data-remaining]").inner_text()
    assert left.startswith("14:"), left
    page.get_by_role("link", name="I did it").click()
    page.get_by_text("Give it a minute first.").wait_for()
    page.wait_for_timeout(max(0, 61 - (time.monotonic() - began)) * 1000)
    page.get_by_role("link", name="I did it").click()
    page.get_by_role("heading", name="Well done").wait_for()
    assert visitor.noise == []
    visitor.close()
