"""A press on Start, with 1 to 10,000 devices: how long until the first question is answered by it, and what it costs."""

import shutil
import socket
import statistics
import threading
import time
from pathlib import Path

import dns.message

import devices
import house
from measure import cpu_nanoseconds

COUNTS = (1, 100, 10_000)


def is_blocked(client: socket.socket, query: bytes) -> bool:
    client.send(query)
    try:
        reply = dns.message.from_wire(client.recv(4096))
    except TimeoutError:
        return False
    return [record.to_text() for rrset in reply.answer for record in rrset] == ["127.0.0.1"]


def pressed_ms(server) -> tuple[float, float]:
    """Milliseconds from the moment the form is sent to the first blocked answer, and of CPU until it is confirmed."""
    owner = server.owner
    fields = {"durationMinutes": "60", "strictness": "flexible", "csrf": owner.csrf("/")}
    query = dns.message.make_query("tiktok.com", "A").to_wire()
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.settimeout(0.5)
        client.connect(("127.0.0.1", server.dns_port))
        assert not is_blocked(client, query), "it was blocked before the press"
        cpu = cpu_nanoseconds(server.process.pid)
        press = threading.Thread(
            target=owner.session.post, args=(f"{server.url}/session", fields), kwargs={"allow_redirects": False})
        begun = time.perf_counter()
        press.start()
        while not is_blocked(client, query):
            time.sleep(0.0002)
        took = time.perf_counter() - begun
        press.join()
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
