"""A blocked answer takes no memory: the allocator's calls are counted while questions are answered."""

import os
import socket
import struct
import subprocess
import time
from pathlib import Path

import dns.message
import pytest

import household
from household import Browser, Server, eventually

RELEASE = Path(os.environ.get("SLEEP_INDUCER_RELEASE", household.ROOT / ".build-release/sleep-inducer"))
QUESTIONS = 20_000


def ask(port: int, count: int):
    """One question after the other, so that none is lost."""
    queries = [dns.message.make_query(f"name{number}.example", "A").to_wire() for number in range(200)]
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.settimeout(5)
        client.connect(("127.0.0.1", port))
        for number in range(count):
            client.send(queries[number % len(queries)])
            client.recv(4096)


# What is not optimised allocates where optimised code does not; its bound holds off what is worth a look.
@pytest.mark.parametrize("build, most", [("debug", 16), ("release", 0.1)])
def test_a_blocked_answer_takes_no_memory(tmp_path, monkeypatch, build, most):
    if build == "release":
        if not RELEASE.exists():
            pytest.skip("there is no release here")
        monkeypatch.setattr(household, "BINARY", RELEASE)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", tmp_path / "allocations.so",
                    household.ROOT / "Tests/Whole/allocations.c"], check=True)
    calls = tmp_path / "calls"
    server = Server(tmp_path / "data", None, environment={
        **os.environ, "LD_PRELOAD": str(tmp_path / "allocations.so"), "ALLOCATIONS": str(calls)})
    try:
        Browser(server).log_in().enroll().start_session(480, "strict")
        eventually(lambda: server.addresses("name0.example") == ["127.0.0.1"], 10)
        counted = lambda: struct.unpack("Q", calls.read_bytes())[0]
        # The tables of names, clients and times are grown by then.
        ask(server.dns_port, QUESTIONS)
        # Chores work on beside the answers: of several goes, the quietest says what answers take.
        goes = []
        for _ in range(5):
            before = counted()
            ask(server.dns_port, QUESTIONS // 5)
            goes.append((counted() - before) / (QUESTIONS // 5))
        assert min(goes) <= most, goes
    finally:
        server.stop()
