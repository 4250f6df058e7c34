"""A server between a home and a provider's link: devices at home are served, all others are not."""

import re
import subprocess
import time

import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, cable, ip, machine, machines

SERVER, PHONE, OUTSIDE = map(machine, ("n-server", "n-phone", "n-outside"))
HOME = ["192.168.77.1", "fd77::1", "2001:db8:77::1"]
UPLINK = ["198.51.100.1", "2001:db8:51::1"]
"""Hosts on the provider's link, and behind it."""
NEIGHBOUR = {4: "198.51.100.2", 6: "2001:db8:51::2"}
FAR = {4: "203.0.113.9", 6: "2001:db8:99::9"}


class Network:
    def __init__(self, folder):
        self.folder, self.server = folder, None

    def serve(self, *flags):
        with open(self.folder / "log", "ab") as log:
            self.server = subprocess.Popen(
                ["ip", "netns", "exec", SERVER, BINARY, "serve", "--data", self.folder / "data", "--passcode", PASSCODE,
                 "--time-zone", "Europe/Berlin", "--upstream", "127.0.0.1:5398", *flags], stdout=log, stderr=log)
        where = "127.0.0.1" if "--bind" not in flags else flags[flags.index("--bind") + 1]
        eventually(lambda: pages(SERVER, where) == "served", 20)
        return self

    @property
    def log(self):
        return (self.folder / "log").read_text()

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait(15)


@pytest.fixture
def network(tmp_path):
    with machines(SERVER, PHONE, OUTSIDE):
        for place in (SERVER, PHONE, OUTSIDE):
            at(place, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")
        cable(SERVER, "lan0", PHONE, "wlan0", address=["192.168.77.2/24", "fd77::2/64", "2001:db8:77::2/64"])
        cable(SERVER, "wan0", OUTSIDE, "eth0", address=["198.51.100.2/24", "2001:db8:51::2/64"])
        for address, port in [("192.168.77.1/24", "lan0"), ("fd77::1/64", "lan0"), ("2001:db8:77::1/64", "lan0"),
                              ("198.51.100.1/24", "wan0"), ("2001:db8:51::1/64", "wan0")]:
            ip("-n", SERVER, "addr", "add", address, "dev", port, *(["nodad"] if ":" in address else []))
        # A host on the provider's link can route to the home's addresses behind the server.
        for far, near, route in [("203.0.113.9/32", "198.51.100.2", "192.168.77.0/24"),
                                 ("2001:db8:99::9/128", "2001:db8:51::2", "fd77::/64")]:
            ip("-n", OUTSIDE, "addr", "add", far, "dev", "lo")
            ip("-n", SERVER, "route", "add", "default", "via", near)
            ip("-n", OUTSIDE, "route", "add", route, "via", UPLINK[":" in far])
        ip("-n", OUTSIDE, "route", "add", "2001:db8:77::/64", "via", UPLINK[1])
        network = Network(tmp_path)
        try:
            yield network
        finally:
            network.stop()


def curl(place, url, source=None):
    words = ["--interface", source] if source else []
    return at(place, "curl", "-sk", "-m", "3", "-o", "/dev/null", "-w", "%{http_code}", *words, url).stdout


def bracketed(address):
    return f"[{address}]" if ":" in address else address


def pages(place, address, source=None):
    """`served`, `refused` if one sentence says why, or `silent`."""
    return {"200": "served", "303": "served", "403": "refused", "000": "silent"}[curl(place, f"http://{bracketed(address)}/", source)]


def doh(place, address, source=None):
    """The same for a request over HTTPS without a question: 400 counts as an answer."""
    return {"400": "served", "000": "silent"}[curl(place, f"https://{bracketed(address)}/dns-query", source)]


def dns(place, address, source=None, *flags):
    """The reply's status, or `silent`."""
    words = ["-b", source] if source else []
    reply = at(place, "dig", "+timeout=1", "+tries=1", *flags, *words, f"@{address}", "sleep.home.arpa", "A")
    found = re.search(r"status: (\w+)", reply.stdout)
    return found[1] if found else "silent"


def everything(place, address, source=None):
    return (pages(place, address, source), doh(place, address, source), dns(place, address, source),
            dns(place, address, source, "+tcp"))


ALL = ("served", "served", "NOERROR", "NOERROR")
NOTHING = ("silent", "silent", "silent", "silent")
"""A page and a datagram get the reason; every other connection is closed."""
REFUSED = ("refused", "silent", "REFUSED", "silent")


@pytest.mark.parametrize("flags", [(), ("--gateway", "lan0")], ids=["plain", "gateway"])
def test_the_home_is_served_and_the_providers_link_is_not(network, flags):
    network.serve(*flags)
    for address in HOME:
        assert everything(PHONE, address) == ALL, address
    # On the provider's side nothing listens; a neighbour there can reach the home's side, but is refused.
    for address in UPLINK + HOME:
        for source in (NEIGHBOUR, FAR):
            here = source[6 if ":" in address else 4]
            assert everything(OUTSIDE, address, here) == (NOTHING if address in UPLINK else REFUSED), (address, here)
    assert ("198.51.100.1 (wan0)" in network.log) == (not flags), "who named the home knows"
    assert everything(PHONE, HOME[0]) == ALL


def test_bind_names_another_network_and_serves_no_more_than_that(network):
    network.serve("--bind", UPLINK[0])
    assert everything(OUTSIDE, UPLINK[0], NEIGHBOUR[4]) == ALL
    assert everything(OUTSIDE, UPLINK[0], FAR[4]) == REFUSED
    assert everything(PHONE, HOME[0]) == NOTHING


def test_a_machine_without_a_home_network_says_what_to_do(network):
    ip("-n", SERVER, "link", "set", "lan0", "down")
    network.serve()
    assert everything(SERVER, "127.0.0.1") == ALL
    assert everything(OUTSIDE, UPLINK[0], NEIGHBOUR[4]) == NOTHING
    said = next(line for line in network.log.split("\n") if "only this machine is served" in line)
    assert "198.51.100.1 (wan0)" in said and "--bind" in said
    # A home network that appears later is served from then on.
    ip("-n", SERVER, "link", "set", "lan0", "up")
    eventually(lambda: everything(PHONE, HOME[0]) == ALL, 10)


def test_a_look_up_that_fails_drops_no_listener(network):
    network.serve()
    assert dns(PHONE, HOME[0]) == "NOERROR"
    # `ip netns exec` became the server process itself.
    limit = ["prlimit", f"--pid={network.server.pid}"]
    subprocess.run([*limit, "--nofile=8:"], check=True)
    try:
        for _ in range(3):
            time.sleep(1)
            assert dns(PHONE, HOME[0]) == "NOERROR", network.log[-2000:]
    finally:
        subprocess.run([*limit, "--nofile=1024:"], check=True)
    assert "Addresses changed" not in network.log
    eventually(lambda: everything(PHONE, HOME[0]) == ALL, 10)
