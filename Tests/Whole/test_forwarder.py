"""A router forwards the home's questions and names the device in each: real dnsmasq with add-mac and strip-mac."""

import json
import subprocess
import sys

import pytest

from device_lan import DOORBELL, GATEWAY, OLD, PHONE, ROUTER, SERVER, SHIELD, curl, dig
from household import BINARY, eventually
from lan import begin, ip

PORT = 5354
REAL = ["203.0.113.9"]
DOORBELLS = "3c:78:00:00:00:03"


def forward(home, *flags, place=ROUTER, at=GATEWAY, server=SHIELD):
    """Starts dnsmasq as a home's router runs it, with this server as its upstream."""
    home.children.append(begin(
        place, "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--pid-file=",
        "--user=root", "--strip-mac", f"--port={PORT}", f"--listen-address={at}", "--bind-interfaces", f"--server={server}",
        *flags))
    eventually(lambda: through(DOORBELL, "ready.example", at=at) == REAL, 10)


def through(place, name, *words, at=GATEWAY):
    return dig(place, name, "A", "-p", str(PORT), *words, server=at)


def lies(hardware):
    """Options of a device that claims to be another, in each form that a router uses."""
    return ([f"+ednsopt=65001:{hardware.replace(':', '')}"], [f"+ednsopt=65073:{hardware.encode().hex()}"])


def by_hardware(home, address):
    return next((device for device in home.devices() if device.get("hardwareAddress") == address), None)


def adas(home, device):
    """Makes a device a child's."""
    assert home.post("/settings/people", page="/settings", name="Ada", role="child")[0] == 303
    ada = next(person["id"] for person in json.loads(subprocess.run(
        [BINARY, "export", "--data", str(home.folder / "data")], capture_output=True, text=True).stdout)["people"]
        if person["name"] == "Ada")
    assert home.post(f"/devices/{device['id']}", name="Ada's phone", kind="phone", owner=ada)[0] == 303
    return ada


@pytest.mark.parametrize("form", ["--add-mac", "--add-mac=text", "--add-mac=base64"])
def test_devices_behind_a_forwarder_have_their_own_rules(home, form):
    home.serve("--forwarder", GATEWAY)
    forward(home, form)
    assert through(PHONE, "tiktok.com") == REAL
    phone = eventually(lambda: by_hardware(home, OLD[0]), 10)
    assert phone["addresses"] == [] and not phone.get("person")
    ada = adas(home, phone)
    assert home.post(f"/session?person={ada}", page=f"/session?person={ada}", person=ada, durationMinutes=60,
                     strictness="strict")[0] == 303
    # dnsmasq keeps no answers here, because an earlier answer was only for the device that asked.
    eventually(lambda: through(PHONE, "tiktok.com") == [SHIELD], 5)
    for _ in range(3):
        assert through(DOORBELL, "tiktok.com") == REAL, "another device's rules"
        assert through(PHONE, "tiktok.com") == [SHIELD]
    for lie in lies(DOORBELLS):
        assert through(PHONE, "tiktok.com", *lie) == [SHIELD], "Ada's phone says that it is the doorbell"
    for lie in lies(OLD[0]):
        assert through(DOORBELL, "tiktok.com", *lie) == REAL, "and the other way round"
    # dnsmasq passes on a long question and a signed question unchanged.
    for lie in ([], *lies(DOORBELLS)):
        assert through(PHONE, "tiktok.com", "+ednsopt=12:" + "00" * 600, *lie) == [SHIELD]
        assert SHIELD in through(PHONE, "tiktok.com", "-y", "hmac-sha256:key:bW9vbmxpZ2h0", *lie)
    assert through(DOORBELL, "tiktok.com") == REAL, "and nothing of it was kept"
    assert through(PHONE, "dns.google") == ["0.0.0.0"] and through(PHONE, "use-application-dns.net") == []

    # The phone opens the page itself: the server learns its address, and shows Ada's shield.
    shield = curl("-H", "Host: tiktok.com", f"http://{SHIELD}/", place=PHONE).stdout
    assert "tiktok.com" in shield and "Sleep Mode Active" in shield
    assert "Sleep Mode Active" not in curl("-H", "Host: tiktok.com", f"http://{SHIELD}/", place=DOORBELL).stdout
    assert curl("-w", "%{http_code}", "-o", "/dev/null", f"http://{SHIELD}/my-rules", place=PHONE).stdout == "200"
    eventually(lambda: by_hardware(home, OLD[0])["addresses"] == [OLD[1]], 10)
    assert "--forwarder" not in home.page("/health")


