"""A home network: a server and two phones in network namespaces, joined by a bridge, over IPv4 and IPv6."""

import contextlib
import json
import re
import subprocess
import sys
import time

import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, ip, machine, machines

SERVER, PHONE, DOORBELL = map(machine, ("l-server", "l-phone", "l-doorbell"))
SHIELD = "10.77.0.1"
UPSTREAM = """
import socket, sys
import dns.message, dns.rrset, dns.rdatatype
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind(("127.0.0.1", 5399))
while True:
    data, peer = door.recvfrom(4096)
    query = dns.message.from_wire(data)
    reply = dns.message.make_response(query)
    if query.question[0].rdtype == dns.rdatatype.A:
        reply.answer.append(dns.rrset.from_text(query.question[0].name, 300, "IN", "A", "203.0.113.9"))
    door.sendto(reply.to_wire(), peer)
"""


def dig(place, name, kind="A", server=SHIELD):
    return at(place, "dig", "+short", "+timeout=2", f"@{server}", name, kind).stdout.split()


def cable(place, number):
    ip("link", "add", f"port{number}", "netns", SERVER, "type", "veth", "peer", "name", "wlan0", "netns", place)
    ip("-n", SERVER, "link", "set", f"port{number}", "master", "br0", "up")
    ip("-n", place, "addr", "add", f"10.77.0.{number}/24", "dev", "wlan0")
    ip("-n", place, "-6", "addr", "add", f"fd77::{number}/64", "dev", "wlan0", "nodad")
    ip("-n", place, "link", "set", "wlan0", "up")


@pytest.fixture
def lan(tmp_path):
    """The network with a running server; skipped if namespaces are not allowed."""
    with machines(SERVER, PHONE, DOORBELL), contextlib.ExitStack() as children:
        ip("-n", SERVER, "link", "add", "br0", "type", "bridge")
        ip("-n", SERVER, "addr", "add", f"{SHIELD}/24", "dev", "br0")
        ip("-n", SERVER, "-6", "addr", "add", "fd77::1/64", "dev", "br0", "nodad")
        ip("-n", SERVER, "link", "set", "br0", "up")
        cable(PHONE, 2)
        cable(DOORBELL, 3)
        inside = ["ip", "netns", "exec", SERVER]
        children.callback(end, subprocess.Popen([*inside, sys.executable, "-c", UPSTREAM]))
        log = open(tmp_path / "log", "wb")
        children.callback(end, subprocess.Popen(
            [*inside, BINARY, "serve", "--data", str(tmp_path / "data"), "--upstream", "127.0.0.1:5399",
             "--passcode", PASSCODE, "--time-zone", "Europe/Berlin"], stdout=log, stderr=log))
        # Ready means everything: pages, both families of DNS, and the upstream behind it.
        eventually(lambda: at(PHONE, "curl", "-sf", "-m", "2", f"http://{SHIELD}/healthz").returncode == 0, 20)
        for server in (SHIELD, "fd77::1"):
            eventually(lambda: dig(SERVER, f"ready{time.time_ns()}.example", server=server) == ["203.0.113.9"], 20)
        yield tmp_path


def end(child):
    child.terminate()
    child.wait(10)


def curl(*words, place=PHONE):
    return at(place, "curl", "-s", "-m", "20", *words)


def press(jar, path, form="", page="/devices"):
    """Sends a page's form from the phone, like a browser without script."""
    shown = curl("-b", jar, f"http://{SHIELD}{page}").stdout
    token = re.search(r'name="?csrf"? value="([^"]+)"', shown).group(1)
    return curl("-b", jar, "-d", f"csrf={token}{form}", "-w", "%{redirect_url}", f"http://{SHIELD}{path}").stdout


def press_start(jar):
    """Signs in on the phone, enrols it and starts a strict session."""
    curl("-c", jar, "-d", f"passcode={PASSCODE}", f"http://{SHIELD}/login")
    press(jar, "/devices/enroll")
    press(jar, "/session", "&durationMinutes=60&strictness=strict", page="/session")


def test_one_phone_sleeps_and_the_doorbell_never_notices(lan):
    assert dig(PHONE, "tiktok.com") == ["203.0.113.9"]
    press_start(str(lan / "jar"))
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
    assert dig(PHONE, "tiktok.com", "AAAA") == ["fd77::1"], "the server's own address of the other family"
    eventually(lambda: dig(PHONE, "tiktok.com", server="fd77::1") == [SHIELD], 5)
    assert dig(DOORBELL, "tiktok.com") == ["203.0.113.9"]
    assert dig(DOORBELL, "tiktok.com", server="fd77::1") == ["203.0.113.9"]
    for address in (SHIELD, "[fd77::1]"):
        page = curl("-w", "%{http_code}", "--resolve", f"tiktok.com:80:{address}", "http://tiktok.com/").stdout
        assert page.endswith("403") and "Sleep Mode Active" in page
    refused = curl("-k", "--resolve", f"tiktok.com:443:{SHIELD}", "https://tiktok.com/")
    assert refused.returncode == 35, "an alert at once, no time-out"


