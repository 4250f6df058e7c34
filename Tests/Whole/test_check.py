"""The live check in its own home: each obstacle between a phone and the server is really built, in namespaces."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from household import BINARY, PASSCODE, eventually
from lan import at, ip, machine
from test_lan import UPSTREAM
from test_look import SHOTS, SIZES, violations

PLACES = SERVER, ROUTER, PHONE, ELSEWHERE = [machine(f"c-{name}") for name in ("server", "router", "phone", "elsewhere")]
NUMBERS = {ROUTER: 254, PHONE: 2, ELSEWHERE: 53}
HOME = "10.78.0.1"
AGENTS = {
    "android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36",
    "ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1",
    "windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36",
}
# A resolver that knows no names: the phone's questions to it never come here.
STRANGER = """
import socket
import dns.message, dns.rcode
door = socket.socket(socket.AF_INET6, type=socket.SOCK_DGRAM)
door.bind(("::", 53))
while True:
    data, peer = door.recvfrom(4096)
    reply = dns.message.make_response(dns.message.from_wire(data))
    reply.set_rcode(dns.rcode.NXDOMAIN)
    door.sendto(reply.to_wire(), peer)
"""
# A phone's own resolver with two servers to choose from.
STUB = """
import socket, sys
import dns.message
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind(("127.0.0.53", 53))
there = socket.socket(socket.AF_INET6, type=socket.SOCK_DGRAM)
there.connect(("fd78::53", 53))
here = socket.socket(type=socket.SOCK_DGRAM)
here.connect(("10.78.0.1", 53))
while True:
    data, peer = door.recvfrom(4096)
    name = dns.message.from_wire(data).question[0].name.to_text()
    others = name.startswith("6.") if sys.argv[1] == "by name" else True
    if others:
        there.send(data)
    if not others or sys.argv[1] != "by name":
        here.send(data)
        answer = here.recv(4096)
    door.sendto(there.recv(4096) if others else answer, peer)
"""


class Lan:
    """A server, a router, a phone and a foreign resolver on one bridge."""

    def __init__(self, folder: Path):
        self.folder, self.children = folder, []

    def build(self):
        self.clear()
        for place in PLACES:
            ip("netns", "add", place)
            ip("-n", place, "link", "set", "lo", "up")
        ip("-n", SERVER, "link", "add", "br0", "type", "bridge")
        ip("-n", SERVER, "addr", "add", f"{HOME}/24", "dev", "br0")
        ip("-n", SERVER, "-6", "addr", "add", "fd78::1/64", "dev", "br0", "nodad")
        ip("-n", SERVER, "link", "set", "br0", "up")
        for place, number in NUMBERS.items():
            ip("link", "add", f"port{number}", "netns", SERVER, "type", "veth", "peer", "name", "wlan0", "netns", place)
            ip("-n", SERVER, "link", "set", f"port{number}", "master", "br0", "up")
            ip("-n", place, "addr", "add", f"10.78.0.{number}/24", "dev", "wlan0")
            ip("-n", place, "-6", "addr", "add", f"fd78::{number}/64", "dev", "wlan0", "nodad")
            ip("-n", place, "link", "set", "wlan0", "up")
        ip("-n", SERVER, "route", "add", "default", "via", "10.78.0.254")
        ip("-n", PHONE, "route", "add", "default", "via", "10.78.0.254")

    def run(self, place, *words):
        log = open(self.folder / f"{place}-{len(self.children)}.log", "wb")
        self.children.append(subprocess.Popen(["ip", "netns", "exec", place, *words], stdout=log, stderr=log))
        return self.children[-1]

    def serve(self, upstream="127.0.0.1:5399", unattended=True):
        """Starts the server; returns the file of its output."""
        self.run(SERVER, os.sys.executable, "-c", UPSTREAM)
        gate = ["--passcode", PASSCODE, "--time-zone", "Europe/Berlin"] if unattended else []
        log = self.folder / f"{SERVER}-{len(self.children)}.log"
        self.run(SERVER, BINARY, "serve", "--data", str(self.folder / "data"), "--upstream", upstream, *gate)
        for address in (HOME, "[fd78::1]"):
            eventually(lambda: self.fetch(f"http://{address}/healthz").returncode == 0, 30)
        return log

    def export(self):
        return subprocess.run(
            [BINARY, "export", "--data", str(self.folder / "data")], capture_output=True, text=True).stdout

    def fetch(self, url, place=PHONE):
        return at(place, "curl", "-sf", "-m", "3", url)

    def forward(self, to=HOME):
        """The router forwards all questions to `to`."""
        self.run(ROUTER, "dnsmasq", "--keep-in-foreground", "--no-resolv", "--no-hosts", "--no-daemon", "--conf-file=/dev/null",
                 "--port=53", f"--server={to}", "--pid-file=", "--user=root")
        eventually(lambda: at(ROUTER, "ss", "-lun").stdout.count(":53 "), 10)

    def resolvers(self, *addresses, options=""):
        """Sets the phone's resolvers."""
        folder = Path("/etc/netns") / PHONE
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"nameserver {address}" for address in addresses] + ([f"options {options}"] if options else [])
        (folder / "resolv.conf").write_text("\n".join(lines) + "\n")

    def ask(self, name, server=HOME, place=PHONE):
        return at(place, "dig", "+short", "+timeout=2", f"@{server}", name).stdout.split()

    def devices(self):
        """The devices page of a person who is signed in on the server itself."""
        jar = str(self.folder / "jar")
        at(SERVER, "curl", "-s", "-c", jar, "-d", f"passcode={PASSCODE}", f"http://{HOME}/login")
        return at(SERVER, "curl", "-s", "-b", jar, f"http://{HOME}/devices").stdout

    def clear(self):
        for child in self.children:
            child.terminate()
            child.wait(10)
        for place in PLACES:
            subprocess.run(["ip", "netns", "del", place], capture_output=True)
        resolver = Path("/etc/netns") / PHONE / "resolv.conf"
        if resolver.exists():
            resolver.unlink()
            resolver.parent.rmdir()


