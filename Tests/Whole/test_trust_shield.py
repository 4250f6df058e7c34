"""The household's certificate from outside: how openssl, curl and Chromium judge it, and the pages that lead to it."""

import http.server
import os
import plistlib
import re
import ssl
import subprocess
import threading

import pytest
from playwright.sync_api import Error as playwright_error
from playwright.sync_api import sync_playwright

from household import PASSCODE, eventually
from test_check import HOME, PHONE, SERVER, Phone, lan  # noqa: F401
from test_lan import at
from test_look import SIZES, Visitor

NAME = "sleep.home.arpa"
KEY = b"PRIVATE KEY"


def make(owner, again=False):
    """Presses the button; returns the downloaded certificate (DER)."""
    reply = owner.post("/trust/authority", {"confirm": "again"} if again else {}, page="/trust")
    assert reply.status_code == 303 and reply.headers["location"] == "/trust?done=certified"
    return owner.get("/trust/certificate.crt").content


def text(der):
    return subprocess.run(["openssl", "x509", "-inform", "der", "-noout", "-text"], input=der, capture_output=True).stdout.decode()


def curl(server, authority, tmp_path, path="/healthz", name=NAME):
    (tmp_path / "ca.pem").write_text(ssl.DER_cert_to_PEM_cert(authority))
    return subprocess.run(
        ["curl", "-sS", "-m", "5", "--cacert", tmp_path / "ca.pem", "--resolve", f"{name}:{server.https_port}:127.0.0.1",
         "-o", "/dev/null", "-w", "%{http_code}", f"https://{name}:{server.https_port}{path}"], capture_output=True, text=True)


def trust_in(home, der):
    """Makes the browsers of `home` trust a certificate, by the steps for Linux."""
    store = home / ".pki" / "nssdb"
    if not store.exists():
        store.mkdir(parents=True)
        subprocess.run(["certutil", "-d", f"sql:{store}", "-N", "--empty-password"], check=True)
    (home / "ca.crt").write_bytes(der)
    subprocess.run(["certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "sleep-inducer", "-i", home / "ca.crt"], check=True)


@pytest.fixture(scope="module")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture
def phone(playwright, tmp_path):
    """A browser with its own home, in which certificates can be trusted."""
    home = tmp_path / "home"
    home.mkdir()

    class Phone:
        browser = None

        def trust(self, der):
            trust_in(home, der)

        def open(self, hosts=f"MAP *.{NAME} 127.0.0.1, MAP {NAME} 127.0.0.1"):
            self.close()
            self.browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", env={**os.environ, "HOME": str(home)},
                args=["--no-sandbox", f"--host-resolver-rules={hosts}"])
            return self.browser

        def check(self, server, script=True):
            """Opens the check at the end, and reads its answer."""
            page = self.open().new_context(java_script_enabled=script).new_page()
            page.goto(f"{server.url}/trust/check")
            page.wait_for_url("**/trust/result?id=*", timeout=20_000)
            return page.get_by_role("heading", level=1).inner_text()

        def close(self):
            if self.browser:
                self.browser.close()
            self.browser = None

    phone = Phone()
    yield phone
    phone.close()


def test_before_anybody_asks_there_is_none(server, owner):
    assert not (server.data / "tls/ca.pem").exists()
    assert owner.get("/trust/certificate.crt").status_code == 404
    assert owner.get("/profiles/certificate.mobileconfig").status_code == 404


def test_it_speaks_for_what_it_says_and_its_key_stays_here(server, owner, tmp_path):
    authority = make(owner)
    assert (server.data / "tls").stat().st_mode & 0o777 == 0o700
    assert (server.data / "tls/ca.pem").stat().st_mode & 0o777 == 0o600
    shown = text(authority)
    print(f"the certificate has {len(authority)} bytes")
    for line in ("CA:TRUE, pathlen:0", "X509v3 Name Constraints: critical", "DNS:instagram.com", f"DNS:{NAME}", "IP:192.168.0.0/255.255.0.0"):
        assert line in shown, line
    for bank in ("paypal", "revolut", "accounts.google.com"):
        assert bank not in shown
    assert KEY in (server.data / "tls/ca.pem").read_bytes() and KEY not in authority
    for path in ("/settings/backup", "/trust", "/profiles/certificate.mobileconfig", "/profiles/dns.mobileconfig"):
        assert KEY not in owner.get(path).content, path
    assert "PRIVATE KEY" not in server.command("export").stdout
    server.command("backup", str(tmp_path / "copy.sqlite"))
    assert KEY not in (tmp_path / "copy.sqlite").read_bytes()


def test_openssl_and_curl_believe_it_at_once_and_after_a_restart(server, owner, tmp_path):
    before = curl(server, ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", server.https_port))), tmp_path)
    assert before.returncode in (0, 60)
    authority = make(owner)
    assert curl(server, authority, tmp_path).stdout == "200", "the next connection already has the new leaf"
    one_time = "0" * 32 + f".check.{NAME}"
    assert curl(server, authority, tmp_path, "/check/seen", one_time).stdout == "200"
    assert curl(server, authority, tmp_path, name="127.0.0.1").stdout == "200"
    for port in (server.https_port, server.dot_port):
        said = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", NAME, "-CAfile", tmp_path / "ca.pem",
             "-verify_hostname", NAME, "-x509_strict", "-verify_return_error", "-brief"],
            input="", capture_output=True, text=True)
        assert "Verification: OK" in said.stdout + said.stderr, said.stderr
    server.kill()
    server.start()
    assert owner.get("/trust/certificate.crt").content == authority
    assert curl(server, authority, tmp_path).stdout == "200"
    # No other authority certifies this house, and a new one makes the old one invalid.
    another = make(owner, again=True)
    assert another != authority and curl(server, another, tmp_path).stdout == "200"
    assert curl(server, authority, tmp_path).returncode == 60


