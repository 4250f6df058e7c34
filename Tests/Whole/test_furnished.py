"""Beside real dnsmasq and unbound, both ways round, by the lines that Docs/furnished-houses.md shows."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from device_lan import DOORBELL, GATEWAY, OLD, PHONE, ROUTER, SERVER, SHIELD, dig, documented
from household import BINARY, eventually
from lan import at, begin

REAL = ["203.0.113.9"]
PORT = "5354"
# Asks for an address and prints the DNS servers that the offer names (RFC 2131, option 6).
DISCOVER = """
import socket, struct, sys
door = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
door.bind((sys.argv[1], 0))
door.settimeout(5)
card = door.getsockname()[4]
def checksum(data):
    total = sum(struct.unpack("!10H", data))
    total = (total >> 16) + (total & 0xffff)
    return ~(total + (total >> 16)) & 0xffff
ask = struct.pack("!4BIHHIIII", 1, 1, 6, 0, 77, 0, 0x8000, 0, 0, 0, 0) + card + bytes(202)
ask += bytes.fromhex("63825363 350101 370106 ff")
ask = struct.pack("!4H", 68, 67, 8 + len(ask), 0) + ask
head = struct.pack("!2B3H2BH4s4s", 0x45, 0, 20 + len(ask), 1, 0, 64, 17, 0, bytes(4), bytes([255] * 4))
head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
door.send(bytes([255] * 6) + card + bytes([8, 0]) + head + ask)
while True:
    packet = door.recv(2000)
    if packet[23] == 17 and packet[36:38] == bytes([0, 68]):
        options = packet[282:]
        while options[0] != 255:
            if options[0] == 6:
                print(socket.inet_ntoa(options[2:6]))
            options = options[2 + options[1]:]
        break
