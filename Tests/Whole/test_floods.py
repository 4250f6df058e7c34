"""A client repeats what it can as often as it likes: that fills neither the log, nor the table of files, nor the
memory."""

import functools
import os
import resource
import select
import socket
import ssl
import struct
import subprocess
import time

import pytest
import requests

import household
from household import BINARY, Server, eventually


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    """A literal field without indexing (RFC 7541, 6.2.2)."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


@functools.cache
def client(*protocols):
    """What a client without trust speaks; made once, as it reads every certificate of this machine."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(list(protocols))
    return context


def over_tls(server, *protocols):
    return client(*protocols).wrap_socket(socket.create_connection(("127.0.0.1", server.https_port), timeout=10))


def cancel_requests(server, head):
    """Begins fifty requests over HTTP/2 and cancels each before its body ends."""
    with over_tls(server, "h2") as line:
        line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
        for number in range(50):
            stream = 2 * number + 1
            line.sendall(frame(1, 4, stream, head) + frame(0, 0, stream, b"passcode="))
            time.sleep(0.01)
            line.sendall(frame(3, 0, stream, struct.pack(">I", 8)))
        time.sleep(0.5)


def test_a_cancelled_request_is_no_line_in_the_log(server, sleeper):
    head = b"".join(field(*pair) for pair in [
        (b":method", b"POST"), (b":scheme", b"https"), (b":authority", b"localhost"), (b":path", b"/login"),
        (b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"100")])
    before = server.log.read_text()
    for _ in range(6):
        cancel_requests(server, head)
    assert requests.get(f"{server.url}/healthz", timeout=10).status_code == 200
    assert server.log.read_text()[len(before):].count("\n") <= 2, server.log.read_text()[len(before):][:2000]


def answers(server):
    try:
        return requests.get(f"{server.url}/help", timeout=10).status_code == 200
    except requests.ConnectionError:
        return False


def all_are_through(crowd):
    """Every connection was taken, or closed by the server."""
    waiting = select.poll()
    for one in crowd:
        waiting.register(one, select.POLLOUT)
    return len(waiting.poll(0)) == len(crowd)


@pytest.fixture
def few_files(monkeypatch):
    """Starts servers that may have only a given number of files open."""
    start = subprocess.Popen

    def limit(count):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        monkeypatch.setattr(household.subprocess, "Popen", lambda command, **options: start(
            ["sh", "-c", f'ulimit -n {count}; exec "$@"', "sh", *map(str, command)], **options))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))

    return limit


@pytest.mark.parametrize("count", [128, 256, 1024])
def test_more_connections_than_files_keep_nobody_out(tmp_path, upstream, few_files, count):
    few_files(count)
    server = Server(tmp_path / "data", upstream)
    crowd = []
    try:
        for port in (server.http_port, server.https_port, server.dns_port, server.dot_port):
            for _ in range(400):
                crowd.append(socket.socket())
                crowd[-1].setblocking(False)
                crowd[-1].connect_ex(("127.0.0.1", port))
        # The crowd is at this machine too, so it is the same holder: its backlog comes first, and the kernel repeats
        # a connection that found the backlog full after 1, 3 and 7 seconds.
        eventually(lambda: all_are_through(crowd), 60)
        eventually(lambda: answers(server), 30)
        for number in range(20):
            assert requests.get(f"{server.url}/help", timeout=10).status_code == 200
            assert server.ask(f"name{number}.example", timeout=10).answer
            assert server.ask(f"name{number}.example", tcp=True, timeout=10).answer
            time.sleep(0.1)
        assert server.process.poll() is None
        assert "Too many open files" not in server.log.read_text()
    finally:
        for one in crowd:
            one.close()
        server.stop()


def test_too_few_files_to_begin_with_are_said(tmp_path, upstream, few_files):
    few_files(64)
    with pytest.raises(RuntimeError, match=r"may have 64 files open, and needs at least \d+\. Raise the limit"):
        Server(tmp_path / "data", upstream)


def test_tls_connections_that_were_cut_are_gone_at_once(server):
    files = f"/proc/{server.process.pid}/fd"
    before = len(os.listdir(files))
    lines = []
    for _ in range(60):
        lines.append(over_tls(server, "http/1.1"))
        lines[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert lines[-1].recv(1000)
    assert len(os.listdir(files)) >= before + 50
    for line in lines:
        line.shutdown(socket.SHUT_WR)  # without close_notify, and deaf to the server's
    eventually(lambda: len(os.listdir(files)) <= before + 5, 4)


def memory(server):
    """The process's private memory, in MB."""
    status = open(f"/proc/{server.process.pid}/status").read()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")) / 1024


@pytest.mark.nightly
def test_a_crowd_that_left_takes_its_memory_along(server):
    """Memory is given back once a minute: this test waits for that minute."""
    rest = memory(server)
    crowd = [over_tls(server, "http/1.1") for _ in range(800)]
    held = memory(server)
    assert held > rest + 16, f"{rest:.1f} MB, {held:.1f} MB with the crowd"
    for one in crowd:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()
    eventually(lambda: memory(server) < rest + 12, seconds=75)
    print(f"{rest:.1f} MB at rest, {held:.1f} MB with the crowd, {memory(server):.1f} MB after it")