@pytest.mark.parametrize("script", [True, False], ids=["script", "scriptless"])
def test_chromium_passes_the_check_only_with_the_certificate(server, sleeper, phone, script):
    authority = make(sleeper)
    assert phone.check(server, script) == "Not yet"
    assert "Trusts the shield" not in sleeper.get("/devices").text
    phone.trust(authority)
    assert phone.check(server, script) == "This device trusts the shield"
    assert "Trusts the shield" in sleeper.get("/devices").text
    page = phone.open().new_page()
    page.goto(f"https://{NAME}:{server.https_port}/trust")
    assert page.get_by_text("This device trusts the shield.").is_visible()
    assert page.evaluate("isSecureContext")
    # Another certificate replaces it: the browser has the old one, and the page knows that.
    make(sleeper, again=True)
    assert "Trusts the shield" not in sleeper.get("/devices").text
    assert phone.check(server, script) == "Not yet"


class HomePhone(Phone):
    """The browser of a phone on the LAN, which keeps its certificates in its own home."""

    def __init__(self, lan, home, playwright):  # noqa: F811
        self.home, self.chromium = home, playwright.chromium
        door = lan.folder / "chromium-on-the-phone"
        door.write_text(f'#!/bin/sh\nexec ip netns exec {PHONE} /usr/bin/chromium "$@"\n')
        door.chmod(0o755)
        self.door = str(door)
        self.open()

    def __exit__(self, *_):
        self.browser.close()

    def open(self):
        self.browser = self.chromium.launch(
            executable_path=self.door, args=["--no-sandbox"], env={**os.environ, "HOME": str(self.home)})
        self.page = self.browser.new_context(viewport={"width": 390, "height": 844}).new_page()

    def trusts(self, address=HOME):
        self.page.goto(f"http://{address}/trust/check")
        self.page.wait_for_url("**/trust/result?id=*", timeout=40_000)
        return self.heading


