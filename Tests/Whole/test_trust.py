"""Access: the gate, the passcode, forms from other sites, foreign Hosts, and rude connections."""

import re
import socket
import subprocess
import time

import pytest
import requests

from household import PASSCODE, Browser, Server, Upstream, eventually

PRIVATE = ["/", "/session", "/schedule", "/allowed-apps", "/devices", "/settings", "/settings/reset"]


def test_before_set_up_there_is_only_the_gate(tmp_path):
    server = Server(tmp_path / "data", None, unattended=False)
    try:
        visitor = Browser(server)
        for path in PRIVATE + ["/kiosk", "/events", "/login"]:
            page = visitor.get(path, allow_redirects=True)
            assert "Grant Access" in page.text or page.status_code in (401, 403, 404), path
        wrong = visitor.session.post(
            f"{server.url}/setup", data={"code": "AAAA-AAAA", "passcode": PASSCODE, "timeZone": "UTC"}, timeout=20)
        assert wrong.status_code in (403, 422)
        code = re.search(r"one-time code is (\S+)", server.log.read_text()).group(1)
        for fields, told in [
            ({"passcode": "ab", "timeZone": "UTC"}, "6"), ({"passcode": PASSCODE, "timeZone": "Nope/Zone"}, "zone"),
        ]:
            reply = visitor.session.post(f"{server.url}/setup", data={"code": code, **fields}, timeout=20)
            assert reply.status_code == 422 and told in reply.text
        done = visitor.session.post(
            f"{server.url}/setup", data={"code": code, "passcode": PASSCODE, "timeZone": "Asia/Tokyo", "enroll": "on"},
            allow_redirects=False, timeout=20)
        assert done.status_code == 303
        assert visitor.state()["devices"]["enrolled"] == 1, "the device that finished set-up is enrolled"
    finally:
        server.stop()


def test_everything_else_asks_for_the_passcode(open_house):
    server, _ = open_house
    visitor = Browser(server, source="127.0.0.9")
    for path in PRIVATE:
        reply = visitor.get(path, allow_redirects=False)
        assert reply.status_code in (303, 401) and "/login" in reply.headers.get("Location", "/login"), path
    for path in ["/manifest.webmanifest", "/healthz"]:
        assert visitor.get(path).status_code == 200
    assert "http" not in visitor.get("/login?next=//evil.example/").text.split("next", 1)[-1][:60]


def test_wrong_passcodes_wait_longer_but_lock_nobody_else_out(server):
    guesser, owner = Browser(server, source="127.0.0.66"), Browser(server)
    codes = [guesser.session.post(f"{server.url}/login", data={"passcode": f"guess{n}"}, timeout=20).status_code for n in range(12)]
    assert 429 in codes and "Retry-After" in guesser.session.post(
        f"{server.url}/login", data={"passcode": PASSCODE}, timeout=20).headers
    owner.log_in()


def test_a_login_survives_a_restart_and_ends_everywhere(server, owner):
    other = Browser(server).log_in()
    server.kill()
    server.start()
    assert owner.get("/settings", allow_redirects=False).status_code == 200
    assert owner.get("/settings").headers["Cache-Control"] == "no-store"
    cookie = next(iter(owner.session.cookies))
    assert cookie.name == "si" and cookie.has_nonstandard_attr("HttpOnly")
    assert owner.post("/logout", page="/settings").status_code == 303
    assert owner.get("/settings", allow_redirects=False).status_code == 303
    assert other.get("/settings", allow_redirects=False).status_code == 200


@pytest.mark.parametrize("token", [None, "", "x" * 43])
def test_a_form_without_its_token_changes_nothing(open_house, token):
    server, sleeper = open_house
    fields = {"durationMinutes": "60", "strictness": "strict"} | ({} if token is None else {"csrf": token})
    reply = sleeper.session.post(f"{server.url}/session", data=fields, allow_redirects=False, timeout=10)
    assert reply.status_code == 403 and sleeper.state()["session"] is None


