"""Gateway mode beside a firewall that offloads flows: the rules do not see packets of open connections.

Kernels of containers and small machines often have no flow tables; then this test is skipped.
"""

import time

import pytest

from gateway_lan import GATEWAY, HOSTS, OTHER, PHONE, TELEVISION, at, connects, home, ip
from gateway_scripts import CALL, DOWNLOAD, Watched
from household import BINARY, eventually
from lan import machine, machines
from test_gateway import FAMILIES, know

pytestmark = pytest.mark.alone

FAST = """
    table inet fast {
        flowtable ft { hook ingress priority 0; devices = { br0, wan0 }; }
        chain forward { type filter hook forward priority 0; meta l4proto { tcp, udp } flow add @ft; }
    }
"""


def offloaded(family):
    text = at(GATEWAY, "conntrack", "-L", "-f", {"v4": "ipv4", "v6": "ipv6"}[family]).stdout
    return [line for line in text.splitlines() if "[OFFLOAD]" in line]


@pytest.fixture(scope="module")
def flow_tables():
    """Asks the kernel before a whole home is built in vain."""
    place = machine("g-flows")
    with machines(place):
        for door in ("br0", "wan0"):
            ip("-n", place, "link", "add", door, "type", "bridge")
        made = at(place, "nft", "-f", "-", input=FAST)
    if made.returncode != 0:
        pytest.skip(f"this kernel has no flow tables: {made.stderr.splitlines()[0]}")


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_offloaded_is_cut_too(flow_tables, home, family):
    made = at(GATEWAY, "nft", "-f", "-", input=FAST)
    assert made.returncode == 0, made.stderr
    home.enrol()
    know(family)
    # The server looks for flow tables every ten seconds.
    time.sleep(11)
    address = {host: addresses[family] for host, addresses in HOSTS.items()}
    cut = Watched(home, PHONE, DOWNLOAD, address["video"]).begun("bytes")
    quic = Watched(home, PHONE, CALL, address["video"], 443).begun("heard")
    quiet = Watched(home, PHONE, DOWNLOAD, address["video"], "LATER")
    spared = [Watched(home, place, DOWNLOAD, address[host]).begun("bytes")
              for place, host in ((PHONE, "calm"), (OTHER, "video"), (TELEVISION, "video"))]
    call = Watched(home, PHONE, CALL, address["video"], 5000).begun("heard")
    eventually(lambda: len(offloaded(family)) >= 6, 5)
    begun = home.sleep()
    time.sleep(6)
    for name, last in (("download", cut.state()["last"]), ("QUIC", quic.state()["last"])):
        print(f"\n{family}, offloaded: from the start of a night to the last byte of a {name} {(last - begun) * 1000:.0f} ms")
        # The kernel looks through a flow table once a second.
        assert last - begun < 2.5
    # The device notices it only if it has something to send.
    assert cut.state()["end"] in (None, "ConnectionResetError")
    assert quiet.state()["bytes"] == 0
    assert connects(PHONE, address["video"], 80) == "ConnectionRefusedError"
    for download in spared:
        download.goes_on("bytes")
    call.goes_on("heard")
    doctor = at(GATEWAY, BINARY, "doctor", "--data", str(home.folder / "data")).stdout
    assert "ok   The gateway's rules are active." in doctor, doctor
