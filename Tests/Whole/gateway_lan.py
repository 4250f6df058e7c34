"""A routed home: three devices behind a gateway with the server, and an internet with DNS, web and call servers."""

import html
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from gateway_scripts import WORLD
from household import BINARY, PASSCODE, eventually
from lan import machine

GATEWAY, PHONE, OTHER, TELEVISION, INTERNET = map(machine, ("g-way", "g-phone", "g-other", "g-tv", "g-net"))
HOME = {"v4": "10.79.0.1", "v6": "fd79::1"}
DEVICES = {PHONE: 2, OTHER: 3, TELEVISION: 4}
ELSEWHERE = {"v4": "8.8.8.8", "v6": "2001:4860:4860::8888"}
"""The answers of a foreign DNS server to all questions."""
STRANGE = {"v4": "198.18.0.66", "v6": "2001:db8:bad::66"}
HOSTS = {
    "video": {"v4": "203.0.113.10", "v6": "2001:db8:99::10"},
    "calm": {"v4": "203.0.113.20", "v6": "2001:db8:99::20"},
    "shared": {"v4": "203.0.113.30", "v6": "2001:db8:99::30"},
    # Becomes known as a shared address only in the middle of the night.
    "late": {"v4": "203.0.113.40", "v6": "2001:db8:99::40"},
    # Servers of encrypted DNS: the addresses of the first are on no list, the second is in a network that is on one.
    "doh": {"v4": "203.0.113.50", "v6": "2001:db8:99::50"},
    "nextdns": {"v4": "45.90.28.7", "v6": "2a07:a8c0::7"},
}
NAMES = {
    "www.video.example": "video", "www.calm.example": "calm",
    "api.video.example": "shared", "api.calm.example": "shared",
    "late.video.example": "late", "late.calm.example": "late",
    "doh.libredns.gr": "doh", "dns.nextdns.io": "nextdns",
}
DOT, DOH = {"v4": "9.9.9.9", "v6": "2620:fe::fe"}, {"v4": "1.1.1.1", "v6": "2606:4700:4700::1111"}
KIND = {"v4": "A", "v6": "AAAA"}

def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def at(place, *words, **options):
    return subprocess.run(
        ["ip", "netns", "exec", place, *map(str, words)], capture_output=True, text=True, timeout=30, **options)


def dig(place, name, kind="A", server=HOME["v4"], *flags):
    words = ["dig", "+short", "+timeout=2", "+tries=1", *flags, f"@{server}", name, kind]
    lines = at(place, *words).stdout.split("\n")
    return [line for line in lines if line and not line.startswith(";")]


def connects(place, address, port, source=None):
    """`open`, or the name of the error."""
    script = """
import socket, sys
source = (sys.argv[3], 0) if len(sys.argv) > 3 else None
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=3, source_address=source).close()
    print("open")
except OSError as error:
    print(type(error).__name__)
"""
    words = [source] if source else []
    return at(place, sys.executable, "-c", script, address, port, *words).stdout.strip()


