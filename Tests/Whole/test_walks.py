"""Walks through the house as its people: each step is looked at, leads on, and leaves a picture behind.

`shots/walk-<who>-<step>-<what>.png` is the record. The first evening with a real phone's DNS is in test_check.py."""

import os
import re
import subprocess
from pathlib import Path

import dns.exception
import dns.message
import dns.query
import pytest

from household import PASSCODE, Browser, Server, Upstream, eventually, free_port
from test_household import begin
from test_look import DOUBLE_TEXT, SHOTS, Visitor, chromium, whole_chromium  # noqa: F401 (a fixture)
from test_shield_actions import use_up

GOLDEN = Path(__file__).parent / "Golden"


class Walk:
    """A person on their way, with their screen's size."""

    def __init__(self, chromium, server, who, size, **options):
        self.visitor = Visitor(chromium, server, size, **options)
        self.page, self.server, self.who, self.steps = self.visitor.page, server, who, 0

    def open(self, path):
        self.page.goto(path if path.startswith("http") else self.server.url + path)
        return self

    def press(self, name, role="button"):
        self.page.get_by_role(role, name=name).first.click()
        return self

    def follow(self, name):
        return self.press(name, "link")

    def see(self, heading):
        """The page has this heading, fits, and is no dead end: something on it can be pressed or followed."""
        self.page.get_by_role("heading", name=heading).first.wait_for()
        self.steps += 1
        SHOTS.mkdir(exist_ok=True)
        what = re.sub(r"\W+", "-", heading.lower()).strip("-")
        self.page.screenshot(path=SHOTS / f"walk-{self.who}-{self.steps}-{what}.png")
        assert self.visitor.overflow() <= 0, f"{heading} is too wide"
        ways = self.page.get_by_role("link").or_(self.page.get_by_role("button"))
        assert any(way.is_visible() for way in ways.all()), f"{heading} is a dead end"
        return self

    def end(self):
        assert self.visitor.noise == []
        self.visitor.close()


def give_to_ada(server):
    """This machine becomes the device of Ada, a child."""
    owner = Browser(server).log_in().enroll()
    owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
    device = owner.get("/api/v1/devices").json()[0]
    fields = {"name": "Ada's phone", "kind": "phone", "owner": "2"}
    assert owner.post(f"/devices/{device['id']}", fields, page="/devices").status_code == 303
    return owner


def test_alone_with_one_phone(chromium, tmp_path):
    server = Server(tmp_path / "data", None, unattended=False)
    try:
        code = eventually(lambda: re.search(r"setup\?code=(\S+)", server.log.read_text())).group(1)
        walk = Walk(chromium, server, "alone", "phone").open(f"/setup?code={code}")
        walk.page.get_by_label("Choose a passcode").fill(PASSCODE)
        walk.press("Continue").see("Who sleeps here?")
        walk.press("Finish later").see("Sleep Inducer")
        walk.follow("Start Now").see("Start")
        walk.press("Start Sleep Session").see("Sleep Mode Active")
        walk.open(f"http://tiktok.com:{server.http_port}/").see("Sleep Mode Active")
        walk.follow("Need help tonight?").see("Help tonight")
        walk.press("Open calls, messages, maps and health for 15 minutes").see("Help")
        walk.end()
    finally:
        server.stop()


def test_a_parent_of_two(chromium, server):
    owner = give_to_ada(server)
    owner.post("/settings/people", {"name": "Ben", "role": "child"}, page="/settings")
    begin(owner, minutes=10)
    walk = Walk(chromium, server, "parent", "laptop")
    walk.visitor.log_in()
    walk.follow("Household").see("Household")
    walk.press("Bedtime now for Ada").see("Household")
    eventually(lambda: server.addresses("www.tiktok.com") == ["127.0.0.1"])
    walk.press("Bedtime now for Ben").see("Household")
    walk.page.get_by_role("button", name="Undo").click()
    walk.see("Household")
    assert walk.page.get_by_text("Asleep since").count() == 1, "Ada sleeps, Ben is awake again"
    walk.open("/devices").see("Devices")
    walk.end()


def test_a_bedside_tablet(chromium, server):
    Browser(server).log_in().enroll().start_session(480, "strict")
    walk = Walk(chromium, server, "bedside", "bedside").open("/kiosk").see("Bedside display")
    walk.follow("Need help tonight?").see("Help tonight")
    walk.press("Open calls, messages, maps and health for 15 minutes").see("Help")
    eventually(lambda: server.addresses("www.openstreetmap.org") == [Upstream.ADDRESS])
    walk.open("/kiosk?brightness=10").see("Bedside display").end()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_teenager(chromium, server, script):
    """A phone without the passcode: its own rules, more time asked for and given, and a way out that is not
    scrolling."""
    give_to_ada(server)
    use_up(server, "tiktok", person=2)
    walk = Walk(chromium, server, "teenager" if script else "teenager-no-script", "phone", script=script)
    walk.open("/").see("Ada")
    walk.follow("Left today").see("Limits")
    walk.open(f"http://tiktok.com:{server.http_port}/").see("Stop Scrolling")
    walk.page.get_by_text("Ask for more time").click()
    walk.press("Ask for 15 more minutes").see("Stop Scrolling")
    assert walk.page.get_by_text("Waiting for an answer.").is_visible()
    parent = Walk(chromium, server, "parent-answers", "phone")
    parent.visitor.log_in()
    parent.see("Sleep Inducer").press("Yes to ")
    parent.see("Sleep Inducer").end()
    eventually(lambda: server.addresses("www.tiktok.com") == [Upstream.ADDRESS])
    walk.open("/limits").see("Limits").end()


