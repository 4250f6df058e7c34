"""When a form or the API answers, DNS already follows the change: dig right after curl, many times."""

import json
import subprocess
from datetime import datetime

import pytest

from household import Browser, Upstream
from test_shield_actions import ZONE, forms, use_up

ROUNDS = 25
OPEN = Upstream.ADDRESS
CLOSED = {
    "tiktok": "www.tiktok.com", "9gag": "www.9gag.com", "instagram": "www.instagram.com", "youtube": "www.youtube.com",
    "facebook": "www.facebook.com", "reddit": "www.reddit.com", "netflix": "www.netflix.com", "twitch": "www.twitch.tv",
    "pinterest": "www.pinterest.com", "snapchat": "www.snapchat.com", "tumblr": "www.tumblr.com", "vimeo": "www.vimeo.com"}


class Hands:
    """Presses with curl, and asks with dig immediately after."""

    def __init__(self, server):
        self.server = server
        self.token = server.command("token", "--name", "hands").stdout.split()[-1]
        browser = Browser(server).log_in()
        self.csrf = browser.csrf("/devices")
        self.cookie = "; ".join(f"{name}={value}" for name, value in browser.session.cookies.items())

    def form(self, path, *fields, name, source="127.0.0.1", signed_in=True, host=None):
        """The form's status, and the name's address right after it."""
        words = ["-X", "POST", "-H", f"Cookie: {self.cookie}" if signed_in else "Accept: text/html"]
        if host:
            words += ["-H", f"Host: {host}"]
        for field in (*fields, *([f"csrf={self.csrf}"] if signed_in else [])):
            words += ["--data-urlencode", field]
        return self._press(words, path, name, source)

    def api(self, method, path, body, name, source="127.0.0.1"):
        words = ["-X", method, "-H", f"Authorization: Bearer {self.token}"]
        if body:
            words += ["-H", "Content-Type: application/json", "-d", body]
        return self._press(words, f"/api/v1/{path}", name, source)

    def _press(self, words, path, name, source):
        """dig already runs and reads the name as soon as curl is done: its start would hide some twenty
        milliseconds."""
        dig = subprocess.Popen(
            ["dig", "@127.0.0.1", "-p", str(self.server.dns_port), "-b", source, "+short", "+tries=1", "+time=5", "-f", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        curl = subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "10", "--interface", source, *words,
             self.server.url + path], capture_output=True, text=True, timeout=30)
        answer, _ = dig.communicate(f"{name} A\n", timeout=30)
        return int(curl.stdout), answer.strip()


@pytest.fixture
def hands(server):
    Browser(server).log_in().enroll()
    return Hands(server)


def test_starting_and_ending_by_form(hands):
    wrong = []
    for number in range(ROUNDS):
        name = f"www.round{number}.example"
        begun = hands.form("/session", "durationMinutes=60", "strictness=flexible", name=name)
        ended = hands.form("/settings/reset", "confirm=reset", name=name)
        if (begun, ended) != ((303, "127.0.0.1"), (303, OPEN)):
            wrong.append((number, begun, ended))
    assert not wrong, f"{len(wrong)} of {ROUNDS}: {wrong[:3]}"


def test_starting_and_ending_by_the_api(hands):
    wrong = []
    for number in range(ROUNDS):
        name = f"www.round{number}.example"
        begun = hands.api("POST", "session", '{"durationMinutes": 60, "strictness": "flexible"}', name)
        ended = hands.api("POST", "reset", '{"confirm": true}', name)
        if (begun[0] // 100, begun[1], ended[0] // 100, ended[1]) != (2, "127.0.0.1", 2, OPEN):
            wrong.append((number, begun, ended))
    assert not wrong, f"{len(wrong)} of {ROUNDS}: {wrong[:3]}"


def test_what_anti_rot_closes_by_the_api(hands):
    hour = (datetime.now(ZONE).hour + 12) % 24
    far = f'{{"windows": [{{"label": "Far", "start": "{hour:02}:10", "end": "{hour:02}:20"}}]}}'
    assert hands.api("PUT", "windows", far, "www.first.example")[0] == 200
    wrong, apps = [], []
    for app, name in CLOSED.items():
        apps.append(app)
        body = json.dumps({"apps": apps, "categories": [], "domains": []})
        found = hands.api("PUT", "selections/restricted", body, name)
        if found != (200, "127.0.0.1"):
            wrong.append((app, found))
    assert not wrong, f"{len(wrong)} of {len(CLOSED)}: {wrong[:3]}"


def test_allowed_apps_hold_in_the_session_that_follows_them(hands):
    wrong = []
    for number in range(ROUNDS):
        apps = ("spotify", "tiktok")[number % 2]
        name = ("open.spotify.com", "www.tiktok.com")[number % 2]
        body = f'{{"apps": ["{apps}"], "categories": [], "domains": []}}'
        assert hands.api("PUT", "selections/allowed", body, name)[0] // 100 == 2
        begun = hands.form("/session", "durationMinutes=60", "strictness=flexible", name=name)
        ended = hands.form("/settings/reset", "confirm=reset", name="www.elsewhere.example")
        if (begun, ended) != ((303, OPEN), (303, OPEN)):
            wrong.append((number, begun, ended))
    assert not wrong, f"{len(wrong)} of {ROUNDS}: {wrong[:3]}"


def test_a_device_that_comes_and_goes(hands):
    name = "www.mine.example"
    assert hands.form("/session", "durationMinutes=60", "strictness=flexible", name=name) == (303, "127.0.0.1")
    wrong = []
    for number in range(ROUNDS):
        gone = hands.api("PATCH", "devices/1", '{"person": null}', name)
        come = hands.form("/devices/enroll", name=name)
        if (gone, come) != ((200, OPEN), (303, "127.0.0.1")):
            wrong.append((number, gone, come))
    assert not wrong, f"{len(wrong)} of {ROUNDS}: {wrong[:3]}"


def test_an_unlock_on_the_shield_opens_before_its_answer(hands):
    server, wrong = hands.server, []
    for number in range(5):
        use_up(server, "tiktok")
        fields = forms(server.get_as("tiktok.com")[1])["unlock"]
        found = hands.form(
            "/.sleep-inducer/unlock", *(f"{key}={value}" for key, value in fields.items()), name="www.tiktok.com",
            signed_in=False, host="tiktok.com")
        if found != (303, OPEN):
            wrong.append((number, found))
    assert not wrong, f"{len(wrong)} of 5: {wrong}"
