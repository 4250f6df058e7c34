"""Restarts under load: the sockets, with the questions that wait in them, go from one process to the next."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path

import pytest
import requests

import household
from household import BINARY, Browser, Server, Upstream, eventually
from lan import machine
from load import Load, device_addresses
from service_manager import ServiceManager, lifted


class KeptServer(Server):
    """A server whose sockets a service manager keeps."""

    def start(self):
        self.manager = ServiceManager(self.log)
        self.manager.start([BINARY, *self.flags])
        self.manager.ready()

    def stop(self):
        self.manager.close()


@pytest.fixture
def kept(tmp_path, upstream):
    server = KeptServer(tmp_path / "data", upstream)
    yield server
    server.stop()


def everything(number):
    """Blocked names, cached names, and names that an upstream must answer."""
    if number % 10 < 7:
        return "tiktok.com", "127.0.0.1"
    if number % 10 < 9:
        return "whatsapp.com", Upstream.ADDRESS
    return f"n{number}.whatsapp.net", Upstream.ADDRESS


def asleep(server):
    """WhatsApp is allowed on every device; all other names are blocked."""
    owner = Browser(server).log_in().enroll()
    for address in device_addresses():
        server.ask("example.org", source=address)

    def strangers():
        return [one for one in owner.get("/api/v1/devices").json() if one["person"] is None]
    eventually(lambda: len(strangers()) == len(device_addresses()))
    for device in strangers():
        fields = {"name": device["addresses"][0], "kind": "phone", "owner": "1"}
        owner.post(f"/devices/{device['id']}", fields, page="/devices")
    owner.post("/allowed-apps", [("app", "whatsapp")])
    owner.start_session(480)
    for address in ["127.0.0.1", *device_addresses()]:
        eventually(lambda: server.addresses("tiktok.com", source=address) == ["127.0.0.1"])
    assert server.addresses("whatsapp.com") == [Upstream.ADDRESS]


class Visitor:
    """Opens a page, and asks a question over TCP, over a new connection every few milliseconds."""

    def __init__(self, server):
        self.server, self.opened, self.failed = server, 0, []
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._visit)
        self.thread.start()

    def _visit(self):
        while not self.stopping.is_set():
            try:
                requests.get(f"{self.server.url}/manifest.webmanifest", timeout=10).raise_for_status()
                assert self.server.ask("sleep.home.arpa", tcp=True, timeout=10).answer
                self.opened += 1
            except (requests.RequestException, OSError, EOFError) as error:
                self.failed.append(repr(error))
            time.sleep(0.02)

    def stop(self):
        self.stopping.set()
        self.thread.join()


def rate() -> int:
    """2,000 a second, or as many as the kernel's buffers can hold during a slow restart of a second and a half. A
    question takes 832 bytes of a socket's buffer, and there is a socket for each processor."""
    room = int(Path("/proc/sys/net/core/rmem_max").read_text()) * 2
    return min(2000, int(room / 832 * (os.cpu_count() or 1) / 1.5))


@pytest.mark.alone
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["restart", "kill"])
def test_five_restarts_under_load(kept, how):
    asleep(kept)
    visitor = Visitor(kept)
    load = Load(kept.dns_port, rate(), everything)
    for _ in range(5):
        time.sleep(0.7)
        kept.manager.restart([BINARY, *kept.flags], how)
        kept.manager.ready()
    time.sleep(0.7)
    figures = load.stop()
    visitor.stop()
    print(figures, {"pages opened": visitor.opened, "refused": visitor.failed})
    assert figures["sent"] > 2 * rate() and figures["refused"] == 0
    assert not load.wrong, load.wrong[:3]
    if how == signal.SIGTERM:
        assert figures["lost"] == 0
        assert not visitor.failed
    else:
        # Questions that were read but not answered at the kill are lost; unread ones are not.
        assert figures["lost"] <= 5 * 8
        assert len(visitor.failed) <= 5


def test_the_same_sockets_are_used_again(kept):
    before = kept.manager.names
    udp = f"udp-{kept.dns_port}-127.0.0.1"
    assert set(before) == {udp} | {
        f"tcp-{port}-127.0.0.1" for port in (kept.dns_port, kept.dot_port, kept.http_port, kept.https_port)}
    assert before.count(udp) >= 1
    inodes = {os.fstat(one).st_ino for _, one in kept.manager.store}
    kept.manager.restart([BINARY, *kept.flags])
    kept.manager.ready()
    assert kept.manager.names == before
    assert {os.fstat(one).st_ino for _, one in kept.manager.store} == inodes
    assert kept.addresses("sleep.home.arpa") == ["127.0.0.1"]
    unverified = ssl._create_unverified_context()
    for port in (kept.dot_port, kept.https_port):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
            with unverified.wrap_socket(plain, server_hostname="sleep.home.arpa") as secure:
                assert secure.version() == "TLSv1.3"


