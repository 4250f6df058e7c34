"""Gateway mode on a real LAN in network namespaces: what DNS alone cannot hold, the machine that routes does."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from gateway_lan import (
    CALL, DOH, DOT, DOWNLOAD, ELSEWHERE, GATEWAY, HOME, HOSTS, KIND, KNOCK, OTHER, PHONE, STRANGE, TELEVISION, Watched,
    at, connects, dig, ip, open_home)
from household import BINARY, eventually

FAMILIES = ["v4", "v6"]


@pytest.fixture
def home():
    home = open_home()
    try:
        home.serve()
        home.log_in()
        yield home
    finally:
        home.close()


def know(family, places=(PHONE, OTHER)):
    """The devices look everything up, as they would before they connect."""
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
    # The shield and the pages are this machine's own, and reached as ever.
    page = at(PHONE, "curl", "-s", "-m", "5", "--resolve", f"www.video.example:80:{HOME['v4']}",
              "http://www.video.example/").stdout
    assert "Sleep Mode Active" in page


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


@pytest.fixture
def phones_browser(home):
    """Chromium on the phone, with the phone's own resolver."""
    place = Path(f"/etc/netns/{PHONE}")
    place.mkdir(parents=True, exist_ok=True)
    (place / "resolv.conf").write_text(f"nameserver {HOME['v4']}\n")
    start = home.folder / "chromium"
    start.write_text(f'#!/bin/sh\nexec ip netns exec {PHONE} /usr/bin/chromium "$@"\n')
    start.chmod(0o755)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(start), args=["--no-sandbox"])
            yield browser
            browser.close()
    finally:
        (place / "resolv.conf").unlink()
        place.rmdir()


# Reads until it ends; says when the last bytes came and what ended it. The clock is the page's, in milliseconds of Unix time.
FETCH = """async () => {
    window.download = {last: 0, bytes: 0, end: null};
    const clock = () => performance.timeOrigin + performance.now();
    try {
        const reader = (await fetch("/film")).body.getReader();
        while (true) {
            const {done, value} = await reader.read();
            if (done) { window.download.end = "done"; break; }
            window.download.bytes += value.length;
            window.download.last = clock();
        }
    } catch (error) { window.download.end = error.message; }
}"""
# Asks over and over, and says when the first answer came that is the page itself.
ASK = """async () => {
    window.opened = 0;
    while (!window.opened) {
        try {
            const text = await (await fetch("/page?" + Math.random())).text();
            if (text == "<title>x</title>") window.opened = performance.timeOrigin + performance.now();
        } catch (error) {}
        await new Promise(done => setTimeout(done, 10));
    }
}"""


def test_chromium_is_cut_too(home, phones_browser):
    home.enrol()
    page = phones_browser.new_page()
    page.goto("http://www.video.example/page")
    page.evaluate(f"void ({FETCH})()")
    eventually(lambda: page.evaluate("window.download.bytes") > 100_000, 10)
    wall = time.time() - time.monotonic()
    begun = home.sleep() + wall
    end = eventually(lambda: page.evaluate("window.download.end"), 5)
    last = page.evaluate("window.download.last") / 1000
    print(f"\nChromium: from the start of a night to the last byte {(last - begun) * 1000:.0f} ms, {end}")
    assert end == "network error" and -0.1 < last - begun < 1
    page.evaluate(f"void ({ASK})()")
    time.sleep(1)
    assert page.evaluate("window.opened") == 0
    released = home.reset() + wall
    opened = eventually(lambda: page.evaluate("window.opened"), 30) / 1000
    print(f"Chromium: from the release to the first byte {(opened - released) * 1000:.0f} ms")
    assert opened > released


@pytest.mark.parametrize("family", FAMILIES)
def test_a_crash_opens_nothing_and_the_next_start_neither(home, family):
    home.enrol()
    know(family)
    video = HOSTS["video"][family]
    begun = home.sleep()
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
    assert begun


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
    # Phones make up IPv6 addresses as they like, and anybody can write another IPv4 address into the settings.
    ip("-n", PHONE, "-6", "addr", "add", "fd79::1234:5678/64", "dev", "wlan0", "nodad")
    ip("-n", PHONE, "addr", "add", "10.79.0.77/24", "dev", "wlan0")
    home.sleep()
    for family, source in (("v4", "10.79.0.77"), ("v6", "fd79::1234:5678")):
        video, elsewhere = HOSTS["video"][family], ELSEWHERE[family]
        eventually(lambda: connects(PHONE, video, 80, source) == "ConnectionRefusedError", 2)
        assert connects(PHONE, HOSTS["calm"][family], 80, source) == "open"
        assert dig(PHONE, "www.video.example", KIND[family], elsewhere, "-b", source) != [STRANGE[family]]


def test_the_server_keeps_only_the_rights_that_it_needs(home):
    status = dict(line.split(":\t", 1) for line in open(f"/proc/{home.server.pid}/status") if ":\t" in line)
    assert "0" not in status["Uid"].split(), "it is root no more"
    bind, network = 1 << 10, 1 << 12
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == bind | network
    assert int(status["CapAmb"], 16) == network
    assert "sleep_inducer" in home.tables()


def test_what_is_wrong_with_the_flag_is_one_line(home):
    def refused(*words):
        run = at(GATEWAY, BINARY, "serve", "--data", str(home.folder / "none"), *words)
        assert run.returncode != 0 and "Traceback" not in run.stderr
        return run.stderr.strip()

    assert refused("--gateway", "nope0") == "Error: There is no interface nope0 on this machine."
    assert "--dns-port off" in refused("--gateway", "br0", "--dns-port", "off")
    unprivileged = subprocess.run(
        ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--bounding-set=-all", BINARY, "serve",
         "--data", "/tmp/none", "--gateway", "lo"], capture_output=True, text=True, timeout=30)
    assert unprivileged.returncode != 0 and "CAP_NET_ADMIN" in unprivileged.stderr


def test_doctor_and_health_say_what_is_missing(home):
    def doctor(*words):
        return at(GATEWAY, BINARY, "doctor", "--data", str(home.folder / "data"), *words).stdout

    assert "ok   This machine can be a gateway for br0." in doctor("--gateway", "br0")
    assert "ok   The gateway's rules are in force." in doctor()
    assert "look There is no interface nope0 on this machine." in doctor("--gateway", "nope0")
    fast = "table inet fast { flowtable ft { hook ingress priority 0; devices = { br0, wan0 }; }; }"
    if at(GATEWAY, "nft", "-f", "-", input=fast).returncode == 0:
        eventually(lambda: "look As a gateway: The firewall's flow table ft passes" in doctor(), 15)
        at(GATEWAY, "nft", "delete", "table", "inet", "fast")
        eventually(lambda: "ok   The gateway's rules are in force." in doctor(), 15)
    at(GATEWAY, "sysctl", "-qw", "net.ipv4.ip_forward=0", "net.ipv6.conf.all.forwarding=0")
    assert "look This machine passes no packets on: net.ipv4.ip_forward is 0." in doctor("--gateway", "br0")


def test_a_firewall_that_flushes_everything_is_noticed(home):
    home.enrol()
    at(GATEWAY, "nft", "delete", "table", "inet", "sleep_inducer")
    eventually(lambda: "enrolled" in home.rules(), 15)
