"""Icons on a home screen: each of them opens the page that it was made of, by a name and with shortcuts of its own."""

import html
import re
import struct
import urllib.parse

import pytest
import requests

from household import Browser, Server
from test_look import Visitor, chromium  # noqa: F401 (a fixture)

# The page that an icon is made of, where it opens, its name, and one of its shortcuts.
APPS = {
    "/": ("/", "Sleep Inducer", "Start Now"),
    "/session": ("/", "Sleep Inducer", "I'm Eating"),
    "/anti-rot": ("/anti-rot", "Anti-Rot", "I'm Eating"),
    "/anti-rot/schedule": ("/anti-rot", "Anti-Rot", "Schedule"),
    "/focus": ("/focus", "Focus", "45 minutes of focus"),
    "/focus/history": ("/focus", "Focus", "Focus history"),
    "/limits": ("/limits", "Limits", "Add a limit"),
    "/kiosk?brightness=30": ("/kiosk?brightness=30", "Bedside display", "Help"),
    "/my-rules": ("/my-rules", "My rules", "Ask"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("manifests") / "data", None)
    Browser(server).log_in().enroll()
    yield server
    server.stop()


def head(page):
    """The page's manifest, the title and the picture that iOS takes."""
    return (html.unescape(re.search(r'<link rel="manifest" href="([^"]+)">', page).group(1)),
            re.search(r'name="apple-mobile-web-app-title" content="([^"]+)"', page).group(1),
            re.search(r'<link rel="apple-touch-icon" href="([^"]+)">', page).group(1))


def png(content):
    """Width and height."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", content[16:24])


def test_an_icon_opens_what_it_shows(house):
    owner = Browser(house).log_in()
    for path, (start, name, shortcut) in APPS.items():
        link, title, picture = head(owner.get(path).text)
        # A browser fetches it without the login.
        reply = requests.get(house.url + link, timeout=10)
        assert reply.headers["Content-Type"].startswith("application/manifest+json"), path
        manifest = reply.json()
        assert (manifest["start_url"], manifest["name"]) == (start, name), path
        assert title == manifest["short_name"] and len(title) <= 12, path
        assert shortcut in [one["name"] for one in manifest["shortcuts"]], path
        assert owner.get(manifest["start_url"]).status_code == 200
        for one in manifest["shortcuts"]:
            assert owner.get(one["url"].split("#")[0]).status_code == 200, one
        for icon in manifest["icons"] + [one["icons"][0] for one in manifest["shortcuts"]]:
            drawn = requests.get(house.url + icon["src"], timeout=10)
            if icon["type"] == "image/png":
                assert "{}x{}".format(*png(drawn.content)) == icon["sizes"], icon
        assert png(requests.get(house.url + picture, timeout=10).content)[0] >= 180
        assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])


def test_every_app_is_an_icon_of_its_own(house):
    owner = Browser(house).log_in()
    manifests = {start: requests.get(house.url + head(owner.get(path).text)[0], timeout=10).json()
                 for path, (start, _, _) in APPS.items()}
    assert len(manifests) == 6
    for key in ("id", "name", "start_url"):
        assert len({one[key] for one in manifests.values()}) == 6, key
    assert len({one["icons"][0]["src"] for one in manifests.values()}) == 6, "told apart at a glance"


def test_it_stays_with_its_person_and_tells_nobody_who_that_is(tmp_path):
    server = Server(tmp_path / "data", None)
    try:
        owner = Browser(server).log_in().enroll()
        owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
        for path in ("/anti-rot", "/focus", "/limits", "/my-rules", "/kiosk"):
            link, _, _ = head(owner.get(f"{path}?person=2").text)
            reply = requests.get(server.url + link, timeout=10)
            assert reply.json()["start_url"] == f"{path}?person=2" == reply.json()["id"]
            assert "Ada" not in reply.text and "Set-Cookie" not in reply.headers
            assert all("person=2" in one["url"] for one in reply.json()["shortcuts"]), reply.text
        # Also where the address does not name them.
        assert "person=1" in head(owner.get("/limits").text)[0]
        assert owner.get("/limits?person=2").status_code == 200
    finally:
        server.stop()


@pytest.mark.parametrize("query", [
    "app=nope", "app=", "app=../x", "app=anti-rot&person=2%22%3E", "app=kiosk&brightness=" + "9" * 300,
    "app=limits&person=https://evil.example", "app=focus&start_url=https://evil.example"])
def test_strangers_put_nothing_into_it(house, query):
    reply = requests.get(f"{house.url}/manifest.webmanifest?{query}", timeout=10)
    assert reply.status_code in (200, 404)
    if reply.status_code == 200:
        text = urllib.parse.unquote(reply.text)
        assert "evil" not in text and "<" not in text and "999" not in text and reply.json()["start_url"][0] == "/"


def test_eating_waits_for_its_button(chromium, house):  # noqa: F811
    """A shortcut spends nothing by itself: the override is there once a day."""
    owner = Browser(house).log_in()
    owner.post("/anti-rot/apps", {"app": "tiktok"})
    owner.post("/anti-rot/windows", {"start": "12:00", "end": "12:01"}, page="/anti-rot/schedule")
    manifest = requests.get(house.url + "/manifest.webmanifest?app=anti-rot", timeout=10).json()
    [eating] = [one["url"] for one in manifest["shortcuts"] if one["name"] == "I'm Eating"]
    visitor = Visitor(chromium, house, "phone")
    page = visitor.log_in().page
    page.goto(house.url + eating)
    button = page.get_by_role("button", name="I'm Eating")
    assert button.is_enabled() and button.bounding_box()["y"] < 844
    assert owner.state()["antiRot"]["override"]["available"]
    button.click()
    page.get_by_text("Override active — 45m remaining").wait_for()
    visitor.close()
