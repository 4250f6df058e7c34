"""A home with a server, a router that knows names, a phone and a doorbell, in network namespaces."""

import contextlib
import html
import json
import re
import subprocess
import sys
import time

from household import BINARY, PASSCODE, ROOT, eventually
from lan import at, ip, machine, machines

SERVER, ROUTER, PHONE, DOORBELL = map(machine, ("d-server", "d-router", "d-phone", "d-doorbell"))
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


def dig(place, name, kind="A", *words, server=SHIELD):
    return at(place, "dig", "+short", "+timeout=2", f"@{server}", name, kind, *words).stdout.split()


def curl(*words, place=SERVER):
    return at(place, "curl", "-s", "-m", "20", *words)


def cable(place, number, hardware, address):
    ip("link", "add", f"port{number}", "netns", SERVER, "type", "veth", "peer", "name", "wlan0", "netns", place)
    ip("-n", SERVER, "link", "set", f"port{number}", "master", "br0", "up")
    join(place, hardware, address)


def join(place, hardware, address):
    """Joins the Wi-Fi with a hardware address and the IP address that DHCP gives it."""
    ip("-n", place, "link", "set", "wlan0", "down")
    ip("-n", place, "addr", "flush", "dev", "wlan0")
    ip("-n", place, "link", "set", "wlan0", "address", hardware)
    ip("-n", place, "addr", "add", f"{address}/24", "dev", "wlan0")
    ip("-n", place, "link", "set", "wlan0", "up")


class House:
    """The network with a server, which can be started with more flags."""

    def __init__(self, folder):
        self.folder, self.children = folder, []
        self.leases = folder / "misc"
        self.leases.mkdir()

    def serve(self, *flags, passcode=True, upstream="127.0.0.1:5398", port=53, web=80):
        log = open(self.folder / "log", "ab")
        access = ["--passcode", PASSCODE] if passcode else []
        command = [BINARY, "serve", "--data", str(self.folder / "data"), "--upstream", upstream,
                   "--time-zone", "Europe/Berlin", *access, *flags]
        # Replaces the machine's own lease file for this process only.
        script = 'mkdir -p /var/lib/misc && mount --bind "$0" /var/lib/misc && exec "$@"'
        self.children.append(subprocess.Popen(
            ["ip", "netns", "exec", SERVER, "sh", "-c", script, str(self.leases), *map(str, command)],
            stdout=log, stderr=log))
        eventually(lambda: curl("-f", f"http://127.0.0.1:{web}/healthz").returncode == 0, 20)
        eventually(lambda: dig(SERVER, f"ready{time.time_ns()}.example", "A", "-p", str(port)) == ["203.0.113.9"], 20)
        self.pages = f"http://{SHIELD}:{web}"
        if passcode:
            self.jar = str(self.folder / "jar")
            curl("-c", self.jar, "-d", f"passcode={PASSCODE}", f"{self.pages}/login")
        return self

    def page(self, path):
        return html.unescape(curl("-b", self.jar, f"{self.pages}{path}").stdout)

    def post(self, path, page="/devices", **fields):
        token = re.search(r'name="?csrf"? value="([^"]+)"', self.page(page)).group(1)
        words = [word for name, value in {"csrf": token, **fields}.items() for word in ("--data-urlencode", f"{name}={value}")]
        reply = curl("-b", self.jar, "-w", "\n%{redirect_url}\n%{http_code}", *words, f"{self.pages}{path}").stdout
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


def documented(language, marker):
    """A block of Docs/furnished-houses.md. If it shows the block twice, both are the same."""
    blocks = re.findall(rf"```{language}\n(.*?)```", (ROOT / "Docs/furnished-houses.md").read_text(), re.S)
    block, = {text for text in blocks if marker in text}
    return block


@contextlib.contextmanager
def home_with_router(tmp_path):
    """The server, a router that knows names, a phone and a doorbell, each on its own machine."""
    with machines(SERVER, ROUTER, PHONE, DOORBELL), contextlib.ExitStack() as ends:
        house = House(tmp_path)
        ends.callback(house.stop)
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
