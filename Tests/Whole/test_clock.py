"""Times as the reader is used to: 12 hours for a browser in American English, 24 for one in German, or as the setting says."""

import json
import re

from playwright.sync_api import expect

from household import Browser, eventually
from test_look import Visitor, chromium, house, reset, violations  # noqa: F401 (fixtures)

FIELDS = {"isEnabled": "on", "start": "22:30", "end": "06:45", "strictness": "flexible", "begin": "tomorrow"}
TWELVE = re.compile(r"\b(1[0-2]|[1-9]):[0-5][0-9]\u00a0[AP]M\b")
TWENTY_FOUR = re.compile(r"\b([01][0-9]|2[0-4]):[0-5][0-9]\b")


def words(page):
    """What a page says, without countdowns."""
    page.locator("main").wait_for(state="attached")
    return page.evaluate("""() => {
        const main = document.querySelector("main").cloneNode(true);
        main.querySelectorAll("[role=timer], .ring, script, template, select").forEach(part => part.remove());
        const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) { texts.push(walker.currentNode.data); }
        return texts.join(" ");
    }""")


def has_twelve(page, path):
    assert page.locator("main").count() == 1, (path, page.url, page.content()[:3000])
    text = words(page)
    is_twelve = bool(TWELVE.search(text))
    assert is_twelve or TWENTY_FOUR.search(text), text
    assert not (is_twelve and TWENTY_FOUR.search(TWELVE.sub("", text))), text
    return is_twelve


def test_times_follow_the_browser_and_the_setting_overrides_it(chromium, house):  # noqa: F811
    owner = reset(house)
    assert owner.post("/schedule", FIELDS).status_code == 303
    american = Visitor(chromium, house, "phone", locale="en-US").log_in()
    german = Visitor(chromium, house, "laptop", locale="de-DE").log_in()
    for setting, expected in [("automatic", (True, False)), ("12", (True, True)), ("24", (False, False))]:
        assert owner.post("/settings/clock", {"clock": setting}).status_code == 303
        for path in ["/", "/schedule", "/usage", "/kiosk", "/my-rules", "/limits"]:
            for visitor, is_twelve in zip([american, german], expected):
                visitor.page.goto(house.url + path)
                assert has_twelve(visitor.page, path) == is_twelve, (setting, path)
                assert visitor.overflow() <= 0, path
    assert owner.post("/settings/clock", {"clock": "25"}).status_code == 422
    for visitor in (american, german):
        assert visitor.noise == []
        visitor.close()


def test_scripts_write_the_servers_words(chromium, house):  # noqa: F811
    owner = reset(house)
    owner.post("/settings/clock", {"clock": "automatic"})
    visitor = Visitor(chromium, house, "phone", locale="en-US").log_in()
    page = visitor.page
    page.goto(house.url + "/schedule")
    page.locator("#isEnabled").check()
    page.locator("#start").fill("00:00")
    page.locator("#end").fill("12:05")
    expect(page.locator("[data-summary]")).to_have_text("Every night 12:00\u00a0AM–12:05\u00a0PM · 12 h 5 min")
    page.goto(house.url + "/kiosk")
    clock = page.locator("[data-clock]")
    written = clock.inner_text()
    assert TWELVE.fullmatch(written), written
    clock.evaluate("clock => { clock.textContent = ''; }")
    expect(clock).to_have_text(TWELVE)
    assert visitor.noise == []
    visitor.close()
    owner.post("/settings/clock", {"clock": "24"})


def test_the_shield_and_the_session_follow_the_browser_too(server, sleeper):
    assert sleeper.post("/settings/clock", {"clock": "automatic"}).status_code == 303
    sleeper.start_session(60)
    eventually(lambda: server.get_as("tiktok.com", "/")[0].status == 403)
    for languages, pattern in [("en-US,en;q=0.9", TWELVE), ("de-DE,de;q=0.9", TWENTY_FOUR), (None, TWENTY_FOUR)]:
        headers = {"Accept-Language": languages} if languages else {}
        _, shield = server.get_as("tiktok.com", "/", headers=headers)
        back = re.search(r"[Bb]ack at[^0-9]*([0-9]+:[0-9]+(?:\u00a0[AP]M)?)", re.sub("<[^>]*>", "", shield)).group(1)
        assert pattern.fullmatch(back), (languages, back)
        page = re.sub("<[^>]*>", "", sleeper.get("/", headers=headers).text)
        assert bool(TWELVE.search(page)) == (pattern is TWELVE), languages
    # Programs have one way.
    state = Browser(server).log_in().get("/api/v1/schedule", headers={"Accept-Language": "en-US"}).text
    assert not TWELVE.search(state) and json.loads(state)


def test_the_setting_is_on_a_page_of_its_own(chromium, house):  # noqa: F811
    owner = reset(house)
    owner.post("/settings/clock", {"clock": "automatic"})
    visitor = Visitor(chromium, house, "phone", locale="de-DE").log_in()
    page = visitor.page
    page.goto(house.url + "/settings")
    page.get_by_role("link", name=re.compile("^Clock")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clock")
    assert violations(page) == []
    page.get_by_text("12-hour", exact=True).click()
    expect(page.locator("[data-saved]")).to_have_text(re.compile("Saved"))
    page.goto(house.url + "/kiosk")
    assert TWELVE.fullmatch(page.locator("[data-clock]").inner_text())
    assert visitor.noise == []
    visitor.close()
    plain = Visitor(chromium, house, "phone", script=False, locale="en-US").log_in()
    plain.page.goto(house.url + "/settings/clock")
    plain.page.get_by_label("24-hour").check()
    plain.page.get_by_role("button", name="Save").click()
    expect(plain.page.get_by_label("24-hour")).to_be_checked()
    plain.close()