class Home:
    def __init__(self):
        # Not below root's folders, so that the server can change its user.
        self.folder = Path(tempfile.mkdtemp(prefix="sleep-inducer-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        self.children, self.server = [], None
        self.jar = str(self.folder / "jar")

    def build(self):
        for place in (GATEWAY, INTERNET, *DEVICES):
            ip("netns", "add", place)
            ip("-n", place, "link", "set", "lo", "up")
            at(place, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")
        ip("-n", GATEWAY, "link", "add", "br0", "type", "bridge")
        ip("-n", GATEWAY, "addr", "add", f"{HOME['v4']}/24", "dev", "br0")
        ip("-n", GATEWAY, "-6", "addr", "add", f"{HOME['v6']}/64", "dev", "br0", "nodad")
        ip("-n", GATEWAY, "link", "set", "br0", "up")
        for place, number in DEVICES.items():
            ip("link", "add", f"port{number}", "netns", GATEWAY, "type", "veth", "peer", "name", "wlan0", "netns", place)
            ip("-n", GATEWAY, "link", "set", f"port{number}", "master", "br0", "up")
            ip("-n", place, "addr", "add", f"10.79.0.{number}/24", "dev", "wlan0")
            ip("-n", place, "-6", "addr", "add", f"fd79::{number}/64", "dev", "wlan0", "nodad")
            ip("-n", place, "link", "set", "wlan0", "up")
            ip("-n", place, "route", "add", "default", "via", HOME["v4"])
            ip("-n", place, "-6", "route", "add", "default", "via", HOME["v6"])
        ip("link", "add", "wan0", "netns", GATEWAY, "type", "veth", "peer", "name", "eth0", "netns", INTERNET)
        for place, name, number in ((GATEWAY, "wan0", 1), (INTERNET, "eth0", 2)):
            ip("-n", place, "addr", "add", f"198.51.100.{number}/24", "dev", name)
            ip("-n", place, "-6", "addr", "add", f"2001:db8:51::{number}/64", "dev", name, "nodad")
            ip("-n", place, "link", "set", name, "up")
        for address in [a for group in (*HOSTS.values(), ELSEWHERE, DOT, DOH) for a in group.values()]:
            ip("-n", INTERNET, "addr", "add", address, "dev", "lo")
            ip("-n", GATEWAY, "route", "add", address, "via", "2001:db8:51::2" if ":" in address else "198.51.100.2")
        ip("-n", INTERNET, "-6", "route", "add", "fd79::/64", "via", "2001:db8:51::1")
        at(GATEWAY, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        # Such a machine has its own firewall, which lets answers through, and one address outside.
        firewall = """
            table inet firewall {
                chain forward { type filter hook forward priority filter; policy drop;
                    ct state established,related accept
                    iifname "br0" accept
                }
            }
            table ip outside {
                chain out { type nat hook postrouting priority srcnat; oifname "wan0" masquerade; }
            }"""
        made = at(GATEWAY, "nft", "-f", "-", input=firewall)
        assert made.returncode == 0, made.stderr
        settings = {"hosts": HOSTS, "names": NAMES, "strange": STRANGE, "elsewhere": ELSEWHERE,
                    "upstream": "198.51.100.2", "dot": DOT, "doh": DOH}
        world = subprocess.Popen(
            ["ip", "netns", "exec", INTERNET, sys.executable, "-c", WORLD, json.dumps(settings)],
            stdout=subprocess.PIPE, text=True)
        self.children.append(world)
        assert world.stdout.readline() == "ready\n"

    def serve(self, *flags):
        log = open(self.folder / "log", "ab")
        self.server = subprocess.Popen(
            ["ip", "netns", "exec", GATEWAY, BINARY, "serve", "--data", str(self.folder / "data"), "--gateway", "br0",
             "--upstream", "198.51.100.2", "--passcode", PASSCODE, "--time-zone", "Europe/Berlin", *flags],
            stdout=log, stderr=log)
        eventually(lambda: self.curl("-f", "http://127.0.0.1/healthz").returncode == 0, 20)
        for server in HOME.values():
            eventually(lambda: dig(TELEVISION, "www.calm.example", server=server), 20)

    def log_in(self):
        self.curl("-c", self.jar, "-d", f"passcode={PASSCODE}", "http://127.0.0.1/login")

    def curl(self, *words):
        return at(GATEWAY, "curl", "-s", "-m", "20", *words)

    def page(self, path):
        return html.unescape(self.curl("-b", self.jar, f"http://127.0.0.1{path}").stdout)

    def post(self, path, page, *pairs):
        """Submits a form; returns the time when it was sent."""
        token = re.search(r'name="?csrf"? value="([^"]+)"', self.page(page)).group(1)
        words = [word for pair in (("csrf", token), *pairs) for word in ("--data-urlencode", "=".join(pair))]
        sent = time.monotonic()
        reply = self.curl("-b", self.jar, "-w", "\n%{http_code}", *words, f"http://127.0.0.1{path}").stdout
        assert reply.endswith("303"), reply
        return sent

    def export(self):
        text = subprocess.run(
            [BINARY, "export", "--data", str(self.folder / "data")], capture_output=True, text=True).stdout
        return json.loads(text)

    def device(self, number):
        return next((d for d in self.export()["devices"] if f"10.79.0.{number}" in d["addresses"]), None)

    def enrol(self):
        """Gives the phone to Me, who may use calm.example at night, and the other device to Ada."""
        for place in (PHONE, OTHER):
            for server in HOME.values():
                dig(place, "www.calm.example", server=server)
        self.post("/settings/people", "/settings", ("name", "Ada"), ("role", "child"))
        self.post("/allowed-apps", "/allowed-apps", ("domain", "calm.example"))
        owners = {person["name"]: person["id"] for person in self.export()["people"]}
        for number, owner in ((2, "Me"), (3, "Ada")):
            device = eventually(lambda: self.device(number), 5)
            self.post(f"/devices/{device['id']}", "/devices", ("name", f"device {number}"), ("kind", "phone"),
                      ("owner", str(owners[owner])))

    def sleep(self, strictness="strict"):
        return self.post("/session", "/session", ("durationMinutes", "60"), ("strictness", strictness))

    def reset(self):
        return self.post("/settings/reset", "/settings", ("confirm", "reset"))

    def tables(self):
        return at(GATEWAY, "nft", "list", "tables").stdout

    def rules(self):
        return at(GATEWAY, "nft", "list", "table", "inet", "sleep_inducer").stdout

    def close(self):
        for child in [self.server, *self.children]:
            if child and child.poll() is None:
                child.terminate()
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    child.kill()
        for place in (GATEWAY, INTERNET, *DEVICES):
            subprocess.run(["ip", "netns", "del", place], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def open_home():
    """The network without a server; skipped if namespaces are not allowed."""
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    for place in (GATEWAY, INTERNET, *DEVICES):
        subprocess.run(["ip", "netns", "del", place], capture_output=True)
    home = Home()
    try:
        home.build()
    except subprocess.CalledProcessError as error:
        home.close()
        pytest.skip(f"this machine makes no such network: {error.stderr}")
    except BaseException:
        home.close()
        raise
    return home


@pytest.fixture
def home():
    """The network, with the server on its gateway and a browser logged in there."""
    home = open_home()
    try:
        home.serve()
        home.log_in()
        yield home
    finally:
        home.close()
