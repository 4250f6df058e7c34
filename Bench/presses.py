"""A press on Start, with 1 to 10,000 devices: how long until the first question is answered by it, and what it costs."""

import shutil
import socket
import statistics
import time
from pathlib import Path
from urllib.parse import urlencode

import dns.message

import devices
import house
from measure import cpu_nanoseconds

COUNTS = (1, 100, 10_000)
# The last bytes of a blocked answer.
SHIELD = b"\x7f\0\0\1"


def is_blocked(client: socket.socket, query: bytes) -> bool:
    client.send(query)
    try:
        return client.recv(4096).endswith(SHIELD)
    except TimeoutError:
        return False


def form(server) -> bytes:
    """The request of a press on Start, as a browser sends it on a connection that is open."""
    session = server.owner.session
    fields = urlencode({"durationMinutes": "60", "strictness": "flexible", "csrf": server.owner.csrf("/")})
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.cookies)
    return (f"POST /session HTTP/1.1\r\nHost: 127.0.0.1:{server.http_port}\r\nOrigin: {server.url}\r\nCookie: {cookies}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(fields)}\r\n\r\n{fields}").encode()


def pressed_ms(server) -> tuple[float, float]:
    """Milliseconds from the moment the form is sent to the first blocked answer, and of CPU until it is confirmed.

    Sockets are used as they are, because an HTTP client in Python takes as long as a press.
    """
    request = form(server)
    query = dns.message.make_query("tiktok.com", "A", use_edns=False).to_wire()
    with socket.socket(type=socket.SOCK_DGRAM) as client, \
            socket.create_connection(("127.0.0.1", server.http_port)) as browser:
        client.settimeout(0.5)
        client.connect(("127.0.0.1", server.dns_port))
        assert not is_blocked(client, query), "it was blocked before the press"
        cpu = cpu_nanoseconds(server.process.pid)
        begun = time.perf_counter()
        browser.sendall(request)
        while not is_blocked(client, query):
            time.sleep(0.0002)
        took = time.perf_counter() - begun
        reply = browser.recv(4096)
        assert reply.startswith(b"HTTP/1.1 303"), reply[:200]
    return took * 1000, (cpu_nanoseconds(server.process.pid) - cpu) / 1e6


def run(work: Path, rounds: int) -> dict:
    figures = {}
    upstream = house.household.Upstream()
    for count in COUNTS:
        server = house.household.Server(work / f"presses-{count}", upstream)
        house.household.Browser(server).log_in().enroll()
        server.stop()
        devices.fill(server.data / "sleep-inducer.sqlite", count)
        shutil.copytree(server.data, awake := work / f"awake-{count}")
        took = []
        for _ in range(max(5, rounds)):
            server.start()
            server.owner = house.household.Browser(server).log_in()
            time.sleep(2)
            took.append(pressed_ms(server))
            server.stop()
            shutil.rmtree(server.data)
            shutil.copytree(awake, server.data)
        figures[f"{count:,} devices"] = {
            "ms to the first blocked answer": round(statistics.median(ms for ms, _ in took), 2),
            "ms of CPU": round(statistics.median(cpu for _, cpu in took), 2)}
    return figures
