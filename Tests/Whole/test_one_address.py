"""Two machines in a home: one address for both, which keepalived moves as the document says, or both addresses on a phone."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from household import BINARY, PASSCODE, ROOT, eventually
from lan import at, begin, cable, ip, machine, machines
from test_lan import UPSTREAM

FIRST, SECOND, VOTER, PHONE, SWITCH = PLACES = [
    machine(f"v-{name}") for name in ("first", "second", "voter", "phone", "switch")]
ADDRESSES = {FIRST: "192.168.1.11", SECOND: "192.168.1.12", VOTER: "192.168.1.13", PHONE: "192.168.1.50"}
SHARED = "192.168.1.10"


def documented() -> str:
    """The configuration in the document."""
    return re.search(r"```\n(global_defs.*?)```", (ROOT / "Docs/two-machines.md").read_text(), re.S).group(1)


# Asks for an address as a device does that has none (RFC 2131, 3.1), and prints what it would be told: option 6 is DNS.
DISCOVER = """
import socket, struct, sys
door = socket.socket(type=socket.SOCK_DGRAM)
door.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
door.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
door.settimeout(5)
door.bind(("", 68))
head = struct.pack("!4B4s2H16s6s202s", 1, 1, 6, 0, b"SLIN", 0, 0x8000, bytes(16), bytes.fromhex("02005e100001"), b"")
door.sendto(head + b"\\x63\\x82\\x53\\x63" + bytes([53, 1, 1, 55, 1, 6, 255]), ("255.255.255.255", 67))
options = door.recv(4096)[240:]
while options[0] != 255:
    kind, length = options[:2]
    if kind == 6:
        print(*(socket.inet_ntoa(options[i:i + 4]) for i in range(2, 2 + length, 4)))
    options = options[2 + length:]
"""


def dig(name, server=SHARED):
    return at(PHONE, "dig", "+short", "+timeout=1", "+tries=2", f"@{server}", name).stdout.split()


def holder() -> str | None:
    """The machine that has the shared address; None: neither, or both."""
    holders = [place for place in (FIRST, SECOND) if f" {SHARED}/" in at(place, "ip", "-4", "addr").stdout]
    return holders[0] if len(holders) == 1 else None


class Home:
    """Two machines that are one household, a voter and a phone on one switch."""

    def __init__(self, folder):
        self.folder, self.children, self.servers, self.guards = folder, [], {}, {}

    def run(self, place, name, *words):
        log = open(self.folder / f"{name}.log", "ab")
        child = begin(place, *map(str, words), stdout=log, stderr=log)
        self.children.append(child)
        return child

    def command(self, place, *words):
        made = at(place, str(BINARY), *words, "--data", str(self.folder / place))
        assert made.returncode == 0, made.stderr
        return made.stdout

    def build(self):
        ip("-n", SWITCH, "link", "add", "br0", "type", "bridge")
        ip("-n", SWITCH, "link", "set", "br0", "up")
        for number, (place, address) in enumerate(ADDRESSES.items()):
            cable(SWITCH, f"port{number}", place, "eth0", address=f"{address}/24", bridge="br0")
        url = f"http://{ADDRESSES[VOTER]}:2379"
        self.run(VOTER, "etcd", "etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", url,
                 "--advertise-client-urls", url, "--listen-peer-urls", "http://127.0.0.1:2380",
                 "--initial-advertise-peer-urls", "http://127.0.0.1:2380",
                 "--initial-cluster", "default=http://127.0.0.1:2380")
        eventually(lambda: at(FIRST, "curl", "-sf", "-m", "2", f"{url}/health").returncode == 0, 40)
        for place in (FIRST, SECOND):
            self.run(place, f"upstream-{place}", sys.executable, "-c", UPSTREAM)
        # The household begins on one machine alone.
        self.serve(FIRST, "--passcode", PASSCODE, "--time-zone", "Europe/Berlin")
        self.end(self.servers.pop(FIRST))
        self.command(FIRST, "cluster", "start", "--etcd", url, "--name", "first")
        self.serve(FIRST)
        code = self.command(FIRST, "cluster", "invite").splitlines()[-1]
        self.command(SECOND, "cluster", "join", code, "--name", "second")
        self.serve(SECOND)

    def serve(self, place, *flags):
        self.servers[place] = self.run(
            place, f"serve-{place}", BINARY, "serve", "--data", self.folder / place, "--upstream", "127.0.0.1:5399",
            *flags)
        eventually(lambda: at(place, "curl", "-sf", "-m", "2", "http://127.0.0.1/healthz").returncode == 0, 40)
        eventually(lambda: dig(f"ready{time.time_ns()}.example", ADDRESSES[place]) == ["203.0.113.9"], 40)

    def guard(self, place):
        """Starts keepalived."""
        configuration = self.folder / f"{place}.conf"
        configuration.write_text(documented())
        # It refuses files that others may write to.
        configuration.chmod(0o644)
        self.guards[place] = self.run(
            place, f"keepalived-{place}", "keepalived", "-n", "-l", "-P", "-f", configuration, "-p",
            self.folder / f"{place}.pid", "-r", self.folder / f"{place}-vrrp.pid")

    def end(self, child):
        child.kill()
        child.wait()

    def close(self):
        # keepalived's parent ends its child, and only if it is asked.
        for guard in self.guards.values():
            if guard.poll() is None:
                guard.terminate()
                try:
                    guard.wait(10)
                except subprocess.TimeoutExpired:
                    pass
        for child in self.children:
            if child.poll() is None:
                self.end(child)


@pytest.fixture
def home(tmp_path):
    if not shutil.which("keepalived"):
        pytest.skip("keepalived is not installed")
    with machines(*PLACES):
        home = Home(tmp_path)
        try:
            home.build()
            yield home
        finally:
            home.close()


def test_the_address_moves_when_a_machine_dies_and_stays_when_it_is_back(home):
    home.guard(FIRST)
    eventually(lambda: holder() == FIRST, 30)
    home.guard(SECOND)
    eventually(lambda: dig(f"one{time.time_ns()}.example") == ["203.0.113.9"], 20)
    # The shield of the shared address, and the pages, are there too.
    assert at(PHONE, "curl", "-sf", "-m", "5", f"http://{SHARED}/healthz").returncode == 0
    # The server dies, its machine lives: keepalived asks the server.
    home.end(home.servers.pop(FIRST))
    eventually(lambda: holder() == SECOND, 30)
    eventually(lambda: dig(f"two{time.time_ns()}.example") == ["203.0.113.9"], 20)
    assert '"node":"second"' in at(PHONE, "curl", "-s", "-m", "5", f"http://{SHARED}/healthz").stdout.replace(" ", "")
    # It is back: the address does not move once more.
    home.serve(FIRST)
    log = home.folder / f"keepalived-{FIRST}.log"
    eventually(lambda: log.read_text().count("succeeded") >= 2, 30)
    assert holder() == SECOND
    # Its machine's cable is pulled: it gives the address up, and does not take it back afterwards.
    ip("-n", SWITCH, "link", "set", "port1", "down")
    eventually(lambda: holder() == FIRST, 30)
    eventually(lambda: dig(f"three{time.time_ns()}.example") == ["203.0.113.9"], 20)
    ip("-n", SWITCH, "link", "set", "port1", "up")
    eventually(lambda: "Entering BACKUP STATE" in since_fault(home.folder / f"keepalived-{SECOND}.log"), 30)
    assert holder() == FIRST


def since_fault(log) -> str:
    """What keepalived printed since it last saw a broken network."""
    return log.read_text().rpartition("FAULT STATE")[2]


def test_machines_that_did_not_hear_each_other_have_one_address_again(home):
    for place in (FIRST, SECOND):
        home.guard(place)
    eventually(holder, 30)
    cut = "add table inet cut; add chain inet cut {way} {{ type filter hook {way} priority 0; }}; " \
        "add rule inet cut {way} {what} eth0 drop"
    for way, what in (("input", "iifname"), ("output", "oifname")):
        assert at(FIRST, "nft", cut.format(way=way, what=what)).returncode == 0
    both = [FIRST, SECOND]
    eventually(lambda: [p for p in both if f" {SHARED}/" in at(p, "ip", "-4", "addr").stdout] == both, 30)
    # The phone is on the second one's side.
    eventually(lambda: dig(f"one{time.time_ns()}.example") == ["203.0.113.9"], 20)
    assert at(FIRST, "nft", "delete table inet cut").returncode == 0
    # The priorities are equal, so the higher address keeps it (RFC 5798, 6.4.3).
    eventually(lambda: holder() == SECOND, 30)
    eventually(lambda: dig(f"two{time.time_ns()}.example") == ["203.0.113.9"], 20)


# Asks as most programs on Linux do, by glibc, until it is told to end, and prints which name got what.
GLIBC = """
import subprocess, sys, time
for number in range(10_000):
    begun = time.monotonic()
    found = subprocess.run(["getent", "ahosts", f"glibc{number}.example"], capture_output=True, text=True).stdout.split()
    print(number, round(time.monotonic() - begun, 2), *found[:1], flush=True)