def test_sockets_that_fit_nothing_are_closed_and_forgotten(kept):
    old_port = kept.dns_port
    kept.dns_port = household.free_port()
    kept.flags[kept.flags.index("--dns-port") + 1] = str(kept.dns_port)
    kept.manager.restart([BINARY, *kept.flags])
    kept.manager.ready()
    assert kept.addresses("sleep.home.arpa") == ["127.0.0.1"]
    assert not [name for name in kept.manager.names if name.split("-")[1] == str(old_port)]
    with socket.socket(type=socket.SOCK_DGRAM) as udp, socket.socket() as tcp:
        udp.bind(("127.0.0.1", old_port))
        tcp.bind(("127.0.0.1", old_port))


def test_more_sockets_than_loops_are_all_read(tmp_path, upstream):
    server = KeptServer(tmp_path / "data", upstream)
    manager = server.manager
    manager.end()
    while len([name for name in manager.names if name.startswith("udp-")]) < 9:
        one = socket.socket(type=socket.SOCK_DGRAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(("127.0.0.1", server.dns_port))
        manager.store.append((f"udp-{server.dns_port}-127.0.0.1", lifted(one.detach())))
    manager.start([BINARY, *server.flags])
    manager.ready()
    for _ in range(100):
        assert server.ask("sleep.home.arpa", timeout=2).answer
    server.stop()


@pytest.fixture
def place():
    """Its own network with two addresses."""
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    name = machine("restart")
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode:
        pytest.skip("this machine makes no network namespaces")
    try:
        ip(name, "link", "set", "lo", "up")
        ip(name, "link", "add", "lan0", "type", "bridge")
        for last in (1, 2):
            ip(name, "addr", "add", f"10.78.0.{last}/24", "dev", "lan0")
        ip(name, "link", "set", "lan0", "up")
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], capture_output=True)


def ip(place, *words):
    subprocess.run(["ip", "-n", place, *words], check=True, capture_output=True)


def kept_of(manager, address):
    """The names of an address's sockets, without the address."""
    return [name.removesuffix(address) for name in manager.names if name.endswith("-" + address)]


def test_sockets_of_an_address_that_went_are_forgotten(place, tmp_path):
    manager = ServiceManager(tmp_path / "log")
    command = ["ip", "netns", "exec", place, BINARY, "serve", "--data", tmp_path / "data",
               "--upstream", "127.0.0.1:5399", "--passcode", household.PASSCODE]
    manager.start(command)
    manager.ready()
    try:
        gone = {"udp-53-10.78.0.2", *(f"tcp-{port}-10.78.0.2" for port in (53, 80, 443, 853))}
        eventually(lambda: gone < set(manager.names), 10)
        ip(place, "addr", "del", "10.78.0.2/24", "dev", "lan0")
        eventually(lambda: not gone & set(manager.names), 10)
        assert "udp-53-10.78.0.1" in manager.names
        ip(place, "addr", "add", "10.78.0.2/24", "dev", "lan0")
        # IPv6 addresses, also link-local ones with their zone, are recognised again. A socket is kept as soon as it
        # listens, so the test waits until both addresses have the same sockets as 127.0.0.1.
        link_local = eventually(lambda: [name for name in manager.names if name.startswith("udp-53-fe80__")], 10)[0]
        for address in ("10.78.0.2", link_local.removeprefix("udp-53-")):
            eventually(lambda: kept_of(manager, address) == kept_of(manager, "127.0.0.1"), 10)
        before, inodes = manager.names, {os.fstat(one).st_ino for _, one in manager.store}
        manager.restart(command)
        manager.ready()
        assert manager.names == before
        assert {os.fstat(one).st_ino for _, one in manager.store} == inodes
    finally:
        manager.close()


def is_open(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.skipif(not shutil.which("systemd-socket-activate"), reason="systemd is not installed")
@pytest.mark.parametrize("transport", ["udp", "tcp", "http"])
def test_a_socket_unit_of_an_address_starts_it(tmp_path, upstream, transport):
    server = Server(tmp_path / "data", upstream)
    server.stop()
    port = server.http_port if transport == "http" else server.dns_port
    words = ["systemd-socket-activate", *(["--datagram"] if transport == "udp" else []), "-l", f"127.0.0.1:{port}"]
    with open(server.log, "ab") as output:
        server.process = subprocess.Popen([*words, BINARY, *server.flags], stdout=output, stderr=output)
    try:
        eventually(lambda: "Listening on" in server.log.read_text())
        # The first question is asked before the server runs.
        if transport == "http":
            assert requests.get(f"{server.url}/manifest.webmanifest", timeout=20).status_code == 200
        else:
            assert server.ask("sleep.home.arpa", tcp=transport == "tcp", timeout=20).answer
        eventually(lambda: is_open(server.http_port) and requests.get(f"{server.url}/healthz", timeout=5).ok)
        assert requests.get(f"{server.url}/healthz", timeout=5).json()["refused"] == []
        for _ in range(20):
            assert server.ask("sleep.home.arpa", timeout=2).answer
    finally:
        assert server.stop() == 0
