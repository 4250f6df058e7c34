"""What other people's networks say and do: resolver settings that nobody can use, interfaces that come and go, routers
that ask back, and public names that lead into the home."""

import contextlib
import json
import re
import subprocess
import time
from pathlib import Path

import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, begin, cable, ip, machine, machines

SERVER, ROUTER, PHONE = map(machine, ("r-server", "r-router", "r-phone"))
HOME, GATE, PUBLIC = "192.168.77.1", "192.168.77.254", "203.0.113.53"
SETTINGS = Path(f"/etc/netns/{SERVER}/resolv.conf")


class Network:
    """A server and a phone on a router's network. The public resolver is behind another link of the server."""

    def __init__(self, folder):
        self.folder, self.server, self.resolvers = folder, None, []

    def tell(self, *lines):
        """Writes the server's `resolv.conf`, in place because it is mounted."""
        SETTINGS.write_text("".join(f"{line}\n" for line in lines))

    def resolver(self, *flags, place=ROUTER):
        """dnsmasq, with only what the flags give it."""
        (self.folder / "dnsmasq").touch()
        with open(self.folder / "log", "ab") as log:
            found = begin(place, "dnsmasq", "-k", "-C", self.folder / "dnsmasq", "--no-resolv", "--no-hosts", "--bind-interfaces",
                          "--pid-file=", "--user=root", "--log-facility=-", *flags, stdout=log, stderr=log)
        self.resolvers.append(found)
        return found

    def public(self, *flags):
        return self.resolver(f"--listen-address={PUBLIC}", "--host-record=www.example.org,198.51.100.7", *flags)

    def serve(self, *flags, name=None):
        begin_as = ["unshare", "--uts", "sh", "-c", f'hostname {name}; exec "$0" "$@"'] if name else []
        with open(self.folder / "log", "ab") as log:
            self.server = begin(
                SERVER, *begin_as, BINARY, "serve", "--data", self.folder / "data", "--passcode", PASSCODE,
                "--time-zone", "Europe/Berlin", *flags, stdout=log, stderr=log)
        eventually(lambda: at(SERVER, "curl", "-sf", "-m", "2", "http://127.0.0.1/healthz").returncode == 0, 30)
        return self

    def health(self):
        """By id, what `doctor` says of the running server; None where it is content."""
        said = at(SERVER, BINARY, "doctor", "--json", "--data", self.folder / "data").stdout
        return {line["id"]: None if line["isGood"] else line["text"] for line in json.loads(said)}

    @property
    def log(self):
        return (self.folder / "log").read_text()

    def stop(self):
        for process in [self.server, *self.resolvers]:
            if process:
                process.terminate()
                process.wait(15)


