"""A home with a router that knows names: who comes back with a new hardware address, and who asks for everybody."""

import html
import json
import os
import re
import subprocess
import sys
import time

import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, ip

SERVER, ROUTER, PHONE, DOORBELL = "sid-server", "sid-router", "sid-phone", "sid-doorbell"
SHIELD, GATEWAY = "10.78.0.1", "10.78.0.254"
OLD, NEW = ("02:78:00:00:00:02", "10.78.0.2"), ("da:a1:19:00:00:12", "10.78.0.12")
UPSTREAM = """
import socket, sys
import dns.message, dns.rrset, dns.rdatatype
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind(("127.0.0.1", 5398))
log = open(sys.argv[1], "a", buffering=1)
while True:
    data, peer = door.recvfrom(4096)
    query = dns.message.from_wire(data)
    question = query.question[0]
    print(dns.rdatatype.to_text(question.rdtype), question.name, file=log)
    reply = dns.message.make_response(query)
    if question.rdtype == dns.rdatatype.A:
        reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", "A", "203.0.113.9"))
    door.sendto(reply.to_wire(), peer)
"""
RESPONDER = """
import socket, sys
import dns.message, dns.rrset, dns.rdatatype
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind((sys.argv[1], 5353))
while True:
    data, peer = door.recvfrom(4096)
    query = dns.message.from_wire(data)
    reply = dns.message.make_response(query)
    if query.question[0].rdtype == dns.rdatatype.PTR:
        reply.answer.append(dns.rrset.from_text(query.question[0].name, 10, "IN", "PTR", sys.argv[2]))
    door.sendto(reply.to_wire(), peer)
"""
NAMES = r"""
import json, socket, sys
import dns.message, dns.name, dns.rrset, dns.rdatatype, dns.rcode, dns.reversename
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind(("10.78.0.254", 53))
log = open(sys.argv[1], "a", buffering=1)
names = {
    "10.78.0.2": "adas-iphone.fritz.box.", "10.78.0.12": "Adas-iPhone.fritz.box.",
    "10.78.0.3": "<script>door\\027\\226\\128\\174bell\\.lan</script>.lan.", "10.78.0.254": "box.lan.",
}
while True:
    data, peer = door.recvfrom(4096)
    query = dns.message.from_wire(data)
    question = query.question[0]
    print(dns.rdatatype.to_text(question.rdtype), question.name, file=log)
    reply = dns.message.make_response(query)
    name = names.get(dns.reversename.to_address(question.name)) if question.rdtype == dns.rdatatype.PTR else None
    if name:
        reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", "PTR", name))
    else:
        reply.set_rcode(dns.rcode.NXDOMAIN)
    door.sendto(reply.to_wire(), peer)
"""


def dig(place, name, kind="A", server=SHIELD):
    return at(place, "dig", "+short", "+timeout=2", f"@{server}", name, kind).stdout.split()


def curl(*words, place=SERVER):
    return at(place, "curl", "-s", "-m", "10", *words)


def cable(place, number, hardware, address):
    ip("link", "add", f"port{number}", "netns", SERVER, "type", "veth", "peer", "name", "wlan0", "netns", place)
    ip("-n", SERVER, "link", "set", f"port{number}", "master", "br0", "up")
    join(place, hardware, address)


def join(place, hardware, address):
    """Comes to the Wi-Fi under a hardware address, and has the IP address that DHCP gives to it."""
    ip("-n", place, "link", "set", "wlan0", "down")
    ip("-n", place, "addr", "flush", "dev", "wlan0")
    ip("-n", place, "link", "set", "wlan0", "address", hardware)
    ip("-n", place, "addr", "add", f"{address}/24", "dev", "wlan0")
    ip("-n", place, "link", "set", "wlan0", "up")