def test_a_phone_on_the_lan_is_led_through_it(lan, playwright, tmp_path):  # noqa: F811
    """On the ports that phones use, by the server's own name, over both families."""
    lan.serve()
    lan.resolvers(HOME)
    jar = str(tmp_path / "jar")
    at(SERVER, "curl", "-s", "-c", jar, "-d", f"passcode={PASSCODE}", f"http://{HOME}/login")
    token = re.search(r'name="csrf" value="([^"]+)"', at(SERVER, "curl", "-s", "-b", jar, f"http://{HOME}/trust").stdout).group(1)
    at(SERVER, "curl", "-s", "-b", jar, "-d", f"csrf={token}", f"http://{HOME}/trust/authority")
    home = tmp_path / "home"
    home.mkdir()
    with HomePhone(lan, home, playwright) as phone:
        assert phone.trusts() == "Not yet"
        assert "did not ask here" not in phone.page.content()
        at(PHONE, "curl", "-s", "-o", str(home / "got.crt"), f"http://{HOME}/trust/certificate.crt")
        trust_in(home, (home / "got.crt").read_bytes())
        phone.restart()
        assert phone.trusts("[fd78::1]") == "This device trusts the shield", phone.page.content()
        assert lan.devices().count("Trusts the shield") == 1
        phone.page.goto(f"https://{NAME}/trust")
        assert phone.page.get_by_text("This device trusts the shield.").is_visible()
        phone.page.goto(f"https://{HOME}/profiles")
        assert phone.page.get_by_role("link", name="DNS", exact=True).is_visible()
    profile = plistlib.loads(at(PHONE, "curl", "-s", f"http://{HOME}/profiles/dns.mobileconfig").stdout.encode())
    dns = profile["PayloadContent"][0]
    assert dns["DNSSettings"]["ServerAddresses"] == [HOME, "fd78::1"]
    # The URLs of the profile's rule and of its server, tried like a phone that trusts the certificate.
    der = str(home / "got.crt")
    at(PHONE, "openssl", "x509", "-inform", "der", "-in", der, "-out", der + ".pem")
    probe = dns["OnDemandRules"][1]["URLStringProbe"]
    assert at(PHONE, "curl", "-sf", "--cacert", der + ".pem", "-o", "/dev/null", "-w", "%{http_code}", probe).stdout == "200"
    target = dns["DNSSettings"]["ServerURL"].removeprefix(f"https://{NAME}")
    asked = at(PHONE, "kdig", f"@{HOME}", "example.org", "+short", f"+tls-ca={der}.pem", f"+tls-hostname={NAME}", f"+https={NAME}{target}")
    assert asked.stdout.split() == ["203.0.113.9"], asked.stderr


class Impostor:
    """A thief with a stolen key, who signs certificates for pages and shows them to browsers that trust it."""

    def __init__(self, folder, key, name):
        run = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)  # noqa: E731
        run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
            "-subj", f"/CN={name}")
        (folder / f"{name}.ext").write_text(f"subjectAltName=DNS:{name}\nextendedKeyUsage=serverAuth\n")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", key, "-CAkey", key, "-CAcreateserial", "-CAserial", f"{name}.srl",
            "-days", "30", "-extfile", f"{name}.ext", "-out", f"{name}.pem")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")

        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"<h1>Believed</h1>")

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"https://{name}:{self.server.server_port}/"


@pytest.mark.parametrize("name, is_believed", [("www.instagram.com", True), ("www.paypal.com", False), ("bank.example", False)])
def test_chromium_holds_a_stolen_key_to_its_scope(server, owner, phone, tmp_path, name, is_believed):
    phone.trust(make(owner))
    impostor = Impostor(tmp_path, server.data / "tls/ca.pem", name)
    page = phone.open(f"MAP {name} 127.0.0.1").new_page()
    try:
        page.goto(impostor.url)
        assert is_believed and page.get_by_text("Believed").is_visible()
    except playwright_error as error:
        assert not is_believed and "ERR_CERT" in str(error), error
    finally:
        impostor.server.shutdown()


