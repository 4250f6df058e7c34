"""A greedy guest takes all it can get, and other devices still come through: connections count by device."""

import contextlib
import subprocess
import sys
import time

import dns.message
import pytest

from household import BINARY, PASSCODE, eventually
from lan import at, begin, cable, ip, machine, machines

HOME, GUEST, OTHER = map(machine, ("c-home", "c-guest", "c-other"))
SHIELD = "10.79.0.1"
ADDRESSES = [f"10.79.0.{20 + number}" for number in range(9)]
# Asks for a page on each of its connections every eight seconds, and opens closed connections anew.
CROWD = """
import asyncio, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
async def one(source):
    while True:
        try:
            reader, writer = await asyncio.open_connection(
                sys.argv[1], 80, local_addr=(source, 0))
            while True:
                writer.write(b"GET /healthz HTTP/1.1\\r\\nHost: " + sys.argv[1].encode() + b"\\r\\n\\r\\n")
                for _ in range(80):
                    reader._buffer.clear()
                    if reader.at_eof():
                        raise ConnectionError
                    await asyncio.sleep(0.1)
        except Exception:
            await asyncio.sleep(1)
async def crowd():
    await asyncio.gather(*(one(source) for source in sys.argv[2:] for _ in range(250)))
asyncio.run(crowd())
"""
UPSTREAM = """
import socket
import dns.message, dns.rrset
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind(("127.0.0.1", 5398))
while True:
    data, peer = door.recvfrom(4096)
    reply = dns.message.make_response(dns.message.from_wire(data))
    reply.answer.append(dns.rrset.from_text(reply.question[0].name, 300, "IN", "A", "240.0.0.7"))
    door.sendto(reply.to_wire(), peer)
"""


@contextlib.contextmanager
def home(folder):
    """A server, a guest with nine addresses on one network card, and another device."""
    with machines(HOME, GUEST, OTHER):
        ip("-n", HOME, "link", "add", "br0", "type", "bridge")
        ip("-n", HOME, "addr", "add", f"{SHIELD}/24", "dev", "br0")
        ip("-n", HOME, "link", "set", "br0", "up")
        cable(HOME, "p-guest", GUEST, "wlan0", address=[f"{address}/24" for address in ADDRESSES], bridge="br0")
        cable(HOME, "p-other", OTHER, "wlan0", address="10.79.0.9/24", bridge="br0")
        children = [begin(HOME, sys.executable, "-c", UPSTREAM)]
        try:
            with open(folder / "log", "ab") as log:
                children.append(begin(
                    HOME, BINARY, "serve", "--data", folder / "data", "--upstream", "127.0.0.1:5398", "--passcode", PASSCODE,
                    "--time-zone", "Europe/Berlin", stdout=log, stderr=log))
            eventually(lambda: at(HOME, "curl", "-sf", "http://127.0.0.1/healthz").returncode == 0, 20)
            yield children
        finally:
            for child in children:
                child.terminate()
                child.wait(15)


def came_through(*words):
    """Whether another device's request gets its right answer."""
    reply = at(OTHER, "curl", "-s", "-k", "-m", "5", "-o", "/dev/null", "-w", "%{http_code}", *words)
    return reply.stdout == "200"


@pytest.mark.alone
def test_a_guest_with_nine_addresses_keeps_nobody_out(tmp_path):
    question = tmp_path / "question"
    question.write_bytes(dns.message.make_query("crowd.example", "A", id=0).to_wire())
    asked = ["-H", "content-type: application/dns-message", "--data-binary", f"@{question}", f"https://{SHIELD}/dns-query"]
    with home(tmp_path) as children:
        children.append(begin(GUEST, sys.executable, "-c", CROWD, SHIELD, *ADDRESSES, stderr=subprocess.DEVNULL))
        metrics = ["ss", "-Htn", "state", "established", "sport", "=", ":80"]
        eventually(lambda: len(at(HOME, *metrics).stdout.splitlines()) > 200, 30)
        time.sleep(10)
        results = []
        for _ in range(12):
            results.append([
                came_through(f"http://{SHIELD}/login"), came_through(f"http://{SHIELD}/help"),
                came_through(f"https://{SHIELD}/help"), came_through(*asked)])
            time.sleep(0.5)
        held = len(at(HOME, *metrics).stdout.splitlines())
    assert sum(map(sum, results)) == 48, results
    assert held < 2250 / 4, held