class House:
    """The network, and a server in it that can be started with more flags."""

    def __init__(self, folder):
        self.folder, self.children = folder, []
        self.leases = folder / "misc"
        self.leases.mkdir()

    def serve(self, *flags, passcode=True):
        log = open(self.folder / "log", "ab")
        access = ["--passcode", PASSCODE] if passcode else []
        command = [BINARY, "serve", "--data", str(self.folder / "data"), "--upstream", "127.0.0.1:5398",
                   "--time-zone", "Europe/Berlin", *access, *flags]
        # The machine's own lease file, for this process only.
        script = 'mkdir -p /var/lib/misc && mount --bind "$0" /var/lib/misc && exec "$@"'
        self.children.append(subprocess.Popen(
            ["ip", "netns", "exec", SERVER, "sh", "-c", script, str(self.leases), *map(str, command)],
            stdout=log, stderr=log))
        eventually(lambda: curl("-f", "http://127.0.0.1/healthz").returncode == 0, 20)
        eventually(lambda: dig(SERVER, f"ready{time.time_ns()}.example") == ["203.0.113.9"], 20)
        if passcode:
            self.jar = str(self.folder / "jar")
            curl("-c", self.jar, "-d", f"passcode={PASSCODE}", f"http://{SHIELD}/login")
        return self

    def page(self, path):
        return html.unescape(curl("-b", self.jar, f"http://{SHIELD}{path}").stdout)

    def post(self, path, page="/devices", **fields):
        token = re.search(r'name="?csrf"? value="([^"]+)"', self.page(page)).group(1)
        words = [word for name, value in {"csrf": token, **fields}.items() for word in ("--data-urlencode", f"{name}={value}")]
        reply = curl("-b", self.jar, "-w", "\n%{redirect_url}\n%{http_code}", *words, f"http://{SHIELD}{path}").stdout
        body, _, status = reply.rpartition("\n")
        return int(status), html.unescape(body)

    def devices(self):
        text = subprocess.run(
            [BINARY, "export", "--data", str(self.folder / "data")], capture_output=True, text=True).stdout
        return json.loads(text)["devices"]

    def device(self, address):
        return next((device for device in self.devices() if address in device["addresses"]), None)

    def named(self, address, name, seconds=30):
        return eventually(lambda: (self.device(address) or {}).get("name") == name and self.device(address), seconds)

    def stop(self):
        for child in self.children:
            child.terminate()
            child.wait(10)


