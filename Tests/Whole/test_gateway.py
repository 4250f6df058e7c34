"""Gateway mode on a LAN of network namespaces: the routing machine blocks what DNS alone cannot block."""

import re
import signal
import time

import pytest

from gateway_lan import (
    DOH, DOT, ELSEWHERE, GATEWAY, HOME, HOSTS, KIND, OTHER, PHONE, STRANGE, TELEVISION, at, connects, dig, home, ip)
from gateway_scripts import CALL, DOWNLOAD, KNOCK, Watched
from household import eventually

FAMILIES = ["v4", "v6"]


def know(family, places=(PHONE, OTHER)):
    """The devices look up all names, as they would before they connect."""
    for place in places:
        for name, host in (("www.video.example", "video"), ("www.calm.example", "calm"),
                           ("api.video.example", "shared"), ("api.calm.example", "shared")):
            assert dig(place, name, KIND[family], HOME[family]) == [HOSTS[host][family]]


@pytest.mark.parametrize("family", FAMILIES)
def test_whatever_server_an_enrolled_device_asks_ours_answers(home, family):
    elsewhere, kind = ELSEWHERE[family], KIND[family]
    strange, ours = [STRANGE[family]], [HOSTS["video"][family]]
    for flags in ((), ("+tcp",)):
        assert dig(PHONE, "www.video.example", kind, elsewhere, *flags) == strange, "nobody's device is left alone"
    assert connects(PHONE, DOT[family], 853) == "open" and connects(PHONE, DOH[family], 443) == "open"
    home.enrol()
    for flags in ((), ("+tcp",)):
        eventually(lambda: dig(PHONE, "www.video.example", kind, elsewhere, *flags) == ours, 3)
        assert dig(TELEVISION, "www.video.example", kind, elsewhere, *flags) == strange
    assert connects(PHONE, DOT[family], 853) == "ConnectionRefusedError"
    assert connects(PHONE, DOH[family], 443) == "ConnectionRefusedError"
    assert connects(TELEVISION, DOT[family], 853) == "open" and connects(TELEVISION, DOH[family], 443) == "open"
    for name, host in (("doh.libredns.gr", "doh"), ("dns.nextdns.io", "nextdns")):
        address = HOSTS[host][family]
        assert dig(PHONE, name, kind, HOME[family]) == [address]
        eventually(lambda: connects(PHONE, address, 80) == "ConnectionRefusedError", 2)
        assert connects(TELEVISION, address, 80) == "open"
    assert connects(PHONE, HOSTS["video"][family], 80) == "open", "nothing else is touched while nobody sleeps"
    home.sleep()
    eventually(lambda: dig(PHONE, "www.video.example", "A", elsewhere) == [HOME["v4"]], 3)
    assert dig(OTHER, "www.video.example", kind, elsewhere) == ours
    # The shield and the pages are this machine's own, and stay reachable.
    page = at(PHONE, "curl", "-s", "-m", "5", "--resolve", f"www.video.example:80:{HOME['v4']}",
              "http://www.video.example/").stdout
    assert "Sleep Mode Active" in page