@pytest.fixture
def lan(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    lan = Lan(tmp_path)
    try:
        try:
            lan.build()
        except subprocess.CalledProcessError:
            pytest.skip("this machine makes no network namespaces")
        yield lan
    finally:
        lan.clear()


class Phone:
    """A browser on the phone."""

    def __init__(self, lan, system="windows", script=True, options=()):
        self.system, self.script, self.options = system, script, list(options)
        door = lan.folder / "chromium-on-the-phone"
        door.write_text(f'#!/bin/sh\nexec ip netns exec {PHONE} /usr/bin/chromium "$@"\n')
        door.chmod(0o755)
        self.playwright = sync_playwright().start()
        self.door = str(door)
        self.noise = []
        self.open()

    def open(self):
        self.browser = self.playwright.chromium.launch(executable_path=self.door, args=["--no-sandbox", *self.options])
        context = self.browser.new_context(
            user_agent=AGENTS.get(self.system), java_script_enabled=self.script,
            viewport={"width": 390, "height": 844})
        self.page = context.new_page()
        self.page.on("console", lambda message: self.noise.append(message.text))

    def restart(self):
        """Like Wi-Fi off and on: forgets all answers so far."""
        self.browser.close()
        self.open()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()

    def check(self, address=HOME):
        """Opens the check and waits for its result: the causes, the likeliest first; an empty list if it works."""
        self.page.goto(f"http://{address}/check")
        self.page.wait_for_url("**/check/result?id=*", timeout=40_000)
        return self.causes()

    def causes(self):
        return [cause.get_attribute("data-cause") for cause in self.page.locator("[data-cause]").all()]

    @property
    def heading(self):
        return self.page.get_by_role("heading", level=1).inner_text()


def test_it_works(lan):
    lan.serve()
    lan.resolvers(HOME)
    with Phone(lan) as phone:
        assert phone.check() == [] and phone.heading == "It works", phone.page.content()
        assert not any("Content Security Policy" in text for text in phone.noise), phone.noise
    with Phone(lan, script=False) as phone:
        assert phone.check() == [] and phone.heading == "It works"
    # The page is opened over IPv6, the question asked over IPv4: still one device.
    with Phone(lan) as phone:
        assert phone.check("[fd78::1]") == []


def test_the_router_asks(lan):
    lan.serve()
    lan.forward()
    lan.resolvers("10.78.0.254")
    with Phone(lan) as phone:
        assert phone.check() == ["routerAsks"]
        assert phone.heading == "Your router asks for you"
        assert "10.78.0.254" in phone.page.content()


def set_up_and_then(lan, *resolvers):
    """The phone was set up and asks here; then an IPv6 resolver appears."""
    lan.serve()
    lan.run(ELSEWHERE, os.sys.executable, "-c", STRANGER)
    eventually(lambda: "NXDOMAIN" in at(PHONE, "dig", "+timeout=1", "@fd78::53", "example.org").stdout, 10)
    eventually(lambda: lan.ask("example.org"), 10)
    eventually(lambda: "Seen just now" in lan.devices(), 5)
    lan.resolvers(*resolvers)


def test_ipv6_goes_elsewhere(lan):
    set_up_and_then(lan, "fd78::53", HOME)
    with Phone(lan) as phone:
        assert phone.check() == ["ipv6Elsewhere"], phone.page.content()
        assert phone.heading == "IPv6 goes elsewhere"


@pytest.mark.parametrize("way", ["by name", "first answer wins"])
def test_ipv6_goes_elsewhere_in_part(lan, way):
    """The phone asks both resolvers: only some names there, or all of them, and takes the first answer."""
    set_up_and_then(lan, "127.0.0.53")
    lan.run(PHONE, os.sys.executable, "-c", STUB, way)
    eventually(lambda: "NXDOMAIN" in at(PHONE, "dig", "+timeout=1", "@127.0.0.53", "6.example.org").stdout, 10)
    with Phone(lan) as phone:
        assert phone.check() == ["ipv6Elsewhere"], phone.page.content()


def test_private_dns(lan):
    """Android looks up its provider's name here, and all other names there."""
    lan.serve()
    lan.run(ELSEWHERE, os.sys.executable, "-c", STRANGER)
    lan.resolvers("10.78.0.53")
    eventually(lambda: lan.ask("dns.google"), 10)
    with Phone(lan, "android") as phone:
        assert phone.check() == ["privateDNS"], phone.page.content()
        assert phone.heading == "Private DNS is on"


def test_private_relay(lan):
    lan.serve()
    lan.resolvers("10.78.0.53")
    eventually(lambda: lan.ask("mask.icloud.com"), 10)
    with Phone(lan, "ios") as phone:
        assert phone.check() == ["relayOrVPN"], phone.page.content()
        assert phone.heading == "Private Relay or a VPN is on"


def detour(lan):
    """The browser's content comes from the router, but the phone's questions do not."""
    lan.serve()
    lan.resolvers(HOME)
    at(ROUTER, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.conf.all.send_redirects=0",
       "net.ipv4.conf.wlan0.send_redirects=0")
    for rule in ("add table ip detour",
                 "add chain ip detour out { type nat hook postrouting priority 100; }",
                 "add rule ip detour out tcp dport 80 masquerade"):
        assert at(ROUTER, "nft", rule).returncode == 0
    ip("-n", PHONE, "rule", "add", "ipproto", "tcp", "dport", "80", "lookup", "78")
    ip("-n", PHONE, "route", "add", "default", "via", "10.78.0.254", "table", "78")


def test_a_vpn(lan):
    detour(lan)
    with Phone(lan) as phone:
        assert phone.check() == ["relayOrVPN"], phone.page.content()


def test_a_loop(lan):
    """The router asks this server, and this server was told to ask the router."""
    lan.forward()
    lan.serve(upstream="10.78.0.254")
    lan.resolvers(HOME)
    with Phone(lan) as phone:
        assert phone.check() == ["loop"], phone.page.content()
        assert phone.heading == "Your router sends questions back here"


@pytest.mark.nightly
def test_what_cannot_be_told_apart_is_said(lan):
    """This phone has never asked here: it may use Private DNS, or was never set to ask here."""
    lan.serve()
    lan.resolvers("10.78.0.53")
    with Phone(lan, "android") as phone:
        causes = phone.check()
        assert causes[0] == "privateDNS" and "notPointed" in causes and len(causes) > 1
        assert phone.heading == "Nothing came here yet"
        assert phone.page.get_by_text("To find out:").count() >= 1
        phone.page.get_by_role("link", name="Check again").click()
        phone.page.wait_for_url("**/check/result?id=*", timeout=40_000)


def test_the_first_evening_alone_with_one_phone(lan):
    """From the gate to the first shield: the taps are counted, and one passcode is typed."""
    server = lan.serve(unattended=False)
    lan.resolvers("10.78.0.254")
    code = eventually(lambda: re.search(r"setup\?code=(\S+)", server.read_text()), 10).group(1)
    with Phone(lan, "android") as phone:
        page, taps = phone.page, []

        def tap(role, name):
            taps.append(name)
            page.get_by_role(role, name=name, exact=True).click()

        page.goto(f"http://{HOME}/setup?code={code}")
        page.get_by_label("Choose a passcode").fill(PASSCODE)
        page.get_by_role("button", name="Continue").click()
        assert page.get_by_role("heading", level=1).inner_text() == "Who sleeps here?"
        tap("button", "Continue")
        assert page.locator("details[open] summary").inner_text() == "Android"
        assert HOME in page.locator("details[open]").inner_text()
        # Over HTTP, where browsers have no clipboard for pages.
        copy = page.locator("details[open]").get_by_role("button", name=f"Copy {HOME}")
        copy.click()
        page.locator("details[open]").get_by_text("Copied").wait_for()
        lan.resolvers(HOME)  # the taps in the phone's own settings
        phone.restart()
        page = phone.page
        page.goto(f"http://{HOME}/setup/device")
        tap("link", "Check this device")
        page.wait_for_url("**/check/result?id=*", timeout=40_000)
        assert phone.heading == "It works", page.content()
        tap("button", "Try it for two minutes")
        tap("link", "Open a page that is blocked")
        page.get_by_role("heading", name="Sleep Mode Active").wait_for()
        assert page.url == "http://example.com/" and len(taps) <= 6, taps
        # The first selection of a new household stays open, and the shield itself can end the try.
        assert lan.ask("whatsapp.com") == [HOME] and lan.ask("facetime.apple.com") == ["203.0.113.9"]
        assert lan.ask("whatsapp.com", place=ELSEWHERE) == ["203.0.113.9"], "no other device"
        page.get_by_role("link", name="This is a try. End it now").click()
        page.get_by_role("button", name="End it now").click()
        eventually(lambda: lan.ask("whatsapp.com") == ["203.0.113.9"], 5)


def test_a_try_holds_over_a_power_cut_and_ends_by_itself(lan):
    """Only the server's clock ends it; a restart neither ends nor prolongs it."""
    lan.serve()
    assert at(PHONE, "curl", "-s", "-X", "POST", f"http://{HOME}/check/try").returncode == 0
    eventually(lambda: lan.ask("whatsapp.com") == [HOME], 5)
    server = lan.children[-1]
    server.kill()
    server.wait()
    lan.serve()
    assert lan.ask("whatsapp.com") == [HOME], "the first answer after the restart"
    assert '"tryUntil"' in lan.export()
    # The rest of the two minutes is tested in Policy (`TryTests`); here, the person on the device ends it.
    at(PHONE, "curl", "-s", "-X", "POST", f"http://{HOME}/check/try/end")
    eventually(lambda: lan.ask("whatsapp.com") == ["203.0.113.9"], 5)


def test_a_one_time_name_shows_nothing_else(lan):
    lan.serve()
    name = "0" * 32 + ".check.sleep.home.arpa"
    assert lan.ask(name) == [HOME] and lan.ask("4." + name) == [HOME] and lan.ask("6." + name) == []
    for path in ("/", "/check", "/login", "/devices"):
        page = at(PHONE, "curl", "-s", "-m", "3", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"Host: {name}",
                  f"http://{HOME}{path}")
        assert page.stdout == "421", path


def ways(phone, address=HOME):
    """Opens "What can get around" and waits for its result: open ways, possible ways, closed ways."""
    phone.page.goto(f"http://{address}/check/around")
    phone.page.wait_for_url("**/check/around/result?id=*", timeout=40_000)

    def some(selector, attribute):
        return {element.get_attribute(attribute) for element in phone.page.locator(selector).all()}

    return (some("[data-way]:not([data-unclear])", "data-way"), some("[data-unclear]", "data-way"),
            some("[data-held]", "data-held"))


def enroll(lan):
    """The phone asks here, and belongs to a person."""
    eventually(lambda: lan.ask("example.org"), 10)
    reply = at(PHONE, "curl", "-s", "-w", "%{http_code}", "-X", "POST", f"http://{HOME}/devices/enroll").stdout
    assert reply.endswith("303"), reply
    eventually(lambda: lan.ask("mask.icloud.com") == [], 5)


def test_nothing_gets_around_a_clean_phone(lan):
    """With script and without, in a browser that asks for type 65 as well as for addresses."""
    lan.serve()
    lan.resolvers(HOME)
    enroll(lan)
    with Phone(lan, "android") as phone:
        opened, unclear, held = ways(phone)
        assert (opened, unclear) == (set(), set()) and "quic" in held, phone.page.content()
        assert phone.heading == "No way around was seen"
        assert phone.page.get_by_text("Mobile data.").count() == 1
        assert not any("Content Security Policy" in text for text in phone.noise), phone.noise
        assert violations(phone.page) == []
    with Phone(lan, script=False) as phone:
        assert ways(phone)[0] == set() and phone.heading == "No way around was seen"


def test_what_it_asked_is_named_and_held_back(lan):
    lan.serve()
    lan.resolvers(HOME)
    enroll(lan)
    at(PHONE, "dig", "+short", f"@{HOME}", "_dns.resolver.arpa", "TYPE64")
    assert lan.ask("use-application-dns.net") == [] and lan.ask("dns.google") != []
    with Phone(lan) as phone:
        opened, unclear, held = ways(phone)
        assert (opened, unclear) == (set(), set()), phone.page.content()
        assert {"browserDNS", "designatedResolver", "privateRelay", "privateDNS"} <= held


def test_a_phone_of_nobody_is_told_yes(lan):
    lan.serve()
    lan.resolvers(HOME)
    assert eventually(lambda: lan.ask("use-application-dns.net"), 10)
    with Phone(lan) as phone:
        assert ways(phone)[0] == {"browserDNS"}
        assert phone.page.get_by_text("Nothing is blocked on it").count() == 1
        phone.page.get_by_role("button", name="This is my device").click()
        eventually(lambda: lan.ask("use-application-dns.net") == [], 5)
        opened, _, held = ways(phone)
        assert opened == set() and "browserDNS" in held


@pytest.mark.parametrize("way", ["by name", "first answer wins"])
def test_a_second_server_over_ipv6(lan, way):
    set_up_and_then(lan, "127.0.0.53")
    lan.run(PHONE, os.sys.executable, "-c", STUB, way)
    eventually(lambda: "NXDOMAIN" in at(PHONE, "dig", "+timeout=1", "@127.0.0.53", "6.example.org").stdout, 10)
    with Phone(lan, "android") as phone:
        opened, unclear, _ = ways(phone)
        assert (opened, unclear) == ({"otherServer"}, set()), phone.page.content()
        assert phone.heading == "One way around is open"
        assert phone.page.get_by_text("it asks a second DNS server over IPv6").count() == 1
        assert phone.page.locator("details[open] summary").all_inner_texts() == ["Android", "Router"]
        photograph(phone, "around-second-server")


PROXY = """
import http.server, urllib.request
class Proxy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        there = urllib.request.Request(self.path, headers={"Via": "1.1 router", "User-Agent": self.headers["User-Agent"] or "x"})
        try:
            answer = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(there, timeout=5)
            status, kind, body = answer.status, answer.headers["Content-Type"], answer.read()
        except urllib.error.HTTPError as refused:
            status, kind, body = refused.code, "text/plain", b""
        except OSError:
            status, kind, body = 502, "text/plain", b""
        self.send_response(status)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("10.78.0.254", 8888), Proxy).serve_forever()
"""


def test_a_proxy(lan):
    lan.serve()
    lan.resolvers(HOME)
    enroll(lan)
    lan.run(ROUTER, os.sys.executable, "-c", PROXY)
    eventually(lambda: at(PHONE, "curl", "-sf", "-x", "http://10.78.0.254:8888", f"http://{HOME}/healthz").returncode == 0, 10)
    with Phone(lan, options=["--proxy-server=http://10.78.0.254:8888"]) as phone:
        opened, _, _ = ways(phone)
        assert opened == {"proxy"}, phone.page.content()
        assert phone.page.get_by_text("a proxy fetched this page").count() == 1


def test_a_vpn_is_a_way_around(lan):
    detour(lan)
    with Phone(lan) as phone:
        assert ways(phone)[:2] == ({"vpn"}, set()), phone.page.content()
        photograph(phone, "around-vpn")


def photograph(phone, name):
    """At the three sizes, for people who look at them."""
    for size, (width, height) in SIZES.items():
        phone.page.set_viewport_size({"width": width, "height": height})
        SHOTS.mkdir(exist_ok=True)
        phone.page.screenshot(path=SHOTS / f"{name}-{size}.png", full_page=True)
        assert phone.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), size