@pytest.mark.parametrize("header", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_a_form_from_elsewhere_changes_nothing(open_house, header):
    _, sleeper = open_house
    reply = sleeper.post("/session", {"durationMinutes": "60", "strictness": "strict"}, headers=header)
    assert reply.status_code == 403 and sleeper.state()["session"] is None


def test_headers_on_every_page(open_house):
    _, owner = open_house
    for path in ["/", "/login", "/healthz", "/no-such-page", "/settings"]:
        headers = owner.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, path
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Strict-Transport-Security" not in headers
    page = owner.get("/settings").text
    assert " style=" not in page and "<style" not in page and not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\son[a-z]+=", page)


@pytest.mark.parametrize("host", ["evil.example", "sleep.home.arpa.evil.example", "127.0.0.1.evil.example", "", "a b", "x" * 300])
def test_foreign_hosts_get_the_shield_and_nothing_else(open_house, host):
    server, owner = open_house
    for path in ["/", "/login", "/healthz", "/api/v1/state", "/assets/app.js"]:
        try:
            reply, body = server.get_as(host, path, headers={"Cookie": f"si={owner.session.cookies.get('si')}"})
        except (ConnectionError, socket.error):
            continue
        assert reply.status in (400, 403, 503), f"{host} {path}"
        assert "Start Now" not in body and "passcode" not in body.lower()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:80", "sleep.home.arpa", "SLEEP.home.arpa.", "localhost:8080", "[::1]", "192.168.9.9"])
def test_own_hosts_get_the_pages(open_house, host):
    server, _ = open_house
    reply, body = server.get_as(host, "/login")
    assert reply.status == 200 and "Passcode" in body


def test_ten_megabytes_are_refused(server, owner):
    body = b"passcode=" + b"x" * 10_000_000
    try:
        reply = owner.session.post(
            f"{server.url}/login", data=body, headers={"Content-Type": "application/x-www-form-urlencoded"}, timeout=20)
        assert reply.status_code == 413
    except requests.ConnectionError:
        pass
    assert owner.get("/").status_code == 200


@pytest.mark.alone
def test_five_hundred_slow_connections_leave_the_pages_quick(server, owner):
    slow = []
    for number in range(500):
        rude = socket.create_connection(("127.0.0.1", server.http_port))
        rude.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " if number % 2 else b"POST /x HTTP/1.1\r\nHost: tiktok.com\r\n")
        slow.append(rude)
    begun = time.monotonic()
    assert owner.get("/").status_code == 200
    assert time.monotonic() - begun < 1
    for rude in slow:
        rude.close()


def test_the_https_port_answers_with_an_alert_at_once(open_house):
    server, _ = open_house
    import ssl

    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    begun = time.monotonic()
    with pytest.raises(ssl.SSLError):
        with socket.create_connection(("127.0.0.1", server.https_port), timeout=5) as raw:
            context.wrap_socket(raw, server_hostname="tiktok.com")
    assert time.monotonic() - begun < 1


def test_dns_for_devices_that_are_not_enrolled_is_the_upstreams_own(server, sleeper):
    sleeper.start_session(60)
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 1)
    for kind in ("A", "AAAA", "HTTPS", "TXT"):
        reply = server.ask("doorbell.example", kind, source="127.0.0.9")
        assert reply.rcode() == 0 and not reply.options
    assert server.addresses("doorbell.example", source="127.0.0.9") == [Upstream.ADDRESS]


def test_metrics_count_what_was_asked_and_answered(server, sleeper):
    def metrics():
        text = sleeper.get("/metrics").text
        return {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if not line.startswith("#")}

    before = metrics()
    sleeper.start_session(30, "flexible")
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"])
    server.addresses("example.org")
    eventually(lambda: metrics()["sleep_inducer_dns_blocked_total"] > before["sleep_inducer_dns_blocked_total"])
    after = metrics()
    assert after["sleep_inducer_dns_queries_total"] >= before["sleep_inducer_dns_queries_total"] + 2
    assert 0 < after["sleep_inducer_filter_seconds"] < 1
    assert after["sleep_inducer_sessions"] == 1


@pytest.mark.parametrize("port", ["https_port", "dot_port"])
def test_tls_has_authenticated_encryption_only(server, port):
    def agreed(*words):
        result = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{getattr(server, port)}", *words],
            input="", capture_output=True, text=True, timeout=20)
        found = re.search(r"Cipher is (\S+)", result.stdout)
        return found and found[1]

    listed = subprocess.run(["openssl", "ciphers", "-s", "-tls1_2", "ALL:@SECLEVEL=0"], capture_output=True, text=True)
    suites = listed.stdout.strip().split(":")
    taken = {suite for suite in suites if agreed("-tls1_2", "-cipher", f"{suite}:@SECLEVEL=0") == suite}
    assert taken == {
        "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"}
    assert agreed("-tls1_3").startswith("TLS_")
    assert agreed("-tls1_1", "-cipher", "ALL:@SECLEVEL=0") in (None, "(NONE)", "0000")