@pytest.mark.alone
@pytest.mark.parametrize("family", FAMILIES)
def test_a_night_cuts_what_is_open_and_nothing_else(home, family):
    home.enrol()
    know(family)
    address = {host: addresses[family] for host, addresses in HOSTS.items()}
    cut = Watched(home, PHONE, DOWNLOAD, address["video"]).begun("bytes")
    spared = [Watched(home, place, DOWNLOAD, address[host]).begun("bytes")
              for place, host in ((PHONE, "calm"), (PHONE, "shared"), (OTHER, "video"), (TELEVISION, "video"))]
    call = Watched(home, PHONE, CALL, address["video"], 5000).begun("heard")
    quic = Watched(home, PHONE, CALL, address["video"], 443).begun("heard")
    knocks = Watched(home, PHONE, KNOCK, address["video"])
    begun = home.sleep()
    end = cut.ends()
    print(f"\n{family}: from the start of a night to the last byte {(end['last'] - begun) * 1000:.0f} ms, {end['end']}")
    assert end["end"] == "ConnectionResetError" and end["last"] - begun < 1
    time.sleep(1)
    assert quic.state()["last"] - begun < 1 and quic.state()["errors"] > 0, "QUIC is refused, aloud"
    for download in spared:
        download.goes_on("bytes")
    call.goes_on("heard")
    late = Watched(home, PHONE, CALL, address["video"], 5000)
    time.sleep(0.5)
    assert late.state()["heard"] == 0, "a call that begins now does not"
    assert connects(PHONE, address["video"], 80) == "ConnectionRefusedError"
    assert connects(PHONE, address["calm"], 80) == connects(PHONE, address["shared"], 80) == "open"
    assert connects(OTHER, address["video"], 80) == connects(TELEVISION, address["video"], 80) == "open"
    released = home.reset()
    eventually(lambda: knocks.lines()[-1][1] == "open", 3)
    lines = [line for line in knocks.lines() if line[0] > begun + 1]
    first = next(when for when, said in lines if said == "open")
    print(f"{family}: from the release to the first byte {(first - released) * 1000:.0f} ms")
    assert first > released and first - released < 1


def remembered(family):
    """The flows that the gateway's kernel remembers: device, host, transport and the host's port."""
    text = at(GATEWAY, "conntrack", "-L", "-f", {"v4": "ipv4", "v6": "ipv6"}[family]).stdout
    return {(device, host, transport, int(port)) for transport, device, host, port in re.findall(
        r"^(\w+) .*?src=(\S+) dst=(\S+) sport=\d+ dport=(\d+)", text, re.M)}


@pytest.mark.alone
@pytest.mark.parametrize("family", FAMILIES)
def test_the_kernel_forgets_what_is_refused_and_nothing_else(home, family):
    phone, other, television = (f"10.79.0.{n}" if family == "v4" else f"fd79::{n}" for n in (2, 3, 4))
    address = {host: addresses[family] for host, addresses in HOSTS.items()}
    # Before any device is enrolled: questions to another server, and an encrypted one.
    for place in (PHONE, TELEVISION):
        assert dig(place, "www.video.example", KIND[family], ELSEWHERE[family]) == [STRANGE[family]]
    asks = Watched(home, PHONE, CALL, address["doh"], 443).begun("heard")
    dig(PHONE, "doh.libredns.gr", KIND[family], HOME[family])
    tells = {(device, ELSEWHERE[family], "udp", 53) for device in (phone, television)}
    assert remembered(family) >= tells | {(phone, address["doh"], "udp", 443)}
    home.enrol()
    dig(PHONE, "doh.libredns.gr", KIND[family], HOME[family])
    eventually(lambda: (phone, ELSEWHERE[family], "udp", 53) not in remembered(family), 3)
    eventually(lambda: (phone, address["doh"], "udp", 443) not in remembered(family), 3)
    assert (television, ELSEWHERE[family], "udp", 53) in remembered(family)
    asks.process.terminate()

    know(family)
    places = (PHONE, "video"), (PHONE, "calm"), (PHONE, "shared"), (OTHER, "video"), (TELEVISION, "video")
    downloads = [Watched(home, place, DOWNLOAD, address[host]).begun("bytes") for place, host in places]
    calls = [Watched(home, PHONE, CALL, address["video"], port).begun("heard") for port in (5000, 443)]
    refused = {(phone, address["video"], "tcp", 80), (phone, address["video"], "udp", 443)}
    spared = {(phone, address["video"], "udp", 5000), (phone, address["calm"], "tcp", 80),
              (phone, address["shared"], "tcp", 80), (other, address["video"], "tcp", 80),
              (television, address["video"], "tcp", 80)}
    assert remembered(family) >= refused | spared
    begun = home.sleep()
    eventually(lambda: (phone, address["video"], "udp", 443) not in remembered(family), 3)
    print(f"\n{family}: from the start of a night until QUIC is forgotten {(time.monotonic() - begun) * 1000:.0f} ms")
    assert downloads[0].ends()["end"] == "ConnectionResetError", "the reset came before it was forgotten"
    # Without help, the kernel would remember a reset connection for ten seconds.
    eventually(lambda: not remembered(family) & refused, 4)
    print(f"{family}: until the download is {(time.monotonic() - begun) * 1000:.0f} ms")
    assert remembered(family) >= spared
    for download in downloads[1:]:
        download.goes_on("bytes")
    calls[0].goes_on("heard")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_connection_that_says_nothing_is_told_nothing(home, family):
    """A messenger's connection that waits for news for hours is cut before the news, which would wake a person."""
    home.enrol()
    know(family)
    waits = [Watched(home, place, DOWNLOAD, HOSTS["video"][family], "LATER") for place in (PHONE, OTHER)]
    eventually(lambda: all(one.path.exists() for one in waits), 5)
    home.sleep()
    end = waits[0].ends(8)
    assert (end["bytes"], end["end"]) == (0, "ConnectionResetError")
    waits[1].begun("bytes")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_crash_opens_nothing_and_the_next_start_neither(home, family):
    home.enrol()
    know(family)
    video = HOSTS["video"][family]
    home.sleep()
    eventually(lambda: connects(PHONE, video, 80) == "ConnectionRefusedError", 2)
    knocks = Watched(home, PHONE, KNOCK, video)
    home.server.send_signal(signal.SIGKILL)
    home.server.wait()
    time.sleep(1)
    assert connects(PHONE, video, 80) == "ConnectionRefusedError", "before the restart"
    home.serve()
    time.sleep(1)
    assert connects(PHONE, video, 80) == "ConnectionRefusedError", "after it"
    assert {said for _, said in knocks.lines()} == {"ConnectionRefusedError"} and len(knocks.lines()) > 100
    assert connects(PHONE, HOSTS["calm"][family], 80) == "open"
    home.reset()
    eventually(lambda: knocks.lines()[-1][1] == "open", 3)
    home.server.terminate()
    assert home.server.wait(10) == 0
    assert "sleep_inducer" not in home.tables() and "firewall" in home.tables()
    assert dig(PHONE, "www.video.example", KIND[family], ELSEWHERE[family]) == [STRANGE[family]]