"""


def dnsmasq(home, place, lines, *flags):
    """Runs dnsmasq with the document's lines in a file of their own, as Debian's service includes them."""
    file = home.folder / f"dnsmasq-{place}.conf"
    file.write_text(lines)
    home.children.append(begin(
        place, "dnsmasq", "--keep-in-foreground", f"--conf-file={file}", "--no-hosts", "--pid-file=", "--user=root",
        f"--dhcp-leasefile={home.folder}/leases-{place}", "--bind-interfaces", *flags))


def unbound(home, place, lines, more):
    if not shutil.which("unbound"):
        pytest.skip("unbound is not installed")
    file = home.folder / "unbound.conf"
    file.write_text(f'server:\n  chroot: ""\n  username: ""\n  directory: "{home.folder}"\n  pidfile: ""\n  use-syslog: no\n'
                    f"  do-daemonize: no\n{more}\n{lines}")
    home.children.append(begin(place, "unbound", "-d", "-c", file, stderr=subprocess.DEVNULL))


def offered(place):
    return at(place, sys.executable, "-c", DISCOVER, "wlan0").stdout.split()


def asleep(home, address, **more):
    assert home.post("/devices/enroll", device=address, person="1", **more)[0] == 303
    assert home.post("/session", page="/session", durationMinutes="30", strictness="flexible")[0] == 303


def test_it_asks_a_dnsmasq_that_left_port_53_to_it(home):
    lines = documented("dnsmasq", "port=5335")
    dnsmasq(home, SERVER, lines, "--no-resolv", "--server=127.0.0.1#5398", "--host-record=printer.lan,10.78.0.9",
            "--address=/ads.example/0.0.0.0", "--interface=br0", "--dhcp-range=10.78.0.50,10.78.0.60,1h")
    home.serve("--local-upstream", "127.0.0.1:5335", upstream="127.0.0.1:5335")
    assert dig(PHONE, "printer.lan") == ["10.78.0.9"] and dig(PHONE, "ads.example") == ["0.0.0.0"]
    assert dig(PHONE, "example.org") == REAL
    assert eventually(lambda: offered(PHONE), 20) == [SHIELD], "its DHCP names this machine"
    eventually(lambda: home.device(OLD[1]), 10)
    asleep(home, OLD[1])
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    assert dig(DOORBELL, "tiktok.com") == REAL


@pytest.mark.parametrize("beside", [False, True], ids=["on the router", "on this machine"])
def test_a_dnsmasq_that_forwards_names_each_device(home, beside):
    lines = documented("dnsmasq", "add-mac")
    if beside:
        home.serve("--dns-port", "5335", "--forwarder", "127.0.0.1", port=5335)
        dnsmasq(home, SERVER, lines.replace("192.168.1.5", "127.0.0.1#5335"), f"--listen-address={SHIELD}")
        place, port = SHIELD, "53"
        assert "This is a trial" not in home.page("/setup/device"), "its port is meant"
    else:
        home.serve("--forwarder", GATEWAY)
        dnsmasq(home, ROUTER, lines.replace("192.168.1.5", SHIELD), f"--port={PORT}", f"--listen-address={GATEWAY}")
        place, port = GATEWAY, PORT

    def through(who, name):
        return dig(who, name, "A", "-p", port, server=place)
    eventually(lambda: through(DOORBELL, "ready.example") == REAL, 10)
    through(PHONE, "example.org")
    phone = eventually(lambda: next((d for d in home.devices() if d.get("hardwareAddress") == OLD[0]), None), 10)
    asleep(home, str(phone["id"]))
    eventually(lambda: through(PHONE, "tiktok.com") == [SHIELD], 5)
    assert through(DOORBELL, "tiktok.com") == REAL


def test_openwrts_options_are_those_lines(home):
    """OpenWrt's start script turns them into dnsmasq's (package/network/services/dnsmasq/files/dnsmasq.init)."""
    plain = {"noresolv": "no-resolv", "addmac": "add-mac", "stripmac": "strip-mac"}
    lines = [line for line in documented("dnsmasq", "add-mac").splitlines() if not line.startswith("#")]
    options = dict(re.findall(r"uci \S+ dhcp\.@dnsmasq\[0\]\.(\w+)='([^']+)'", documented("uci", "addmac")))
    assert options.pop("rebind_protection") == "0", "OpenWrt's default would drop the shield's address"
    assert sorted(f"server={value}" if name == "server" else plain[name] for name, value in options.items()) == sorted(lines)
    option = re.search(r"dhcp_option='(\S+)'", documented("uci", "dhcp_option")).group(1).replace("192.168.1.5", SHIELD)
    dnsmasq(home, ROUTER, "", f"--port={PORT}", "--interface=wlan0", "--dhcp-range=10.78.0.50,10.78.0.60,1h",
            f"--dhcp-option={option}")
    assert eventually(lambda: offered(PHONE), 20) == [SHIELD]


def test_a_dnsmasq_with_rebind_protection_drops_the_shield(home):
    home.serve("--forwarder", GATEWAY)
    dnsmasq(home, ROUTER, documented("dnsmasq", "add-mac").replace("192.168.1.5", SHIELD), f"--port={PORT}",
            f"--listen-address={GATEWAY}", "--stop-dns-rebind")
    ask = ["dig", "+time=1", "+tries=1", f"@{GATEWAY}", "-p", PORT]
    eventually(lambda: at(PHONE, *ask, "example.org").returncode == 0, 10)
    assert dig(PHONE, "sleep.home.arpa", "A", "-p", PORT, server=GATEWAY) == [], "as the document says"


def test_it_asks_an_unbound_that_left_port_53_to_it(home):
    unbound(home, SERVER, documented("unbound", "port: 5335"),
            '  module-config: "iterator"\n  do-not-query-localhost: no\nforward-zone:\n  name: "."\n'
            "  forward-addr: 127.0.0.1@5398\n")
    home.serve(upstream="127.0.0.1:5335")
    assert dig(PHONE, "example.org") == REAL
    eventually(lambda: home.device(OLD[1]), 10)
    asleep(home, OLD[1])
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    doctor = json.loads(at(SERVER, BINARY, "doctor", "--json", "--data",
                           str(home.folder / "data")).stdout)
    assert next(line for line in doctor if line["id"] == "upstream-silent")["isGood"], doctor


def test_all_devices_behind_an_unbound_are_one(home):
    home.serve()
    unbound(home, ROUTER, documented("unbound", "forward-addr").replace("192.168.1.5", SHIELD),
            f"  interface: {GATEWAY}\n  port: {PORT}\n  access-control: 10.78.0.0/24 allow\n")

    def through(who, name):
        return dig(who, name, "A", "-p", PORT, server=GATEWAY)
    eventually(lambda: through(PHONE, "ready.example") == REAL, 10)
    assert through(PHONE, "sleep.home.arpa") == [SHIELD]
    eventually(lambda: home.device(GATEWAY), 10)
    asleep(home, GATEWAY, confirm="router")
    eventually(lambda: through(PHONE, "tiktok.com") == [SHIELD] == through(DOORBELL, "tiktok.com"), 5)