"""


def test_glibc_that_knows_both_machines_loses_no_question_when_one_stops(home):
    own = Path("/etc/netns") / PHONE
    own.mkdir(parents=True)
    (own / "resolv.conf").write_text("".join(
        f"nameserver {ADDRESSES[place]}\n" for place in (FIRST, SECOND)) + "options timeout:1 attempts:2\n")
    (own / "nsswitch.conf").write_text("hosts: dns\n")
    log = home.folder / "glibc.log"

    def asked(count):
        eventually(lambda: log.read_text().count("\n") >= count, 60)
        return log.read_text().count("\n")
    try:
        home.run(PHONE, "glibc", sys.executable, "-c", GLIBC)
        for place in (FIRST, SECOND):
            asked(asked(0) + 20)
            stopped = home.servers.pop(place)
            stopped.terminate()
            # While it stops, and when it is gone.
            asked(asked(0) + 20)
            assert stopped.wait(20) == 0
            asked(asked(0) + 20)
            home.serve(place)
        lines = [line.split() for line in log.read_text().splitlines()]
        print(f"{len(lines)} names, the slowest after {max(float(line[1]) for line in lines)} s")
        assert all(line[2:] == ["203.0.113.9"] for line in lines), [line for line in lines if line[2:] != ["203.0.113.9"]]
    finally:
        shutil.rmtree(own)


def test_the_documented_line_names_both_machines(tmp_path):
    line = re.search(r"^dhcp-option=.*", (ROOT / "Docs/two-machines.md").read_text(), re.M)[0]
    with machines(VOTER, PHONE):
        cable(VOTER, "eth0", PHONE, "eth0", address=f"{ADDRESSES[PHONE]}/24")
        ip("-n", VOTER, "addr", "add", f"{ADDRESSES[VOTER]}/24", "dev", "eth0")
        router = begin(
            VOTER, "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--port=0", "--interface=eth0",
            "--dhcp-range=192.168.1.100,192.168.1.200", f"--dhcp-leasefile={tmp_path / 'leases'}", "--no-ping",
            f"--{line}")
        try:
            both = [ADDRESSES[FIRST], ADDRESSES[SECOND]]
            eventually(lambda: at(PHONE, sys.executable, "-c", DISCOVER).stdout.split() == both, 30)
        finally:
            router.terminate()
            router.wait()
