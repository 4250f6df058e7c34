"""A child's phone that gets past the rules: the adults are told once, and when it is mended."""

import json
import time

import pytest

from household import Browser, Server, Upstream, eventually
from lan import at
from test_clock_jumps import MachineTime
from test_look import SIZES, Visitor, chromium  # noqa: F401 (a fixture)
from test_webhooks import HERE, NOTEBOOK, RECEIVER, THERE, Home, child_at_the_receiver, opened

VPN = "www.nordvpn.com"
LIMIT = {"limits": [{"app": "tiktok", "minutes": 30}]}


@pytest.fixture
def clock(tmp_path):
    return MachineTime(tmp_path)


@pytest.fixture
def home(tmp_path, clock):
    """The receiver's machine is the phone of Ada, a child with a limit, and hears of notices."""
    clock.set(is_synchronised=True)
    with opened(Home(tmp_path, clock.environment)) as home:
        child_at_the_receiver(home)
        home.api("PUT", "/api/v1/limits?person=2", LIMIT)
        notes = home.run(RECEIVER, NOTEBOOK, THERE, "8131")
        eventually(lambda: notes.lines)
        home.add(f"http://{THERE}:8131/", "notice.raised", "notice.cleared")
        home.heard = lambda: [
            (body["event"], body["data"]["notice"], body["person"])
            for body in (json.loads(json.loads(line)["body"]) for line in notes.lines[1:])
            if body["data"]["notice"].startswith("way-out-")]
        yield home


def asked(name):
    """What the phone's own question for a name gets."""
    return at(RECEIVER, "dig", "+short", f"@{HERE}", name).stdout.split()


def open_page(home):
    reply = home.curl("/my-rules", "-H", "Accept: text/html", "-o", "/dev/null", "-w", "%{http_code}")
    assert reply.stdout == "200", reply.stdout


def phone(home):
    [found] = [one for one in home.api("GET", "/api/v1/devices") if one["person"] == 2]
    return found


def seen(home):
    return [one["kind"] for one in phone(home)["waysOut"]]


def test_a_vpn_and_another_dns_server_on_a_childs_phone_are_told_once(home, clock):
    eventually(lambda: asked(VPN) == [HERE], 10)
    number = phone(home)["id"]
    vpn = ("notice.raised", f"way-out-vpn-{number}", "Ada")
    eventually(lambda: home.heard() == [vpn], 10)
    assert seen(home) == ["vpn"]
    assert any(line["kind"] == "wayOutSeen" for line in home.api("GET", "/api/v1/log?person=2")["entries"])

    # From now on it asks nobody here for names, and opens two pages.
    time.sleep(2)
    open_page(home)
    clock.set(360, is_synchronised=True)
    open_page(home)
    # A look at the house is made twice a minute; a minute after it, the page's word counts.
    time.sleep(40)
    assert seen(home) == ["vpn"]
    clock.set(440, is_synchronised=True)
    elsewhere = f"way-out-asks-elsewhere-{number}"
    eventually(lambda: home.heard() == [vpn, ("notice.raised", elsewhere, "Ada")], 10)
    home.server.terminate()
    home.server.wait(10)
    home.start()
    eventually(lambda: sorted(seen(home)) == ["asks-elsewhere", "vpn"])

    # It asks here again, and looks the VPN up once more.
    assert asked(VPN) == [HERE]
    eventually(lambda: ("notice.cleared", elsewhere, "Ada") in home.heard(), 40)
    assert seen(home) == ["vpn"] and len(home.heard()) == 3


def test_home_says_it_at_each_size(chromium, tmp_path):
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    owner = Browser(server).log_in().enroll()
    owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
    tablet = "127.0.0.3"
    server.ask("example.org", source=tablet)
    found = eventually(lambda: [one for one in owner.get("/api/v1/devices").json() if tablet in one["addresses"]])
    owner.post(f"/devices/{found[0]['id']}", {"name": "Tablet", "kind": "tablet", "owner": "2"}, page="/devices")
    owner.post("/limits", {"person": "2", "app": "tiktok", "minutes": "30"}, page="/limits?person=2")
    eventually(lambda: server.addresses(VPN, source=tablet) == ["127.0.0.1"])
    eventually(lambda: "“Tablet” of Ada looked up a VPN" in owner.get("/").text, 40)
    visitor = Visitor(chromium, server, SIZES)
    visitor.log_in()
    for name, path in {"ways-out-home": "/", "ways-out-status": "/health", "ways-out-log": "/my-rules?person=2"}.items():
        visitor.look(name, path)
    assert visitor.noise == []
    visitor.close()
    server.stop()
    upstream.close()
