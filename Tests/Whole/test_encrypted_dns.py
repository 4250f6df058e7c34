"""DNS over TLS and HTTPS with foreign clients: every device gets the same answers as over plain DNS."""

import http.client
import re
import socket
import ssl
import subprocess
import time

import pytest

from household import PASSCODE, Server, Upstream, eventually, free_port
from test_lan import DOORBELL, PHONE, SERVER, SHIELD, at, curl, lan, press_start  # noqa: F401

TRANSPORTS = [(), ("+tcp",), ("+tls",), ("+https=/dns-query",), ("+https=/dns-query", "+https-get")]


def kdig(place, name, kind="A", how=(), server=SHIELD):
    words = ["kdig", f"@{server}", name, kind, "+noall", "+answer", "+edns", "+timeout=3", "+retry=0", *how]
    return sorted(line.split()[-1] for line in at(place, *words).stdout.splitlines() if line and line[0] != ";")


@pytest.mark.parametrize("how", TRANSPORTS, ids=lambda how: how[-1] if how else "udp")
def test_one_phone_sleeps_over_every_transport_and_the_doorbell_over_none(lan, how):
    assert kdig(PHONE, "tiktok.com", how=how) == ["203.0.113.9"]
    press_start(str(lan / "jar"))
    eventually(lambda: kdig(PHONE, "tiktok.com", how=how) == [SHIELD], 3)
    assert kdig(PHONE, "tiktok.com", "AAAA", how) == ["fd77::1"]
    assert kdig(PHONE, "api.tiktok.com", how=how) == ["0.0.0.0"]
    eventually(lambda: kdig(PHONE, "tiktok.com", how=how, server="fd77::1") == [SHIELD], 5)
    assert kdig(DOORBELL, "tiktok.com", how=how) == ["203.0.113.9"]


