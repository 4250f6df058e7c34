"""The captive portal API (RFC 8908) of the real server: the answer to each device, over HTTP and HTTPS."""

import re
import subprocess
from pathlib import Path

import requests

from household import Browser


def told(server, secure=False):
    address = f"https://127.0.0.1:{server.https_port}" if secure else server.url
    # The certificate is not tested here.
    answer = requests.get(f"{address}/captive-portal", timeout=5, verify=not secure)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "application/captive+json"
    assert answer.headers["Cache-Control"] == "private, no-store"
    return answer.json()


def test_a_tablet_is_told_and_nobody_else(server):
    owner = Browser(server).log_in().enroll()
    assert told(server) == told(server, secure=True) == {
        "captive": False, "user-portal-url": f"https://sleep.home.arpa:{server.https_port}/my-rules",
        "venue-info-url": f"https://sleep.home.arpa:{server.https_port}/", "can-extend-session": False}
    owner.start_session(60)
    assert told(server)["captive"] is False, "as for every device by default"
    device = re.search(r'action="/devices/(\d+)"', owner.get("/devices").text).group(1)
    refused = owner.post(f"/devices/{device}", {"kind": "phone", "noMobileData": "on"}, page="/devices")
    assert refused.status_code == 422 and "leave the Wi-Fi" in refused.text
    kept = owner.post(f"/devices/{device}", {"kind": "tablet", "noMobileData": "on"}, page="/devices")
    assert kept.status_code == 303
    for secure in (False, True):
        closed = told(server, secure)
        assert closed["captive"] is True and "seconds-remaining" not in closed
    owner.post("/help", page="/help")
    assert told(server)["captive"] is False and 880 <= told(server)["seconds-remaining"] <= 900
    server.stop()
    server.start()
    assert told(server)["captive"] is False and told(server)["seconds-remaining"] > 800, "kept over a restart"


def test_it_is_the_own_hosts_alone_and_only_read(server):
    _, shield = server.get_as("tiktok.com", "/captive-portal")
    assert "captive" not in shield
    assert requests.post(f"{server.url}/captive-portal", timeout=5).status_code == 405
    assert requests.head(f"{server.url}/captive-portal", timeout=5).text == ""
    assert requests.get(f"{server.url}/captive-portal/x", timeout=5).status_code == 404


def test_the_documented_lines_are_understood():
    """The lines that Docs/installing.md gives for dnsmasq."""
    text = (Path(__file__).parents[2] / "Docs/installing.md").read_text()
    lines = re.findall(r"dhcp-option=\S+captive-portal", text)
    assert len(lines) == 2
    checked = subprocess.run(
        ["dnsmasq", "--test", "--conf-file=/dev/null", *(f"--{line}" for line in lines)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
