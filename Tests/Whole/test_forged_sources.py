"""A device on the home network asks from made-up addresses, while new devices belong to a person."""

import contextlib
import json
import subprocess
import sys
import time

import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, cable, ip, machine, machines

SERVER, FORGER, PHONE = map(machine, ("f-server", "f-forger", "f-phone"))
HOME = "fd76::1"
"""`argv`: packets a second, seconds. Every packet has its own source in this network."""
FORGE = """
import socket, sys, time
import dns.message
rate, seconds = int(sys.argv[1]), int(sys.argv[2])
query = dns.message.make_query("example.org", "A").to_wire()
begun = time.monotonic()
for number in range(rate * seconds):
    door = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    door.bind((f"fd76::bad:{number >> 16:x}:{number & 0xffff:x}", 0))
    door.sendto(query, ("fd76::1", 53))
    door.close()
    time.sleep(max(0, begun + number / rate - time.monotonic()))
"""
RATE, SECONDS = 64, 20


@contextlib.contextmanager
def home(folder):
    with machines(SERVER, FORGER, PHONE):
        for place in (SERVER, FORGER, PHONE):
            at(place, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")
        ip("-n", SERVER, "link", "add", "br0", "type", "bridge")
        for address in ("192.168.76.1/24", f"{HOME}/64"):
            ip("-n", SERVER, "addr", "add", address, "dev", "br0", *(["nodad"] if ":" in address else []))
        ip("-n", SERVER, "link", "set", "br0", "up")
        cable(SERVER, "port2", FORGER, "wlan0", address=["192.168.76.2/24", "fd76::2/64"], bridge="br0")
        cable(SERVER, "port3", PHONE, "wlan0", address=["fd76::3/64"], bridge="br0")
        # It may send from any address, but answers neighbour solicitations for none of them.
        at(FORGER, "sysctl", "-qw", "net.ipv6.ip_nonlocal_bind=1")
        with open(folder / "log", "ab") as log:
            server = subprocess.Popen(
                ["ip", "netns", "exec", SERVER, BINARY, "serve", "--data", folder / "data", "--passcode", PASSCODE,
                 "--new-devices", "me", "--upstream", "127.0.0.1:5398"], stdout=log, stderr=log)
        try:
            eventually(lambda: curl("http://127.0.0.1/healthz").returncode == 0, 20)
            yield
        finally:
            server.terminate()
            server.wait(15)


def curl(*words):
    return at(SERVER, "curl", "-sf", "-m", "30", *words)


def devices(folder):
    text = subprocess.run([BINARY, "export", "--data", str(folder / "data")], capture_output=True, text=True).stdout
    return json.loads(text)["devices"]


@pytest.mark.nightly
def test_made_up_sources_fill_neither_the_table_nor_the_page(tmp_path):
    with home(tmp_path):
        flood = at(FORGER, sys.executable, "-c", FORGE, str(RATE), str(SECONDS))
        assert flood.returncode == 0, flood.stderr
        # A phone that comes during the flood becomes a device at once, and the rule for new devices holds for it.
        at(PHONE, "dig", "+timeout=1", "+tries=1", f"@{HOME}", "example.org")
        phone = eventually(lambda: [d for d in devices(tmp_path) if "fd76::3" in d["addresses"]], 10)
        assert phone[0]["person"] is not None and phone[0]["hardwareAddress"]
        found = devices(tmp_path)
        made_up = [d for d in found if any(":bad:" in a for a in d["addresses"])]
        print(f"{RATE * SECONDS} packets, {len(made_up)} devices of theirs")
        assert 0 < len(made_up) <= 64

        jar = tmp_path / "jar"
        curl("-c", jar, "-d", f"passcode={PASSCODE}", "http://127.0.0.1/login")
        begun = time.monotonic()
        page = curl("-b", jar, "http://127.0.0.1/devices").stdout
        print(f"/devices: {len(page)} bytes in {time.monotonic() - begun:.2f} s")
        assert page.count('<li class="panel device"') == 50 and len(page) < 400_000
        older = curl("-b", jar, "http://127.0.0.1/devices?page=2").stdout
        assert 0 < older.count('<li class="panel device"') <= 50 and "Newer" in older