def test_the_phones_two_addresses_are_one_device(lan):
    press_start(str(lan / "jar"))

    def devices():
        dig(PHONE, "one.example")
        dig(PHONE, "two.example", server="fd77::1")
        text = subprocess.run([BINARY, "export", "--data", str(lan / "data")], capture_output=True, text=True).stdout
        return [device for device in json.loads(text)["devices"] if device.get("person")]

    found = eventually(lambda: [d for d in devices() if {"10.77.0.2", "fd77::2"} <= set(d["addresses"])], 15)
    assert len(found) == 1 and len(found[0]["hardwareAddress"]) == 17


def test_an_address_that_comes_later_is_listened_on(lan):
    ip("-n", SERVER, "addr", "add", "10.77.0.99/24", "dev", "br0")
    eventually(lambda: dig(PHONE, "sleep.home.arpa", server="10.77.0.99") == ["10.77.0.99"], 6)
    ip("-n", SERVER, "addr", "del", "10.77.0.99/24", "dev", "br0")
    assert dig(PHONE, "sleep.home.arpa") == [SHIELD]


def stored(lan):
    text = subprocess.run([BINARY, "export", "--data", str(lan / "data")], capture_output=True, text=True).stdout
    return json.loads(text)


def doorbell_is_known(lan):
    """Asks from the doorbell until the server has its hardware address."""
    def is_known():
        assert dig(DOORBELL, "tiktok.com") == ["203.0.113.9"]
        return [d for d in stored(lan)["devices"] if "10.77.0.3" in d["addresses"] and d.get("hardwareAddress")]

    eventually(is_known, 10)


def address_of(place, before, after):
    """Changes a machine's IPv4 address by hand."""
    ip("-n", place, "addr", "del", f"{before}/24", "dev", "wlan0")
    ip("-n", place, "addr", "add", f"{after}/24", "dev", "wlan0")


def test_a_borrowed_address_brings_nobody_elses_rules(lan):
    """The doorbell asked a moment ago and is off; the phone takes its address, and is open for seconds only."""
    press_start(str(lan / "jar"))
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
    doorbell_is_known(lan)
    ip("-n", DOORBELL, "link", "set", "wlan0", "down")
    address_of(PHONE, "10.77.0.2", "10.77.0.3")
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 13)
    time.sleep(2)
    assert dig(PHONE, "tiktok.com") == [SHIELD], "and it stays so"
    # Both are recognised again as soon as they are back.
    address_of(PHONE, "10.77.0.3", "10.77.0.2")
    ip("-n", DOORBELL, "link", "set", "wlan0", "up")
    eventually(lambda: dig(DOORBELL, "tiktok.com") == ["203.0.113.9"], 15)
    assert dig(PHONE, "tiktok.com") == [SHIELD]


def test_behind_a_repeater_the_stricter_holds_until_somebody_says_who_it_is(lan):
    """The doorbell comes to a repeater that lends it the hardware address by which the phone is known."""
    jar = str(lan / "jar")
    press_start(jar)
    doorbell_is_known(lan)
    ip("-n", DOORBELL, "link", "set", "wlan0", "down")
    ip("-n", PHONE, "addr", "add", "10.77.0.3/24", "dev", "wlan0")
    # A repeater announces itself by a gratuitous ARP.
    ip("-n", SERVER, "neigh", "flush", "to", "10.77.0.3")

    def both():
        return [
            at(PHONE, "dig", "+short", "+timeout=1", "-b", own, f"@{SHIELD}", "tiktok.com").stdout.split()
            for own in ("10.77.0.2", "10.77.0.3")]

    def doorbell():
        return next(d for d in stored(lan)["devices"] if "10.77.0.3" in d["addresses"])

    def shown():
        page = curl("-b", jar, f"http://{SHIELD}/devices").stdout
        return re.search(rf'formaction="/devices/{doorbell()["id"]}/place" name="hardware" value="([^"]+)"', page)

    eventually(lambda: both() == [[SHIELD], [SHIELD]], 10)
    hardware = eventually(shown, 10).group(1)
    # Not out of the phone's strict session, though it is one tap otherwise.
    place = (f"/devices/{doorbell()['id']}/place", f"&hardware={hardware}")
    assert "Not now" in press(jar, *place)
    assert both() == [[SHIELD], [SHIELD]]
    press(jar, "/settings/reset", "&confirm=reset", page="/settings/reset")
    press(jar, "/session", "&durationMinutes=60&strictness=flexible", page="/session")
    eventually(lambda: both() == [[SHIELD], [SHIELD]], 5)
    assert "done=saved" in press(jar, *place)
    eventually(lambda: both() == [[SHIELD], ["203.0.113.9"]], 5)
    assert not shown()
    # Somebody new behind it has the rules of both, and the page asks whose it is.
    ip("-n", PHONE, "addr", "add", "10.77.0.7/24", "dev", "wlan0")
    def newcomer():
        return at(PHONE, "dig", "+short", "+timeout=1", "-b", "10.77.0.7", f"@{SHIELD}", "tiktok.com").stdout.split()

    eventually(lambda: newcomer() == [SHIELD], 10)
    new = eventually(lambda: next((d for d in stored(lan)["devices"] if "10.77.0.7" in d["addresses"]), None), 10)
    assert "until you say whose it is" in curl("-b", jar, f"http://{SHIELD}/devices").stdout
    time.sleep(2)
    assert newcomer() == [SHIELD]
    assert "done=saved" in press(jar, f"/devices/{new['id']}", "&belongs=nobody")
    eventually(lambda: newcomer() == ["203.0.113.9"], 5)
