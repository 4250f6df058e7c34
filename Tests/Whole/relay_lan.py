"""A LAN whose only way out is the server, until `open_way`: a phone, a guest, and the world behind the server."""

import re
import sys
import time
from pathlib import Path

import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, begin, cable, ip, machine, machines

SERVER, PHONE, GUEST, WORLD = map(machine, ("r-server", "r-phone", "r-guest", "r-world"))
IPV6 = {SERVER: "2001:db8:79::1", PHONE: "2001:db8:79::2"}
SHIELD, HOST = "10.79.0.1", "198.51.100.9"


@pytest.fixture
def lan(tmp_path, request):
    """A phone and a guest, the server that they ask, and the world behind it: there is no other way out."""
    with machines(SERVER, PHONE, GUEST, WORLD):
        ip("-n", SERVER, "link", "add", "br0", "type", "bridge")
        ip("-n", SERVER, "addr", "add", f"{SHIELD}/24", "dev", "br0")
        ip("-n", SERVER, "link", "set", "br0", "up")
        cable(SERVER, "port2", PHONE, "wlan0", address="10.79.0.2/24", bridge="br0")
        cable(SERVER, "port3", GUEST, "wlan0", address="10.79.0.3/24", bridge="br0")
        cable(SERVER, "world0", WORLD, "eth0", address="203.0.113.9/24")
        ip("-n", WORLD, "addr", "add", f"{HOST}/32", "dev", "lo")
        ip("-n", SERVER, "addr", "add", "203.0.113.1/24", "dev", "world0")
        ip("-n", SERVER, "route", "add", "198.51.100.0/24", "via", "203.0.113.9")
        for place, door in ((SERVER, "br0"), (PHONE, "wlan0")):
            ip("-n", place, "-6", "addr", "add", f"{IPV6[place]}/64", "dev", door, "nodad")
        children = [begin(WORLD, sys.executable, str(Path(__file__).with_name("world.py")), HOST)]
        with open(tmp_path / "log", "wb") as log:
            children.append(begin(
                SERVER, BINARY, "serve", "--data", str(tmp_path / "data"), "--upstream", HOST, "--passcode", PASSCODE,
                "--time-zone", "Europe/Berlin", *getattr(request, "param", ()), stdout=log, stderr=log))
        try:
            eventually(lambda: at(PHONE, "curl", "-sf", "-m", "2", f"http://{SHIELD}/healthz").returncode == 0, 20)
            eventually(lambda: dig(SERVER, f"ready{time.time_ns()}.example") == [HOST], 20)
            yield tmp_path
        finally:
            for child in reversed(children):
                child.terminate()
                child.wait(10)


def open_way():
    """The server's machine routes the phone's packets to the world, like any router."""
    at(SERVER, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
    ip("-n", PHONE, "route", "add", "default", "via", SHIELD)
    ip("-n", WORLD, "route", "add", "10.79.0.0/24", "via", "203.0.113.1")


def dig(place, name, kind="A"):
    return at(place, "dig", "+short", "+timeout=2", f"@{SHIELD}", name, kind).stdout.split()


def curl(*words, place=PHONE):
    return at(place, "curl", "-sk", "-m", "20", *words)


def to_shield(name):
    return [word for port in (80, 443) for word in ("--resolve", f"{name}:{port}:{SHIELD}")]


def stale(url, *words, place=PHONE):
    """Opens a page with a DNS answer from the time when its name was blocked."""
    name = re.match(r"https?://([^/]+)", url).group(1)
    return curl(*to_shield(name), "-w", "\n%{http_code}", *words, url, place=place)


class Owner:
    """A person with the passcode, on the phone, without script."""

    def __init__(self, jar):
        self.jar = str(jar)
        curl("-c", self.jar, "-d", f"passcode={PASSCODE}", f"http://{SHIELD}/login")
        self.post("/devices/enroll", page="/devices")

    def post(self, path, page=None, **fields):
        text = curl("-b", self.jar, f"http://{SHIELD}{page or path}").stdout
        token = re.search(r'name="?csrf"? value="([^"]+)"', text).group(1)
        form = [word for key, value in {"csrf": token, **fields}.items() for word in ("-d", f"{key}={value}")]
        return curl("-b", self.jar, *form, f"http://{SHIELD}{path}")

    def start(self):
        self.post("/session", durationMinutes=60, strictness="flexible")
        eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)

    def reset(self):
        self.post("/settings/reset", page="/settings", confirm="reset")
        eventually(lambda: dig(PHONE, "tiktok.com") == [HOST], 2)