class AdGuard:
    """Another DNS filter in the house, played by dnsmasq: it forwards, caches, and blocks advertising."""

    def __init__(self, upstream_port):
        self.port = free_port()
        self.process = subprocess.Popen(
            ["dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--user=root",
             f"--port={self.port}", "--listen-address=127.0.0.1", "--bind-interfaces", "--pid-file=",
             f"--server=127.0.0.1#{upstream_port}", "--address=/ads.example/0.0.0.0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        self.process.terminate()
        self.process.wait(10)


def test_a_self_hoster_with_another_filter_behind(chromium, tmp_path):
    """Devices ask Sleep Inducer, which asks the other filter: both block, and the house still wakes up."""
    upstream = Upstream()
    filter_behind = AdGuard(upstream.port)
    server = Server(tmp_path / "data", None, "--upstream", f"127.0.0.1:{filter_behind.port}")
    try:
        eventually(lambda: server.addresses("www.tiktok.com") == [Upstream.ADDRESS], 10)
        assert server.addresses("pixel.ads.example") in (["0.0.0.0"], [])
        walk = Walk(chromium, server, "self-hoster", "laptop")
        walk.visitor.log_in()
        owner = Browser(server).log_in().enroll().start_session(60, "flexible")
        eventually(lambda: server.addresses("www.tiktok.com") == ["127.0.0.1"])
        walk.see("Sleep Mode Active")  # the open page goes there by itself
        walk.open("/health").see("Status")
        owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
        eventually(lambda: server.addresses("www.tiktok.com") == [Upstream.ADDRESS])
        walk.open("/").see("Sleep Inducer").end()
    finally:
        server.stop()
        filter_behind.close()
        upstream.close()


def test_a_self_hoster_with_another_filter_in_front(server):
    """Devices ask the other filter, which asks Sleep Inducer: it counts as one device, blocked and released within its
    cache time."""
    in_front = AdGuard(server.dns_port)

    def addresses(name):
        question = dns.message.make_query(name, "A")
        try:
            reply = dns.query.udp(question, "127.0.0.1", port=in_front.port, timeout=2)
        except dns.exception.Timeout:
            return []
        return [record.to_text() for rrset in reply.answer for record in rrset]

    try:
        eventually(lambda: addresses("awake.tiktok.com") == [Upstream.ADDRESS], 10)
        owner = Browser(server).log_in().enroll().start_session(60, "flexible")
        # The other filter keeps the answer that it got as the session began.
        eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"])
        eventually(lambda: addresses("www.tiktok.com") == ["127.0.0.1"])
        owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
        eventually(lambda: addresses("www.tiktok.com") == [Upstream.ADDRESS], 15)  # a blocked answer is kept 10 s
    finally:
        in_front.close()


HEARD = {
    "login": "/login", "dashboard": "/", "session": "/session", "schedule": "/schedule", "household": "/household",
    "help": "/help", "kiosk": "/kiosk", "shield": "/shield?name=tiktok.com", "limits": "/limits",
    "anti-rot": "/anti-rot", "focus": "/focus", "just-blocked": "/just-blocked",
}
TIMES = [(r"\b\d{1,2}:\d{2}(:\d{2})?\b", "TIME"), (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d+ [A-Z][a-z]+", "DATE"),
         # The day's ribbon, and what stands there in the evening only.
         (r"(?m)^( *)- figure.*\n(?:\1 +.*\n)*", ""), (r"(?m)^ *- button \"Good night\"\n", ""),
         (r"(?m)^ *- paragraph: Time to wind down\n", ""),
         (r"\b\d{4}-\d{2}-\d{2}\b", "DATE"), (r"127\.0\.0\.1:\d+", "ADDRESS")]


def heard(page):
    """The text that a screen reader gets, without the parts that change with the clock."""
    text = page.locator("body").aria_snapshot()
    for pattern, word in TIMES:
        text = re.sub(pattern, word, text)
    return text + "\n"


@pytest.mark.parametrize("state", ["day", "night"])
def test_what_a_screen_reader_is_given(whole_chromium, server, state):
    """The accessibility trees as golden files, at 200 % text, on one path from the gate to Help."""
    owner = Browser(server).log_in().enroll()
    walk = Walk(whole_chromium, server, f"reader-{state}", "phone")
    walk.page.add_init_script(DOUBLE_TEXT)
    if state == "night":
        owner.start_session(480, "flexible")
    found = {}
    for name, path in HEARD.items():
        if name == "dashboard":
            walk.visitor.log_in()
        walk.open(path)
        found[name] = heard(walk.page)
        assert walk.visitor.overflow() <= 0, name
    walk.visitor.close()
    GOLDEN.mkdir(exist_ok=True)
    different = []
    for name, text in found.items():
        file = GOLDEN / f"{name}-{state}.yaml"
        if os.environ.get("UPDATE_GOLDEN"):
            file.write_text(text)
        elif file.read_text() != text:
            different.append(name)
            (SHOTS / file.name).write_text(text)
    assert different == [], f"look at shots/*-{state}.yaml, then run with UPDATE_GOLDEN=1"