@pytest.fixture
def home(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    places = (SERVER, ROUTER, PHONE, DOORBELL)
    for place in places:
        subprocess.run(["ip", "netns", "del", place], capture_output=True)
    house = House(tmp_path)
    try:
        try:
            for place in places:
                ip("netns", "add", place)
                ip("-n", place, "link", "set", "lo", "up")
        except subprocess.CalledProcessError:
            pytest.skip("this machine makes no network namespaces")
        ip("-n", SERVER, "link", "add", "br0", "type", "bridge")
        ip("-n", SERVER, "addr", "add", f"{SHIELD}/24", "dev", "br0")
        ip("-n", SERVER, "link", "set", "br0", "up")
        cable(ROUTER, 254, "3c:78:00:00:00:fe", GATEWAY)
        cable(PHONE, 2, *OLD)
        cable(DOORBELL, 3, "3c:78:00:00:00:03", "10.78.0.3")
        ip("-n", SERVER, "route", "add", "default", "via", GATEWAY)
        for place, script, log in ((SERVER, UPSTREAM, "asked"), (ROUTER, NAMES, "router")):
            house.children.append(subprocess.Popen(
                ["ip", "netns", "exec", place, sys.executable, "-c", script, str(tmp_path / log)]))
        yield house
    finally:
        house.stop()
        for place in places:
            subprocess.run(["ip", "netns", "del", place], capture_output=True)


def test_a_phone_comes_back_with_a_new_hardware_address(home):
    home.serve()
    dig(PHONE, "example.org")
    dig(DOORBELL, "example.org")
    # The router's reverse DNS names them, and a rude name is only letters.
    phone = home.named(OLD[1], "adas-iphone")
    home.named("10.78.0.3", "scriptdoorbell")

    assert home.post("/settings/people", page="/settings", name="Ada", role="child")[0] == 303
    ada = next(person["id"] for person in json.loads(subprocess.run(
        [BINARY, "export", "--data", str(home.folder / "data")], capture_output=True, text=True).stdout)["people"]
        if person["name"] == "Ada")
    assert home.post(f"/devices/{phone['id']}", name="Ada's phone", kind="phone", owner=ada)[0] == 303
    assert home.post(f"/session?person={ada}", page=f"/session?person={ada}", person=ada, durationMinutes=60,
                     strictness="strict")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)

    # Whoever comes within the second in which a session began may have been there before it.
    time.sleep(1.2)
    # Ada has her phone make up another address: it is a stranger, and nothing happens by itself.
    join(PHONE, *NEW)
    eventually(lambda: dig(PHONE, "tiktok.com") == ["203.0.113.9"], 5)
    stranger = home.named(NEW[1], "Adas-iPhone")
    page = home.page("/devices")
    assert f'action="/devices/{stranger["id"]}/merge"' in page and "Is this <bdi>Ada's phone</bdi>?" in page
    assert "Some devices made up their own Wi-Fi address" in page
    eventually(lambda: "A new device may be “Ada's phone” with a new address." in home.page("/health"), 20)
    assert dig(PHONE, "tiktok.com") == ["203.0.113.9"]

    # One tap, while the strict session runs: it only blocks more.
    assert home.post(f"/devices/{stranger['id']}/merge", known=phone["id"])[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    merged = home.device(NEW[1])
    assert (merged["id"], merged["name"], merged["kind"], merged["person"]) == (phone["id"], "Ada's phone", "phone", ada)
    assert merged["hardwareAddress"] == NEW[0] and merged["formerHardwareAddresses"] == [OLD[0]]
    assert len(home.devices()) == 3 and "/merge" not in home.page("/devices")
    # And back again: it is the same phone, without being asked.
    join(PHONE, *OLD)
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    assert dig(DOORBELL, "tiktok.com") == ["203.0.113.9"]
    refused = home.post(f"/devices/{phone['id']}", owner="")
    assert refused[0] == 409 and "Ada has a strict session running" in refused[1], json.dumps([refused, home.devices()])

    # It was another child's phone after all: undone, also tonight, because it came during the session; each is blocked or
    # not as it was, and the question is back.
    undone = home.post(f"/devices/{phone['id']}/unmerge")
    assert undone[0] == 303, undone
    assert len(home.devices()) == 4 and f'action="/devices/{stranger["id"]}/merge"' in home.page("/devices")
    assert home.device(OLD[1])["person"] == ada and home.device(NEW[1])["id"] == stranger["id"]
    assert home.device(OLD[1])["hardwareAddress"] == OLD[0] and "person" not in home.device(NEW[1])
    assert dig(PHONE, "tiktok.com") == [SHIELD]
    join(PHONE, *NEW)
    eventually(lambda: dig(PHONE, "tiktok.com") == ["203.0.113.9"], 5)

    asked = (home.folder / "router").read_text().lower().split("\n")
    assert asked and all(line.startswith("ptr ") and line.endswith("78.10.in-addr.arpa.") for line in asked if line)
    assert len(asked) < 20, "at first sight, and not with every question"
    assert "PTR" not in (home.folder / "asked").read_text()


def test_a_lease_names_before_the_router_and_a_person_before_both(home):
    (home.leases / "dnsmasq.leases").write_text(
        f"1795262400 {OLD[0]} 10.78.0.77 Kims-Pixel *\n1 {'x' * 5000}\n\0\n1 nonsense\n")
    home.serve()
    dig(PHONE, "example.org")
    phone = home.named(OLD[1], "Kims-Pixel")
    page = home.page("/devices")
    assert "Your network calls it that." in page and '<option value="phone" selected>' in page
    assert phone["kind"] == "other", "a guess decides nothing"
    assert home.post(f"/devices/{phone['id']}", name="Kim's")[0] == 303
    # After a restart it is looked up again, and stays what Kim calls it.
    (home.leases / "dnsmasq.leases").write_text(f"1795262400 {OLD[0]} {OLD[1]} Other *\n")
    home.children.pop().terminate()
    time.sleep(1)
    home.serve()
    dig(PHONE, "two.example")
    eventually(lambda: home.device(OLD[1])["networkName"] == "Other", 30)
    assert home.device(OLD[1])["name"] == "Kim's"


def test_a_device_that_nobody_knows_says_its_name_itself(home):
    join(DOORBELL, "3c:78:00:00:00:30", "10.78.0.30")
    home.children.append(subprocess.Popen(
        ["ip", "netns", "exec", DOORBELL, sys.executable, "-c", RESPONDER, "10.78.0.30", "Kims-Tablet.local."]))
    home.serve()
    dig(DOORBELL, "example.org")
    home.named("10.78.0.30", "Kims-Tablet")


def test_a_router_that_asks_for_everybody_is_never_enrolled_by_a_rule(home):
    home.serve("--new-devices", "me")
    dig(ROUTER, "example.org")
    dig(PHONE, "example.org")
    phone = home.named(OLD[1], "adas-iphone")
    router = home.named(GATEWAY, "box")
    assert phone["person"] and not router.get("person")
    assert home.post("/session", page="/session", durationMinutes=60, strictness="flexible")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    assert dig(ROUTER, "tiktok.com") == ["203.0.113.9"], "the doorbell behind it"
    assert "This is your router. Everything behind it asks as one device" in home.page("/devices")
    status, page = home.post(f"/devices/{router['id']}", name="Box", owner="1")
    assert status == 422 and "doorbells too" in page and not home.device(GATEWAY).get("person")
    assert home.post(f"/devices/{router['id']}", owner="1", confirm="router")[0] == 303
    eventually(lambda: dig(ROUTER, "tiktok.com") == [SHIELD], 5)


def test_set_up_is_refused_from_elsewhere(home):
    home.serve(passcode=False)
    ip("-n", DOORBELL, "addr", "add", "198.51.100.7/32", "dev", "wlan0")
    ip("-n", SERVER, "route", "add", "198.51.100.7/32", "dev", "br0")
    code = ["-w", "%{http_code}"]
    assert curl(*code, f"http://{SHIELD}/setup", place=PHONE).stdout.endswith("200")
    away = curl(*code, "--interface", "198.51.100.7", f"http://{SHIELD}/setup", place=DOORBELL).stdout
    assert away.endswith("403") and "own network, and this browser asks from 198.51.100.7" in away
    posted = curl(*code, "--interface", "198.51.100.7", "-d", "code=1", f"http://{SHIELD}/setup", place=DOORBELL).stdout
    assert posted.endswith("403")