@pytest.mark.alone
@pytest.mark.parametrize("family", FAMILIES)
def test_an_allowed_name_on_a_closed_address_opens_it_before_it_is_answered(home, family):
    home.enrol()
    late = HOSTS["late"][family]
    assert dig(PHONE, "late.video.example", KIND[family], HOME[family]) == [late]
    home.sleep()
    eventually(lambda: connects(PHONE, late, 80) == "ConnectionRefusedError", 2)
    asked = time.monotonic()
    assert dig(PHONE, "late.calm.example", KIND[family], HOME[family]) == [late]
    print(f"\n{family}: an answer that had to wait, with dig's start, {(time.monotonic() - asked) * 1000:.0f} ms")
    assert connects(PHONE, late, 80) == "open", "at the first attempt"
    assert time.monotonic() - asked < 1


def test_a_new_address_of_its_own_is_no_way_out(home):
    home.enrol()
    know("v6", (PHONE,))
    know("v4", (PHONE,))
    # Phones make up IPv6 addresses as they like, and anybody can type another IPv4 address into the settings.
    ip("-n", PHONE, "-6", "addr", "add", "fd79::1234:5678/64", "dev", "wlan0", "nodad")
    ip("-n", PHONE, "addr", "add", "10.79.0.77/24", "dev", "wlan0")
    home.sleep()
    for family, source in (("v4", "10.79.0.77"), ("v6", "fd79::1234:5678")):
        video, elsewhere = HOSTS["video"][family], ELSEWHERE[family]
        eventually(lambda: connects(PHONE, video, 80, source) == "ConnectionRefusedError", 2)
        assert connects(PHONE, HOSTS["calm"][family], 80, source) == "open"
        assert dig(PHONE, "www.video.example", KIND[family], elsewhere, "-b", source) != [STRANGE[family]]
