"""Gateway mode on a real LAN in network namespaces: what DNS alone cannot hold, the machine that routes does."""

import os
import signal
import subprocess
import time

import pytest

from gateway_lan import (
    CALL, DOH, DOT, DOWNLOAD, ELSEWHERE, GATEWAY, HOME, HOSTS, KIND, KNOCK, OTHER, PHONE, STRANGE, TELEVISION, Watched,
    at, connects, dig, open_home)
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


def test_a_firewall_that_flushes_everything_is_noticed(home):
    home.enrol()
    at(GATEWAY, "nft", "delete", "table", "inet", "sleep_inducer")
    eventually(lambda: "enrolled" in home.rules(), 15)