def test_nobody_else_is_believed_and_a_router_that_tries_is_told_of(home):
    home.serve()
    dig(PHONE, "example.org")
    phone = eventually(lambda: home.device(OLD[1]), 10)
    ada = adas(home, phone)
    assert home.post(f"/session?person={ada}", page=f"/session?person={ada}", person=ada, durationMinutes=60,
                     strictness="strict")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    option = [f"+ednsopt=65001:{OLD[0].replace(':', '')}"]
    assert dig(DOORBELL, "tiktok.com", "A", *option) == REAL, "the doorbell is not Ada's by saying so"
    doorbell = "+ednsopt=65001:3c7800000003"
    assert dig(PHONE, "tiktok.com", "A", doorbell) == [SHIELD], "and Ada's phone no doorbell"
    assert "--forwarder" not in home.page("/health"), "only a router may have been meant"
    forward(home, "--add-mac")
    through(PHONE, "tiktok.com")
    eventually(lambda: f"--forwarder {GATEWAY}" in home.page("/health"), 25)


def test_what_is_cut_at_once_passes_for_a_device_whose_address_nobody_knows(home):
    home.serve("--forwarder", GATEWAY)
    forward(home, "--add-mac")
    ip("-n", ROUTER, "addr", "add", f"{REAL[0]}/32", "dev", "lo")
    home.children.append(begin(
        ROUTER, sys.executable, "-m", "http.server", "80", "--bind", REAL[0], "--directory", "/usr/share/zoneinfo",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    through(PHONE, "example.org")
    phone = eventually(lambda: by_hardware(home, OLD[0]), 10)
    ada = adas(home, phone)
    assert home.post(f"/relay?person={ada}", page=f"/relay?person={ada}", person=ada, app="tiktok")[0] == 303
    eventually(lambda: through(PHONE, "tiktok.com") == [SHIELD], 5)
    assert through(DOORBELL, "tiktok.com") == REAL
    status = ["-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: tiktok.com"]
    assert curl(*status, f"http://{SHIELD}/", place=PHONE).stdout == "200"
    assert by_hardware(home, OLD[0])["addresses"] == []


def test_a_forwarder_beside_it_leads_nobody_to_themselves(home):
    """A forwarder such as Pi-hole on the same machine asks over loopback; its devices get this machine's LAN
    address."""
    home.serve("--forwarder", "127.0.0.1")
    forward(home, "--add-mac", "--cache-size=0", place=SERVER, at=SHIELD, server="127.0.0.1")
    through(PHONE, "example.org", at=SHIELD)
    phone = eventually(lambda: by_hardware(home, OLD[0]), 10)
    ada = adas(home, phone)
    assert home.post(f"/relay?person={ada}", page=f"/relay?person={ada}", person=ada, app="tiktok")[0] == 303
    eventually(lambda: through(PHONE, "tiktok.com", at=SHIELD) == [SHIELD], 5)
    assert home.post(f"/session?person={ada}", page=f"/session?person={ada}", person=ada, durationMinutes=60,
                     strictness="strict")[0] == 303
    eventually(lambda: through(PHONE, "neverssl.com", at=SHIELD) == [SHIELD], 5)
    assert through(PHONE, "sleep.home.arpa", at=SHIELD) == [SHIELD]
    assert through(DOORBELL, "neverssl.com", at=SHIELD) == REAL
    shield = curl("-H", "Host: neverssl.com", f"http://{SHIELD}/", place=PHONE).stdout
    assert "Sleep Mode Active" in shield
