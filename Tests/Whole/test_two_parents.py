"""Two parents have the same page open in two browsers, and both save: nothing of either is lost without a word."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from household import PASSCODE, Browser, eventually
from test_look import SIZES, SHOTS, chromium, house, reset  # noqa: F401 (fixtures)

WORDS = "Meanwhile this was changed to"


class Parent:
    def __init__(self, chromium, house, script=True, size="phone"):  # noqa: F811
        width, height = SIZES[size]
        self.context = chromium.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=script, base_url=house.url)
        self.page = self.context.new_page()
        self.page.goto("/login")
        self.page.get_by_label("Passcode").fill(PASSCODE)
        self.page.get_by_role("button", name="Log in").click()
        self.page.wait_for_url(lambda url: "/login" not in url)
        # Home loads itself again after a change of the test's own.
        self.page.goto("about:blank")

    def open(self, path):
        reply = self.page.goto(path)
        assert reply.ok, (reply.status, self.page.content())
        return self.page


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def parents(chromium, house, request):  # noqa: F811
    reset(house)
    both = [Parent(chromium, house, request.param) for _ in range(2)]
    yield both
    for parent in both:
        parent.context.close()


def error(page):
    page.get_by_text(WORDS).first.wait_for()
    return page.locator("p.error", has_text=WORDS).first.inner_text()


def test_a_child_stays_a_child_when_the_other_mends_the_name(parents, house):  # noqa: F811
    owner = Browser(house).log_in()
    owner.post("/settings/people", {"name": "Mia", "role": "adult"}, page="/settings/people")
    mia = next(person["id"] for person in owner.get("/api/v1/people").json() if person["name"] == "Mia")
    one, two = (parent.open("/settings/people") for parent in parents)
    one.locator(f"#role-{mia}").select_option("child")
    one.get_by_role("button", name="Save Mia").click()
    one.get_by_text("Saved.").wait_for()
    two.locator(f"#person-{mia}").fill("Mia Maria")
    two.get_by_role("button", name="Save Mia").click()
    two.get_by_text("Saved.").wait_for()
    assert two.locator(f"#person-{mia}").input_value() == "Mia Maria"
    assert two.locator(f"#role-{mia}").input_value() == "child"
    # Both give another name.
    one = parents[0].open("/settings/people")
    one.locator(f"#person-{mia}").fill("Mimi")
    one.get_by_role("button", name="Save Mia Maria").click()
    one.get_by_text("Saved.").wait_for()
    two.locator(f"#person-{mia}").fill("Maja")
    two.get_by_role("button", name="Save Mia Maria").click()
    assert "“Mimi”" in error(two) and "“Maja”" in error(two)
    assert two.locator(f"#person-{mia}").input_value() == "Maja"
    two.get_by_role("button", name="Save Mimi").click()
    two.get_by_text("Saved.").wait_for()
    assert two.locator(f"#person-{mia}").input_value() == "Maja"
    owner.post(f"/settings/people/{mia}/delete", {"confirm": "remove"}, page="/settings/people")


def test_a_bedtime_and_its_days(parents, house):  # noqa: F811
    usual = {"isEnabled": "on", "start": "22:00", "end": "07:00", "strictness": "flexible", "begin": "tomorrow"}
    Browser(house).log_in().post("/schedule", usual)
    for parent in parents:
        parent.open("/schedule")
    one, two = (parent.page for parent in parents)
    # The test may run at any hour: tonight is asked about, or not.
    def save(page):
        page.get_by_role("button", name="Save Schedule").click()
        page.wait_for_load_state()
        if page.get_by_role("button", name="From tomorrow").count():
            page.get_by_role("button", name="From tomorrow").click()
            page.wait_for_load_state()
    one.locator("#start").fill("20:30")
    one.locator("label[for=day-sat]").click()
    save(one)
    two.locator("#end").fill("06:30")
    two.locator("label[for=day-sun]").click()
    save(two)
    schedule = Browser(house).log_in().get("/api/v1/schedule").json()
    assert schedule["isEnabled"] and (schedule["start"], schedule["end"]) == ("20:30", "06:30")
    assert schedule["days"] == ["mon", "tue", "wed", "thu", "fri"]
    for page, text in ((one, "21:00"), (two, "21:30")):
        page.goto("/schedule")
    one.locator("#start").fill("21:00")
    two.locator("#start").fill("21:30")
    save(one)
    save(two)
    assert "21:00" in error(two) or "9:00" in error(two)
    assert two.locator("#start").input_value() == "21:30"
    for size, (width, height) in SIZES.items():
        two.set_viewport_size({"width": width, "height": height})
        SHOTS.mkdir(exist_ok=True)
        two.screenshot(path=SHOTS / f"two-parents-schedule-{size}.png", full_page=size == "phone")
    save(two)
    assert Browser(house).log_in().get("/api/v1/schedule").json()["start"] == "21:30"


def test_what_saves_itself_keeps_what_the_other_saved(chromium, house):  # noqa: F811
    reset(house)
    parents = [Parent(chromium, house) for _ in range(2)]
    one, two = (parent.open("/allowed-apps?open=social,video") for parent in parents)
    def stored():
        return set(Browser(house).log_in().get("/api/v1/selections/allowed").json()["apps"])
    before = stored()
    one.locator("#app-instagram").check()
    eventually(lambda: "instagram" in stored())
    two.locator("#app-youtube").check()
    eventually(lambda: {"instagram", "youtube"} <= stored())
    # There and back on one page: what it showed follows each save.
    two.locator("#app-youtube").uncheck()
    eventually(lambda: "youtube" not in stored())
    eventually(lambda: two.locator("#app-instagram").is_checked())
    two.locator("#app-instagram").uncheck()
    eventually(lambda: stored() == before)

    # The house of these tests has 24 hours.
    one, two = (parent.open("/settings/clock") for parent in parents)
    one.locator("label[for=clock-12]").click()
    one.get_by_text("Saved", exact=True).wait_for()
    two.locator("label[for=clock-automatic]").click()
    two.get_by_text(WORDS).wait_for()
    assert two.locator("#clock-12").is_checked(), "it shows what the other chose"
    two.screenshot(path=SHOTS / "two-parents-clock.png")
    two.locator("label[for=clock-automatic]").click()
    two.get_by_text("Saved", exact=True).wait_for()
    one = parents[0].open("/settings/clock")
    assert one.locator("#clock-automatic").is_checked()
    one.locator("label[for=clock-24]").click()
    one.get_by_text("Saved", exact=True).wait_for()
    for parent in parents:
        parent.context.close()


def fields(html, action):
    """The fields of a form, as a browser without script sends them."""
    form = next(part.split("</form>")[0] for part in html.split("<form ")[1:] if f'action="{action}"' in part)
    def plain(text):
        return text.replace("&quot;", '"').replace("&#39;", "'").replace("&amp;", "&")
    sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and "checkbox" not in tag and ("radio" not in tag or " checked" in tag):
            sent[name[1]] = plain(value[1] if value else "")
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.S):
        sent[name] = plain((re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options))[1])
    return sent


def test_two_saves_in_the_same_moment(house):  # noqa: F811
    """Each of two browsers changes its own field of one form, both at once, many times."""
    reset(house)
    browsers = [Browser(house).log_in() for _ in range(2)]
    names = ["dnd", "grayscale"]
    for turn in range(15):
        pages = [fields(browser.get("/focus").text, "/focus/shortcuts") for browser in browsers]
        for page, name in zip(pages, names):
            page[name] = f"{name} {turn}"
        with ThreadPoolExecutor(2) as pool:
            replies = list(pool.map(
                lambda pair: pair[0].session.post(
                    house.url + "/focus/shortcuts", data=pair[1], allow_redirects=False), zip(browsers, pages)))
        assert [reply.status_code for reply in replies] == [303, 303]
        now = fields(browsers[0].get("/focus").text, "/focus/shortcuts")
        assert [now[name] for name in names] == [f"{name} {turn}" for name in names]


def test_a_program_says_what_it_read(house):  # noqa: F811
    owner = Browser(house).log_in()
    for path in ("schedule", "selections/allowed", "selections/productive", "windows", "limits", "devices", "people"):
        assert re.fullmatch(r'"\d+"', owner.get(f"/api/v1/{path}").headers["ETag"]), path
