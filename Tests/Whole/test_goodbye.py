"""Leaving: which devices still ask, how to put each back, and how to erase everything without cutting anybody off."""

import signal

import dns.exception
import pytest

from household import PASSCODE, Browser, Upstream, eventually
from test_look import SHOTS, SIZES, Visitor, chromium  # noqa: F401 (a fixture)


def contents(server):
    """The bytes of every file in the data folder, with deleted rows and write-ahead logs."""
    return b"".join(file.read_bytes() for file in server.data.rglob("*") if file.is_file())


def answered(server):
    try:
        return [record.to_text() for rrset in server.ask("tiktok.com", timeout=1).answer for record in rrset]
    except dns.exception.Timeout:
        return None


def test_erased_by_the_server_itself_and_nobody_loses_their_names(server, sleeper, tmp_path):
    sleeper.post("/settings/people", {"name": "Magdalena", "role": "adult"}, page="/settings")
    sleeper.start_session(480, "flexible")
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 1)
    assert b"Magdalena" in contents(server)
    eventually(lambda: "Still asks here" in sleeper.get("/goodbye").text)
    assert "This machine" in sleeper.get("/goodbye").text
    wrong = sleeper.post("/goodbye/erase", {"confirm": "erase", "passcode": "not this"})
    assert wrong.status_code == 422 and "This is not the passcode." in wrong.text
    unconfirmed = sleeper.post("/goodbye/erase", {"passcode": PASSCODE})
    assert unconfirmed.status_code == 422, "a passcode alone erases nothing"
    assert (server.data / "sleep-inducer.sqlite").exists()
    (server.data / "kept-by-somebody-else.txt").write_text("mine")

    last = sleeper.post("/goodbye/erase", {"confirm": "erase", "passcode": PASSCODE})
    assert last.status_code == 200 and "Everything is erased" in last.text
    assert "This machine" in last.text, "who still asks is said"
    eventually(lambda: answered(server) == [Upstream.ADDRESS], 15)
    assert server.process.poll() is None, "the same process goes on"
    eventually(lambda: server.log.read_text().count("Sleep Inducer 0") == 2, 10)
    assert Browser(server).get("/", allow_redirects=False).status_code == 303, "the login is gone with everything"
    assert sleeper.get("/devices", allow_redirects=False).status_code == 303
    assert b"Magdalena" not in contents(server)
    assert (server.data / "kept-by-somebody-else.txt").read_text() == "mine"
    Browser(server).log_in()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(15) == 0, "and it still stops when it is told to"


def test_a_strict_session_is_not_erased(server, sleeper):
    sleeper.start_session(480, "strict")
    assert "strict session running" in sleeper.get("/goodbye").text
    refused = sleeper.post("/goodbye/erase", {"confirm": "erase", "passcode": PASSCODE}, page="/goodbye")
    assert refused.status_code == 409 and "strict session running" in refused.text
    assert server.addresses("tiktok.com") == ["127.0.0.1"]
    assert (server.data / "sleep-inducer.sqlite").exists()


@pytest.mark.parametrize("script", [True, False])
def test_walked_through_in_a_browser(chromium, server, sleeper, script):  # noqa: F811
    server.ask("example.org")
    visitor = Visitor(chromium, server, SIZES, script=script).log_in()
    page = visitor.page

    def look(name):
        for size in visitor.at_each_size():
            page.screenshot(path=SHOTS / f"{name}-{size}.png", full_page=True)
            if script:
                assert visitor.overflow() <= 0
                visitor.check_this_size(name)

    page.goto(server.url + "/devices")
    visitor.press(page.get_by_role("link", name="Before you change the router"))
    assert page.get_by_role("heading", level=1).inner_text() == "Before you change the router"
    look("router")
    assert page.get_by_role("button", name="Erase everything").count() == 0
    page.goto(server.url + "/settings")
    visitor.press(page.get_by_role("link", name="Goodbye"))
    look("goodbye")
    visitor.press(page.get_by_role("button", name="Erase everything"))
    look("erase")
    page.get_by_label("Passcode").fill("wrong one")
    visitor.press(page.get_by_role("button", name="Erase everything"))
    assert page.get_by_text("This is not the passcode.").count() == 1
    page.get_by_label("Passcode").fill(PASSCODE)
    visitor.press(page.get_by_role("button", name="Erase everything"))
    page.get_by_role("heading", name="Everything is erased").wait_for()
    look("farewell")
    ignored = ("status of 422",)
    assert [noise for noise in visitor.noise if not any(word in noise for word in ignored)] == []
    visitor.close()