def test_what_the_owner_took_back_is_gone(server, sleeper, phone):
    phone.trust(make(sleeper))
    phone.check(server)
    number = re.search(r'formaction="/devices/(\d+)/distrust"', sleeper.get("/devices").text).group(1)
    sleeper.post(f"/devices/{number}/distrust", page="/devices")
    assert "Trusts the shield" not in sleeper.get("/devices").text


def test_profiles_are_what_they_say(server, sleeper):
    authority = make(sleeper)
    found = {}
    for name in ("home-screen", "certificate", "dns"):
        reply = sleeper.get(f"/profiles/{name}.mobileconfig")
        assert reply.headers["content-type"] == "application/x-apple-aspen-config"
        found[name] = plistlib.loads(reply.content)
        assert sleeper.get(f"/profiles/{name}.mobileconfig").content == reply.content
    assert found["certificate"]["PayloadContent"][0]["PayloadContent"] == authority
    dns = found["dns"]["PayloadContent"][0]
    assert dns["DNSSettings"]["ServerURL"].startswith(f"https://{NAME}:{server.https_port}/dns-query/")
    assert dns["DNSSettings"]["ServerAddresses"] == ["127.0.0.1"]
    assert dns["OnDemandRules"][-1] == {"Action": "Disconnect"}


def test_wiping_takes_the_keys_along(server, owner):
    make(owner)
    server.stop()
    assert server.command("wipe", "--yes").returncode == 0
    assert not (server.data / "tls").exists()


def test_goodbye_takes_the_keys_along_while_the_server_runs(server, owner, tmp_path):
    authority = make(owner)
    reply = owner.post("/goodbye/erase", {"confirm": "erase", "passcode": PASSCODE}, page="/goodbye/erase")
    assert reply.status_code == 200
    eventually(lambda: not (server.data / "tls/ca.pem").exists(), 10)
    # It begins anew, with its own certificate, which nobody has signed.
    eventually(lambda: curl(server, authority, tmp_path).returncode == 60, 20)
    assert not (server.data / "tls/ca.pem").exists()


@pytest.fixture(scope="module")
def chromium(playwright):
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_pages_in_every_state(chromium, server, sleeper, size):
    make(sleeper)
    visitor = Visitor(chromium, server, size)
    visitor.look("trust-made-stranger", "/trust")
    visitor.log_in()
    visitor.look("trust-made", "/trust")
    visitor.look("profiles-made", "/profiles")
    for summary in visitor.page.locator("summary").all():
        summary.click()
    visitor.page.goto(server.url + "/trust")
    for summary in visitor.page.locator("summary").all():
        summary.click()
    assert visitor.overflow() <= 0
    visitor.check_accessibility("trust-open")
    visitor.page.screenshot(path=os.path.join(os.path.dirname(__file__), "shots", f"trust-open-{size}.png"), full_page=True)
    visitor.check_host = lambda url: None  # its one-time name is the point
    visitor.page.goto(server.url + "/trust/check")
    visitor.check_accessibility("trust-check")
    visitor.page.wait_for_url("**/trust/result?id=*", timeout=20_000)
    visitor.noise = [text for text in visitor.noise if "ERR_" not in text]
    visitor.look("trust-result", visitor.page.url.removeprefix(server.url))
    visitor.close()


def test_the_app_keeps_its_page_over_https_with_the_houses_certificate(server, owner, phone):
    """A phone's own way: no page of loopback, which is a secure context by itself."""
    phone.trust(make(owner))
    address = f"https://{NAME}:{server.https_port}"
    page = phone.open().new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(address + "/login")
    page.get_by_label("Passcode").fill(PASSCODE)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(address + "/")
    assert page.evaluate("navigator.serviceWorker.ready.then(() => caches.match('/offline')).then(Boolean)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    server.kill()
    page.goto(address + "/schedule")
    page.get_by_role("heading", name="Not connected").wait_for()
    server.start()
    page.get_by_role("heading", name="Nightly Schedule").wait_for(timeout=15_000)
