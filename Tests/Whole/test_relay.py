"""Connections for open names that still arrive here are relayed to their hosts, on a LAN of network namespaces."""

import contextlib
import sqlite3
import subprocess
import sys
import time

import pytest

from household import eventually
from lan import at, begin, ip
from relay_lan import GUEST, HOST, IPV6, PHONE, SERVER, SHIELD, Owner, curl, dig, lan, stale, to_shield  # noqa: F401


def test_a_stale_answer_never_outlives_the_end_of_a_block(lan):
    owner = Owner(lan / "jar")
    owner.start()
    assert stale("http://tiktok.com/").stdout.endswith("403")
    assert stale("https://tiktok.com/").returncode == 35, "an alert at once"
    owner.reset()
    page = stale("http://tiktok.com/").stdout
    assert "world of tiktok.com" in page and page.endswith("200")
    secure = stale("https://tiktok.com/", "-v")
    assert "world of tiktok.com" in secure.stdout
    assert "CN=world.test" in secure.stderr, "its own certificate: nothing is opened on the way"


@pytest.mark.alone
def test_a_block_cuts_what_is_relayed_within_a_second_and_nobody_elses(lan):
    owner = Owner(lan / "jar")
    dig(GUEST, "example.com")
    eventually(lambda: stale("http://tiktok.com/", place=GUEST).stdout.endswith("200"))
    downloads = {
        (place, scheme): begin(place, "curl", "-skN", "-m", "15", *to_shield("tiktok.com"),
                               f"{scheme}://tiktok.com/slow",
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for place in (PHONE, GUEST) for scheme in ("http", "https")}
    for download in downloads.values():
        assert download.stdout.readline() == b"on and on\n"
    begun = time.monotonic()
    owner.post("/session", durationMinutes=60, strictness="flexible")
    for scheme in ("http", "https"):
        assert downloads[PHONE, scheme].wait(5) != 0
    seconds = time.monotonic() - begun
    print(f"\nfrom the press on Start, with the form's own way, to the end of two downloads {seconds * 1000:.0f} ms")
    assert seconds < 1.5
    for scheme in ("http", "https"):
        assert downloads[GUEST, scheme].poll() is None
        downloads[GUEST, scheme].terminate()
        downloads[GUEST, scheme].wait(5)


def test_nothing_leads_back_into_the_home(lan):
    dig(PHONE, "example.com")
    assert stale("https://camera.inside.example/").returncode == 35
    assert stale("http://camera.inside.example/").stdout.endswith("503")
    assert stale("https://sleep.home.arpa/healthz").stdout.endswith("200"), "own names are served, not relayed"


def test_another_address_of_a_device_is_no_way_around(lan):
    """The device asks for names over IPv4 and opens pages over IPv6, as browsers do."""
    owner = Owner(lan / "jar")
    owner.start()
    flags = ("--resolve", f"tiktok.com:80:[{IPV6[SERVER]}]", "--resolve", f"tiktok.com:443:[{IPV6[SERVER]}]")

    def page():
        text = curl(*flags, "-w", "\n%{http_code}", "http://tiktok.com/").stdout
        assert not text.endswith("200"), "never, not even in the second in which its hardware address is learned"
        return text.endswith("403") and "Sleep Mode Active" in text

    eventually(page)
    assert curl(*flags, "https://tiktok.com/").returncode == 35


def test_a_fresh_ipv4_address_meets_the_shield_before_it_asks(lan):
    """The kernel knows the hardware address of each connection, so the device is neither let through nor unknown."""
    owner = Owner(lan / "jar")
    owner.start()
    ip("-n", PHONE, "addr", "add", "10.79.0.77/24", "dev", "wlan0")
    fresh = ("--interface", "10.79.0.77", *to_shield("tiktok.com"))
    for _ in range(3):
        text = curl(*fresh, "-w", "\n%{http_code}", "http://tiktok.com/").stdout
        assert text.endswith("403") and "Sleep Mode Active" in text
        assert curl(*fresh, "https://tiktok.com/").returncode == 35
        time.sleep(0.3)


def test_whoever_never_asked_here_is_not_passed_on(lan):
    assert stale("https://tiktok.com/", place=GUEST).returncode == 35
    assert stale("http://tiktok.com/", place=GUEST).stdout.endswith("503")
    dig(GUEST, "example.com")
    assert eventually(lambda: stale("http://tiktok.com/", place=GUEST).stdout.endswith("200"))


def test_udp_443_is_refused_at_once(lan):
    probe = "import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.connect(('%s', 443)); s.settimeout(3)\n" % SHIELD
    probe += "s.send(b'x' * 1200)\ntry: s.recv(1)\nexcept ConnectionRefusedError: print('refused')"
    assert at(PHONE, sys.executable, "-c", probe).stdout == "refused\n"


def counted(lan):
    """The stored minutes that were counted by bytes, or nothing yet."""
    database = sqlite3.connect(f"file:{lan}/data/sleep-inducer.sqlite?mode=ro", uri=True)
    with contextlib.closing(database):
        return database.execute("SELECT minutes FROM usage_day WHERE source = 2").fetchone()


@pytest.mark.nightly
def test_chosen_apps_come_by_here_and_are_counted_by_what_flows(lan):
    owner = Owner(lan / "jar")
    assert "there are none yet" in curl("-b", owner.jar, f"http://{SHIELD}/relay").stdout
    owner.post("/relay", app="tiktok")
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
    assert dig(PHONE, "v16.tiktokcdn.com") == [SHIELD], "all of its names, not only its pages"
    assert dig(PHONE, "tiktok.com", "HTTPS") == [], "nothing that would hide who is meant"
    assert dig(PHONE, "example.com") == [HOST] and dig(GUEST, "tiktok.com") == [HOST], "nothing else changes"
    page = at(PHONE, "curl", "-sk", "-m", "10", *to_shield("tiktok.com"), "https://tiktok.com/").stdout
    assert "world of tiktok.com" in page

    curl(*to_shield("v16.tiktokcdn.com"), "https://v16.tiktokcdn.com/much")
    assert eventually(lambda: counted(lan), 90)[0] >= 1, "a minute of real time, until it is written"


@pytest.mark.alone
def test_a_block_cuts_a_chosen_app_at_once_and_its_end_lets_it_by_again(lan):
    owner = Owner(lan / "jar")
    owner.post("/relay", app="tiktok")
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
    download = begin(PHONE, "curl", "-skN", "-m", "15", *to_shield("tiktok.com"), "https://tiktok.com/slow",
                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert download.stdout.readline() == b"on and on\n"
    begun = time.monotonic()
    owner.start()
    assert download.wait(5) != 0 and time.monotonic() - begun < 1.5
    assert stale("https://tiktok.com/").returncode == 35
    owner.post("/settings/reset", page="/settings", confirm="reset")
    released = time.monotonic()
    assert eventually(lambda: "world of tiktok.com" in stale("https://tiktok.com/").stdout, 2)
    print(f"\nrelayed: from the release to a new connection's answer {(time.monotonic() - released) * 1000:.0f} ms")


@pytest.mark.parametrize("lan", [("--https-port", "off")], indirect=True)
def test_where_a_port_is_not_served_nothing_leads_to_it(lan):
    owner = Owner(lan / "jar")
    owner.post("/relay", app="tiktok")
    page = curl("-b", owner.jar, f"http://{SHIELD}/relay").stdout
    assert "HTTPS is switched off on this server" in page
    time.sleep(2)
    assert dig(PHONE, "tiktok.com") == [HOST], "it is reached as before"
    owner.start()
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 2)
