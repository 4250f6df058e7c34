""""Just blocked": from the shield to the refused names, and to the apps that are allowed next time."""

import re

import pytest

from household import Browser, Server, Upstream, eventually
from test_look import SIZES, Visitor, chromium, house, reset  # noqa: F401 (fixtures)

ODD = "cdn.zebra-crossing.example"


def asleep(server, strictness="flexible"):
    """A sleeping person who allows nothing."""
    owner = reset(server)
    owner.post("/allowed-apps", [("app", "")], page="/allowed-apps")
    return owner.start_session(60, strictness)


def missed(server, *names):
    """Asks for names while asleep, and waits until the page lists them."""
    for name in names:
        eventually(lambda: server.addresses(name) in (["0.0.0.0"], ["127.0.0.1"]))
    eventually(lambda: names[-1] in Browser(server).log_in().get("/just-blocked").text)


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("strictness", ["flexible", "strict"])
def test_from_the_shield_to_the_next_session(chromium, house, script, strictness):
    owner = asleep(house, strictness)
    missed(house, "www.tiktok.com", "v16.tiktokcdn.com", ODD)
    visitor = Visitor(chromium, house, "phone", script=script)
    page = visitor.log_in().page
    page.goto(f"http://tiktok.com:{house.http_port}/video")
    link = page.get_by_role("link", name="See what was blocked")
    # The server's own name, which the test's browser cannot resolve.
    assert link.get_attribute("href").endswith("/just-blocked")
    page.goto(house.url + "/just-blocked")
    page.get_by_role("button", name=re.compile("Allow from the next session.*TikTok")).click()
    assert page.get_by_text("Added. It is open from the next session on.").is_visible()
    page.get_by_role("button", name=re.compile(f"Allow from the next session.*{ODD}")).click()
    assert page.get_by_text("Open from the next session on.", exact=True).count() == 2
    assert house.addresses("v16.tiktokcdn.com") == ["0.0.0.0"], "the session that runs stays as it is"
    owner.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    owner.start_session(30, strictness)
    eventually(lambda: house.addresses(ODD) == [Upstream.ADDRESS])
    eventually(lambda: house.addresses("v16.tiktokcdn.com") == [Upstream.ADDRESS])
    assert visitor.noise == []
    visitor.close()


def test_in_memory_only(tmp_path):
    """Neither the data's files, nor the export, nor the server's output holds a refused name."""
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    try:
        owner = Browser(server).log_in().enroll().start_session(30)
        missed(server, ODD)
        assert "zebra" not in owner.get("/api/v1/export").text
        server.stop()
        for file in [*server.data.rglob("*"), server.log]:
            assert not file.is_file() or b"zebra" not in file.read_bytes(), file
        server.start()
        assert "zebra" not in Browser(server).log_in().get("/just-blocked").text
    finally:
        server.stop()
        upstream.close()


def test_nobody_else_is_shown_anything(house):
    asleep(house)
    missed(house, ODD)
    house.ask("example.org", source="127.0.0.3")
    owner = Browser(house).log_in()
    eventually(lambda: "127.0.0.3" in owner.get("/devices").text)
    stranger = Browser(house, "127.0.0.3").get("/just-blocked", allow_redirects=False)
    assert stranger.status_code == 303 and stranger.headers["Location"].startswith("/login")


@pytest.mark.parametrize("size", SIZES)
def test_it_looks_right(chromium, house, size):
    asleep(house, "strict")
    missed(house, "www.tiktok.com", "v16.tiktokcdn.com", "api.instagram.com", ODD)
    visitor = Visitor(chromium, house, size)
    visitor.log_in().look("just-blocked-some", "/just-blocked")
    visitor.look("shield-missing", f"http://tiktok.com:{house.http_port}/video")
    visitor.look("devices-missing", "/devices")
    visitor.close()