def test_own_pages_over_https_and_nobody_elses(lan):
    jar = str(lan / "secure-jar")
    reply = curl("-k", "-i", "-c", jar, "-d", f"passcode={PASSCODE}", f"https://{SHIELD}/login").stdout
    assert re.search(r"^set-cookie: __Host-si=[^;]+;.*Secure", reply, re.I | re.M) and reply.startswith("HTTP/2 303")
    home = curl("-k", "-b", jar, "--resolve", f"sleep.home.arpa:443:{SHIELD}", "https://sleep.home.arpa/devices").stdout
    assert "This is my device" not in home, "a cookie of the address is none of the name"
    assert "This is my device" in curl("-k", "-b", jar, f"https://{SHIELD}/devices").stdout
    assert "This is my device" in curl("-k", "--http1.1", "-b", jar, f"https://{SHIELD}/devices").stdout
    assert curl("-k", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: tiktok.com", f"https://{SHIELD}/").stdout == "421"
    foreign = curl("-k", "--resolve", f"tiktok.com:443:{SHIELD}", "https://tiktok.com/dns-query?dns=AAAB")
    assert foreign.returncode == 35, "an alert at once"
    # The countdown comes over HTTP/2 too.
    stream = curl("-k", "-N", "-m", "2", "-b", jar, f"https://{SHIELD}/events").stdout
    assert "event: state" in stream and "retry: 2000" in stream and "\r\n" not in stream


def test_a_path_names_the_device_from_any_address(lan):
    jar = str(lan / "jar")
    press_start(jar)
    eventually(lambda: kdig(PHONE, "tiktok.com") == [SHIELD], 3)
    page = curl("-b", jar, f"http://{SHIELD}/devices").stdout
    name = re.search(r"addresses\"><bdi>[^<]*\b10\.77\.0\.2\b.*?/dns-query/([0-9a-f]{32})", page, re.S).group(1)
    # The doorbell, which is not enrolled, asks with the phone's name.
    assert kdig(DOORBELL, "tiktok.com", how=(f"+https=/dns-query/{name}",)) == [SHIELD]
    assert kdig(DOORBELL, "tiktok.com", how=("+https",)) == ["203.0.113.9"]
    wrong = name[:-1] + ("0" if name[-1] != "0" else "1")
    assert kdig(DOORBELL, "tiktok.com", how=(f"+https=/dns-query/{wrong}",)) == []


def test_the_certificate_is_the_servers_own_and_stays(tmp_path, upstream):
    server = Server(tmp_path / "data", upstream)
    try:
        def shown(port):
            return ssl.get_server_certificate(("127.0.0.1", port))

        first = shown(server.dot_port)
        assert shown(server.https_port) == first
        text = subprocess.run(["openssl", "x509", "-noout", "-text"], input=first, capture_output=True, text=True).stdout
        assert "DNS:sleep.home.arpa" in text and "IP Address:127.0.0.1" in text and "CA:FALSE" in text
        assert (server.data / "tls/own.pem").stat().st_mode & 0o777 == 0o600
        server.kill()
        server.start()
        assert shown(server.dot_port) == first
    finally:
        server.stop()


@pytest.mark.alone
def test_slow_and_silent_connections_end_and_disturb_nobody(server):
    """One client begins handshakes that never end: other clients are served meanwhile."""
    slow = []
    for port in (server.dot_port, server.https_port):
        for _ in range(15):
            door = socket.create_connection(("127.0.0.1", port))
            door.sendall(b"\x16\x03\x01\x02\x00\x01")
            slow.append(door)
    began = time.monotonic()
    assert server.addresses("sleep.home.arpa") == ["127.0.0.1"]
    connection = http.client.HTTPSConnection("127.0.0.1", server.https_port, context=ssl._create_unverified_context())
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200 and time.monotonic() - began < 1
    for door in slow:
        door.settimeout(20)
        try:
            assert door.recv(100) in (b"", b"\x15\x03\x01\x00\x02\x02\x32")
        except ConnectionResetError:
            pass
    assert time.monotonic() - began < 18


def test_plain_http_answers_no_queries(server):
    reply, _ = server.get_as("127.0.0.1", "/dns-query?dns=AAABAAABAAAAAAAACWxvY2FsaG9zdAAAAQAB")
    assert reply.status == 404


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A resolver in the home with a certificate for dns.example, and the file that certifies it."""
    folder = tmp_path_factory.mktemp("authority")
    run = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)  # noqa: E731
    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
        "-days", "30", "-subj", "/CN=dns.example", "-addext", "subjectAltName=DNS:dns.example,IP:127.0.0.1")
    return folder


class SecureUpstream:
    """A resolver over TLS that gives every name one address."""

    def __init__(self, folder):
        import threading

        self.port, self.asked = free_port(), 0
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        self.door = socket.create_server(("127.0.0.1", self.port))
        self.context = context
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        import threading

        while True:
            try:
                plain, _ = self.door.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain):
        import dns.message
        import dns.rrset

        try:
            with self.context.wrap_socket(plain, server_side=True) as stream:
                file = stream.makefile("rwb")
                while size := file.read(2):
                    query = dns.message.from_wire(file.read(int.from_bytes(size, "big")))
                    self.asked += 1
                    reply = dns.message.make_response(query)
                    reply.answer.append(dns.rrset.from_text(query.question[0].name, 60, "IN", "A", "203.0.113.88"))
                    wire = reply.to_wire()
                    file.write(len(wire).to_bytes(2, "big") + wire)
                    file.flush()
        except (OSError, ssl.SSLError):
            pass


@pytest.mark.parametrize("name, answer", [("#dns.example", ["203.0.113.88"]), ("", ["203.0.113.88"]), ("#evil.example", [])])
def test_an_upstream_over_tls_is_asked_when_it_is_the_right_one(tmp_path, authority, monkeypatch, name, answer):
    monkeypatch.setenv("SSL_CERT_FILE", str(authority / "cert.pem"))
    upstream = SecureUpstream(authority)
    server = Server(tmp_path / "data", None, "--upstream", f"tls://127.0.0.1:{upstream.port}{name}")
    try:
        assert server.addresses("some.example") == answer
        assert (upstream.asked > 0) == bool(answer)
    finally:
        server.stop()


def test_roots_that_are_none_are_one_clear_line(tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")
    with pytest.raises(RuntimeError, match="SSL_CERT_FILE names /nowhere.pem, which holds no certificates."):
        Server(tmp_path / "data", None, "--upstream", "tls://127.0.0.1")