@pytest.fixture
def network(tmp_path):
    SETTINGS.parent.mkdir(parents=True, exist_ok=True)
    with machines(SERVER, ROUTER, PHONE), contextlib.ExitStack() as after:
        after.callback(lambda: (SETTINGS.unlink(), SETTINGS.parent.rmdir()))
        for place in (SERVER, ROUTER, PHONE):
            at(place, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")
        join()
        cable(SERVER, "wan0", ROUTER, "world", address=[f"{PUBLIC}/24"])
        ip("-n", SERVER, "addr", "add", "203.0.113.2/24", "dev", "wan0")
        network = Network(tmp_path)
        network.tell(f"nameserver {PUBLIC}")
        after.callback(lambda: (network.stop(), print(network.log)))
        yield network


def join(index=None):
    """A bridge of the router with the server and the phone on it; the server's port may have an index of our choice."""
    if "lan" not in at(ROUTER, "ip", "-o", "link", "show", "type", "bridge").stdout:
        ip("-n", ROUTER, "link", "add", "lan", "type", "bridge")
        ip("-n", ROUTER, "link", "set", "lan", "up")
        for text in (f"{GATE}/24", "192.168.77.53/24", "fd77::254/64", "fe80::1/64"):
            ip("-n", ROUTER, "addr", "add", text, "dev", "lan", *(["nodad"] if ":" in text else []))
        cable(ROUTER, "p1", PHONE, "wlan0", address=["192.168.77.2/24", "fd77::2/64"], bridge="lan")
    number = ["index", str(index)] if index else []
    ip("link", "add", "p0", "netns", ROUTER, "type", "veth", "peer", "name", "lan0", "netns", SERVER, *number)
    ip("-n", ROUTER, "link", "set", "p0", "master", "lan", "up")
    ip("-n", SERVER, "link", "set", "lan0", "up")
    for text in (f"{HOME}/24", "fd77::1/64"):
        ip("-n", SERVER, "addr", "add", text, "dev", "lan0", *(["nodad"] if ":" in text else []))


def dig(name, kind="A", *, by=HOME, place=PHONE, words=()):
    """Status and answers; `silent` after three seconds."""
    reply = at(place, "dig", "+time=3", "+tries=1", *words, f"@{by}", name, kind).stdout
    status = re.search(r"status: (\w+)", reply)
    found = re.findall(rf"^[^;\s]\S*\s+\d+\s+IN\s+{kind}\s+(\S.*)$", reply, re.M)
    return (status[1] if status else "silent", *sorted(found))


OPEN = ("NOERROR", "198.51.100.7")


# What nobody can use

@pytest.mark.parametrize("line", [
    "nameserver fe80::1%wlan9", "nameserver fe80::1", "nameserver router.lan", "nameserver 300.1.1.1", "nameserver",
    "search a..b", "options \x00 ndots:99", "nameserver 2001:db8::53%eth9", "nameserver 203.0.113.99%wan0",
])
def test_a_bad_line_of_the_settings_keeps_nobody_from_the_next(network, line):
    network.public()
    network.tell(line, f"nameserver {PUBLIC}")
    network.serve()
    assert eventually(lambda: dig("www.example.org") == OPEN, 10), network.log


def test_what_is_skipped_is_told_and_used_once_it_can_be(network):
    network.resolver("--interface=lan", "--host-record=www.example.org,198.51.100.7")
    ip("-n", SERVER, "link", "del", "lan0")
    network.tell("nameserver fe80::1%lan0", "nameserver router")
    network.serve()
    health = network.health()
    assert "lan0, which this machine does not have" in health["network-settings-fe80::1%lan0"]
    assert "skips it" in health["network-settings-nameserver-router"]
    # Of the settings, none can be used: the last resort is asked meanwhile, and is not there.
    assert "9.9.9.9" in " ".join(network.health())
    join()
    assert eventually(lambda: dig("www.example.org") == OPEN, 10)
    assert "network-settings-fe80::1%lan0" not in network.health()
    # Plugged in again, it has another index.
    ip("-n", SERVER, "link", "del", "lan0")
    join(index=77)
    assert eventually(lambda: dig("www2.example.org")[0] != "silent", 5)
    assert dig("www.example.org", words=["+nocookie"]) == OPEN
    network.tell("nameserver fe80::1%lan0")
    assert eventually(lambda: network.health().get("network-settings") is None and
                      "network-settings" in network.health(), 10)


@pytest.mark.parametrize("upstream, is_asked", [
    ("https://dns.example.org/dns-query", True), ("https://198.51.100.9/dns-query", False), (PUBLIC, False),
])
def test_a_line_is_told_of_if_an_upstreams_name_is_asked_there(network, upstream, is_asked):
    network.tell("nameserver router", f"nameserver {PUBLIC}")
    network.serve("--upstream", upstream)
    assert ("network-settings-nameserver-router" in network.health()) == is_asked


def test_an_interface_with_another_index_is_used_at_once(network):
    network.resolver("--interface=lan", "--address=/example.org/198.51.100.7")
    network.serve("--upstream", "fe80::1%lan0")
    assert dig("a.example.org") == OPEN
    for index in (77, 78):
        ip("-n", SERVER, "link", "del", "lan0")
        join(index=index)
        assert eventually(lambda: dig(f"b{index}.example.org") == OPEN, 8)


@pytest.mark.parametrize("flags", [
    ("--upstream", "fe80::1%wlan9", "--upstream", PUBLIC), ("--local-upstream", "fe80::1%wlan9"),
    ("--bind", HOME, "--bind", "fe80::1%wlan9", "--bind", "127.0.0.1")])
def test_a_flag_may_name_what_is_not_there_yet(network, flags):
    network.public()
    network.serve(*flags)
    assert eventually(lambda: dig("www.example.org") == OPEN, 10)
    if "--upstream" in flags:
        assert "wlan9" in network.health()["network-settings-fe80::1%wlan9"]


def test_settings_that_are_empty_at_boot_are_followed(network):
    network.public("--host-record=tv.office.example,198.51.100.8")
    network.resolver(f"--listen-address={GATE}", "--host-record=tv.office.example,192.168.77.8", "--local=/office.example/")
    network.tell()
    network.serve("--local-upstream", GATE)
    assert dig("www.example.org")[0] != "NOERROR", "nobody was named"
    network.tell("search office.example", f"nameserver {PUBLIC}")
    assert eventually(lambda: dig("www.example.org") == OPEN, 10)
    # The search domain is the home's from then on, and so is what was answered before.
    assert eventually(lambda: dig("tv.office.example") == ("NOERROR", "192.168.77.8"), 10)
    # A machine that loses its network forgets them; this server keeps what it knew.
    network.tell()
    time.sleep(4)  # the next look at the file is due within three seconds
    assert dig("www.example.org") == OPEN
    assert dig("tv.office.example") == ("NOERROR", "192.168.77.8")


# A router that asks here what it does not know

@pytest.mark.parametrize("back", [HOME, "fd77::1"])
def test_a_router_that_asks_back_still_tells_the_names_of_the_home(network, back):
    network.public()
    network.resolver(f"--listen-address={GATE},fd77::254", f"--server={back}", "--host-record=printer.lan,192.168.77.9")
    network.serve("--upstream", PUBLIC, "--local-upstream", GATE)
    # The router waits for this server, which waits for the router, until the loop is seen.
    eventually(lambda: "asks this server back" in network.log, 10)
    for by in (HOME, GATE):
        assert dig("printer.lan", by=by) == ("NOERROR", "192.168.77.9"), by
        assert dig("9.77.168.192.in-addr.arpa", "PTR", by=by) == ("NOERROR", "printer.lan."), by
        assert eventually(lambda: quickly_none(by), 10), by
        assert dig("www.example.org", by=by) == OPEN, by
    assert not [text for key, text in network.health().items() if key.startswith("upstream-silent") and text]


def quickly_none(by):
    """Whether another name that nobody knows is known not to exist, sooner than questions go around for it."""
    began = time.monotonic()
    return dig(f"ghost{time.monotonic_ns()}.lan", by=by) == ("NXDOMAIN",) and time.monotonic() - began < 1.5


def test_a_router_that_is_told_to_ask_here_later_is_noticed_by_its_question(network):
    network.public()
    first = network.resolver(f"--listen-address={GATE}", "--host-record=printer.lan,192.168.77.9", "--local=/lan/")
    network.serve("--upstream", PUBLIC, "--local-upstream", GATE)
    assert dig("ghost.lan") == ("NXDOMAIN",)
    first.terminate()
    first.wait(15)
    network.resolver(f"--listen-address={GATE}", f"--server={HOME}", "--host-record=printer.lan,192.168.77.9")
    eventually(lambda: dig("ghost2.lan") == ("NXDOMAIN",), 45)
    assert dig("printer.lan") == ("NOERROR", "192.168.77.9")


# Public names that lead into the home

PRIVATE = [
    "--host-record=nas.example.org,192.168.77.9", "--host-record=a.plex.direct,192.168.77.9",
    "--host-record=dns.msftncsi.com,fd3e:4f5a:5b81::1", "--host-record=2.0.0.127.list.example,127.0.0.2",
    "--host-record=1.0.0.127.list.example,127.0.0.1", "--host-record=pc.example.org,192.168.77.8",
    "--srv-host=_ldap._tcp.example.org,pc.example.org,389",
]
GUARDED = {
    ("nas.example.org", "A"): ("NOERROR",), ("a.plex.direct", "A"): ("NOERROR", "192.168.77.9"),
    ("dns.msftncsi.com", "AAAA"): ("NOERROR", "fd3e:4f5a:5b81::1"),
    ("2.0.0.127.list.example", "A"): ("NOERROR", "127.0.0.2"), ("1.0.0.127.list.example", "A"): ("NOERROR",),
    ("_ldap._tcp.example.org", "SRV"): ("NOERROR", "0 0 389 pc.example.org."), ("pc.example.org", "A"): ("NOERROR",),
}
UNTOUCHED = {**GUARDED, ("nas.example.org", "A"): ("NOERROR", "192.168.77.9"),
             ("1.0.0.127.list.example", "A"): ("NOERROR", "127.0.0.1"), ("pc.example.org", "A"): ("NOERROR", "192.168.77.8")}


def answers():
    return {question: dig(*question) for question in GUARDED}


def test_enrolled_devices_are_guarded_and_others_are_not(network):
    network.public(*PRIVATE)
    network.serve("--upstream", PUBLIC, "--new-devices", "ignore")
    assert answers() == UNTOUCHED
    network.stop()
    network.resolvers.clear()
    network.public(*PRIVATE)
    (network.folder / "data").rename(network.folder / "before")
    network.serve("--upstream", PUBLIC, "--new-devices", "me", "--private-answers", "PC.example.org.")
    # A new device is enrolled once its hardware address is known.
    assert eventually(lambda: dig("nas.example.org") == ("NOERROR",), 10)
    expected = {**GUARDED, ("pc.example.org", "A"): ("NOERROR", "192.168.77.8")}
    assert answers() == expected
    put(network, "https://NAS.example.org/")
    assert dig("nas.example.org") == ("NOERROR", "192.168.77.9"), "at once, though it was answered before"
    put(network, "")
    assert answers() == expected


def put(network, names):
    """Signs in from the phone, and puts names on the household's list."""
    jar = str(network.folder / "cookies")
    page = f"http://{HOME}/settings/private-answers"

    def curl(*words):
        return at(PHONE, "curl", "-s", "-m", "10", "-b", jar, "-c", jar, *words).stdout
    curl(f"http://{HOME}/login", "-d", f"passcode={PASSCODE}")
    token = re.search(r'name="?csrf"? value="([^"]+)"', curl(page))[1]
    reply = curl("-o", "/dev/null", "-w", "%{http_code}", page, "--data-urlencode", f"csrf={token}", "--data-urlencode",
                 f"names={names}")
    assert reply == "303"


def test_a_resolver_on_this_machines_own_network_is_the_homes(network):
    for place, port, text in ((ROUTER, "lan", "2001:db8:77::254/64"), (SERVER, "lan0", "2001:db8:77::1/64"),
                              (ROUTER, "world", "2001:db8:51::53/64"), (SERVER, "wan0", "2001:db8:51::2/64")):
        ip("-n", place, "addr", "add", text, "dev", port, "nodad")
    network.resolver("--listen-address=2001:db8:77::254,2001:db8:51::53", *PRIVATE)
    network.serve("--upstream", "2001:db8:77::254", "--new-devices", "me")
    assert eventually(lambda: dig("nas.example.org") == ("NOERROR", "192.168.77.9"), 10)
    network.server.terminate()
    network.server.wait(15)
    network.serve("--upstream", "2001:db8:51::53", "--new-devices", "me")
    assert eventually(lambda: dig("nas.example.org") == ("NOERROR",), 10), "a provider's"


# Names of this machine

NAMES = ["pi.lan", "pi", "pi.local", "pi.lan.local", "pi.fritz.box", "pi.lan.fritz.box", "sleep.home.arpa"]


def test_every_name_of_the_machine_answers(network):
    network.public()
    network.tell("search fritz.box", f"nameserver {PUBLIC}")
    network.serve(name="pi.lan")
    for name in NAMES:
        assert_answers(network, name)
    assert status("other.fritz.box") == "503", "a foreign name meets the shield"
    # A lease gives the machine another name, and another search domain.
    at(SERVER, "nsenter", "--uts", "-t", str(network.server.pid), "hostname", "box")
    network.tell("search home.example", f"nameserver {PUBLIC}")
    assert eventually(lambda: dig("box.home.example") == ("NOERROR", HOME), 10)
    for name in ("box", "box.local", "box.home.example", "sleep.home.arpa"):
        assert_answers(network, name)
    assert dig("pi.fritz.box")[0] == "NXDOMAIN"
    assert status("pi.fritz.box") == "503"


def status(name, scheme="http"):
    words = ["-sk", "-m", "5", "-o", "/dev/null", "-w", "%{http_code}", "--resolve", f"{name}:80:{HOME}", "--resolve",
             f"{name}:443:{HOME}"]
    return at(PHONE, "curl", *words, f"{scheme}://{name}/login").stdout


def assert_answers(network, name):
    assert dig(name) == ("NOERROR", HOME), name
    assert status(name) == "200", f"the pages at {name}"
    assert status(name, "https") == "200", f"the pages at https://{name}"
    shown = at(PHONE, "sh", "-c", f"openssl s_client -connect {HOME}:443 -servername {name} </dev/null 2>/dev/null"
               " | openssl x509 -noout -ext subjectAltName").stdout
    assert f"DNS:{name}" in shown, f"the certificate of {name}: {shown}"


def test_a_local_search_domain_goes_to_the_homes_own_server(network):
    network.public()
    network.resolver(f"--listen-address={GATE}", "--host-record=printer.office.local,192.168.77.9",
                     "--host-record=printer.local,192.168.77.10", "--local=/local/")
    network.tell("search office.local", f"nameserver {PUBLIC}")
    network.serve("--local-upstream", GATE)
    assert dig("printer.office.local") == ("NOERROR", "192.168.77.9")
    assert dig("printer.local") == ("NXDOMAIN",), "it belongs to multicast DNS (RFC 6762)"
    network.server.terminate()
    network.server.wait(15)
    network.serve()
    assert dig("printer.office.local") == ("NXDOMAIN",)
