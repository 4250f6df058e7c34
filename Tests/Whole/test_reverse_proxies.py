"""Behind nginx and Caddy with HTTPS, as Docs/furnished-houses.md shows them: who asks, cookies, links, forms, live pages."""

import html

import re
import shutil
import subprocess
import time

import pytest

from device_lan import DOORBELL, GATEWAY, OLD, PHONE, ROUTER, SERVER, SHIELD, curl, dig, documented
from household import PASSCODE, eventually
from lan import at, begin

NAME = "sleep.example.org"


def shown(language, marker):
    """A configuration as the document shows it."""
    return documented(language, marker).replace("192.168.1.5", SHIELD)


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "key.pem", "-out",
         folder / "cert.pem"], check=True, capture_output=True)


def nginx(home, text, place=ROUTER):
    """Runs nginx with server blocks of the document; only its paths differ."""
    if not shutil.which("nginx"):
        pytest.skip("nginx is not installed")
    folder = home.folder / "nginx"
    folder.mkdir(exist_ok=True)
    certificate(folder)
    text = text.replace("/etc/nginx/cert.pem", str(folder / "cert.pem")).replace("/etc/nginx/key.pem", str(folder / "key.pem"))
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
        f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{text}\n}}\n")
    home.children.append(begin(place, "nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"))
    return folder / "cert.pem"


def caddy(home, text, place=ROUTER):
    if not shutil.which("caddy"):
        pytest.skip("caddy is not installed")
    folder = home.folder / "caddy"
    folder.mkdir()
    certificate(folder)
    text = text.replace("/etc/caddy/cert.pem", str(folder / "cert.pem")).replace("/etc/caddy/key.pem", str(folder / "key.pem"))
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text)
    home.children.append(begin(
        place, "env", f"HOME={folder}", f"XDG_DATA_HOME={folder}", "caddy", "run", "--adapter", "caddyfile", "--config",
        folder / "Caddyfile", stdout=subprocess.DEVNULL, stderr=open(folder / "log", "ab")))
    return folder / "cert.pem"


def proxied(home, kind):
    home.serve("--behind-proxy", GATEWAY, "--proxy-name", NAME)
    text = {"nginx": lambda: nginx(home, shown("nginx", "listen 443")), "caddy": lambda: caddy(home, shown("caddy", NAME))}
    certificate = text[kind]().as_posix()

    def fetch(place, path, *words, name=NAME):
        return at(place, "curl", "-s", "-m", "20", "--cacert", certificate, "--resolve", f"{name}:443:{GATEWAY}", *words,
                  f"https://{name}{path}")
    eventually(lambda: fetch(PHONE, "/healthz", "-f").returncode == 0, 20)
    return fetch


def enroll(home, address=OLD[1]):
    assert home.post("/devices/enroll", device=address, person="1")[0] == 303


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_the_phone_behind_a_proxy_is_itself(home, kind):
    fetch = proxied(home, kind)
    for place in (PHONE, DOORBELL):
        dig(place, "example.org")
    eventually(lambda: home.device(OLD[1]) and home.device("10.78.0.3"), 10)
    enroll(home)
    status = ["-o", "/dev/null", "-w", "%{http_code}"]
    assert fetch(PHONE, "/my-rules", *status).stdout == "200"
    assert "Nothing is blocked on this device" in fetch(DOORBELL, "/my-rules").stdout
    # What a device claims changes nothing.
    for lie in (["-H", f"X-Forwarded-For: {OLD[1]}"], ["-H", f"Forwarded: for={OLD[1]}"], ["-H", f"X-Real-IP: {OLD[1]}"],
                ["-H", f"X-Forwarded-For: {OLD[1]}", "-H", f"Forwarded: for={OLD[1]}", "-H", "X-Forwarded-Proto: http"]):
        assert "Nothing is blocked on this device" in fetch(DOORBELL, "/my-rules", *lie).stdout, lie
        assert "belongs to none" not in fetch(DOORBELL, "/my-rules", *lie).stdout, lie
        direct = curl(*lie, f"http://{SHIELD}/my-rules", place=DOORBELL).stdout
        assert "Nothing is blocked on this device" in direct, "nor does it without the proxy"
    # This is my device: the doorbell is enrolled, not the proxy.
    assert fetch(DOORBELL, "/devices/enroll", *status, "-d", "", "-H", f"Origin: https://{NAME}").stdout == "303"
    assert home.device("10.78.0.3")["person"] == 1 and not (home.device(GATEWAY) or {}).get("person")


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_login_cookies_links_and_forms_over_https(home, kind, tmp_path):
    fetch = proxied(home, kind)
    jar = str(tmp_path / "secure-jar")
    head = fetch(PHONE, "/login", "-c", jar, "-D", "-", "-o", "/dev/null", "-d", f"passcode={PASSCODE}").stdout.lower()
    assert "set-cookie: __host-si=" in head and "; secure" in head and "303" in head
    page = fetch(PHONE, "/setup/device", "-b", jar).stdout
    assert f"https://{NAME}/setup/device" in page and f"http://{SHIELD}/setup" not in page, "the QR code's address"
    assert SHIELD in page, "the address for the phone's DNS setting stays this machine's"
    assert f"https://{NAME}" in fetch(PHONE, "/home-screen", "-b", jar).stdout
    token = re.search(r'name="?csrf"? value="([^"]+)"', fetch(PHONE, "/more", "-b", jar).stdout).group(1)
    form = ["-o", "/dev/null", "-w", "%{http_code}", "-b", jar, "--data-urlencode", f"csrf={token}", "-d",
            "durationMinutes=30&strictness=flexible"]
    assert fetch(PHONE, "/session", *form, "-H", "Origin: https://evil.example").stdout == "403"
    assert fetch(PHONE, "/session", *form, "-H", f"Origin: https://{NAME}").stdout == "303"
    # Its name is never blocked, and another name is no own Host.
    enroll(home)
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    assert dig(PHONE, NAME) == ["203.0.113.9"], "looked up, in the night too"
    assert dig(PHONE, f"other.{NAME}") != ["203.0.113.9"]
    stranger = curl("-H", "Host: rebound.example", "-o", "/dev/null", "-w", "%{http_code}", f"http://{SHIELD}/login", place=PHONE)
    assert stranger.stdout in ("403", "503")


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_ticks_come_one_by_one(home, kind, tmp_path):
    fetch = proxied(home, kind)
    jar = str(tmp_path / "secure-jar")
    fetch(PHONE, "/login", "-c", jar, "-d", f"passcode={PASSCODE}")
    enroll(home)
    assert home.post("/session", page="/session", durationMinutes="30", strictness="flexible")[0] == 303
    stream = begin(PHONE, "curl", "-sN", "-m", "12", "-b", jar, "--cacert", home.folder / kind / "cert.pem", "--resolve",
                   f"{NAME}:443:{GATEWAY}", f"https://{NAME}/events", stdout=subprocess.PIPE)
    home.children.append(stream)
    came = []
    for line in stream.stdout:
        if line.startswith(b"event: tick"):
            came.append(time.monotonic())
        if len(came) == 5:
            break
    gaps = [later - sooner for sooner, later in zip(came, came[1:])]
    assert len(gaps) == 4 and all(0.5 < gap < 1.6 for gap in gaps), gaps


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_back_off_is_for_the_device_that_guesses(home, kind):
    fetch = proxied(home, kind)
    guess = ["-o", "/dev/null", "-w", "%{http_code}", "-d", "passcode=wrong-one"]
    seen = [fetch(DOORBELL, "/login", *guess, "-H", f"X-Forwarded-For: 10.78.0.{number}").stdout for number in range(20, 26)]
    assert "429" in seen, "however it calls itself"
    assert fetch(PHONE, "/login", *guess).stdout == "422", "and nobody else waits"


def test_port_80_that_nginx_has_leads_to_the_shield_too(home):
    """nginx on this machine has the ports: it passes on everything, and the shield knows for whom."""
    home.serve("--behind-proxy", "127.0.0.1", "--http-port", "8080", "--https-port", "8443", web=8080)
    nginx(home, shown("nginx", "default_server"), place=SERVER)
    eventually(lambda: curl("-f", f"http://{SHIELD}/healthz", place=PHONE).returncode == 0, 20)
    for place in (PHONE, DOORBELL):
        dig(place, "example.org")
    eventually(lambda: home.device(OLD[1]) and home.device("10.78.0.3"), 10)
    enroll(home)
    assert home.post("/session", page="/session", durationMinutes="30", strictness="flexible")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    page = curl("-H", "Host: tiktok.com", "-w", "%{http_code}", f"http://{SHIELD}/", place=PHONE).stdout
    assert "Sleep Mode Active" in page and page.endswith("403") and f"http://{SHIELD}:8080/" in page
    lie = ["-H", f"X-Forwarded-For: {OLD[1]}"]
    other = curl("-H", "Host: tiktok.com", *lie, "-w", "%{http_code}", f"http://{SHIELD}/", place=DOORBELL).stdout
    assert "Sleep Mode Active" not in other and other.endswith("503"), "no other device's rules, and nothing is relayed"
    assert "This is a trial" not in home.page("/setup/device"), "its ports are meant"
    ticks = begin(PHONE, "curl", "-sN", "-m", "5", "-H", "Host: tiktok.com", f"http://{SHIELD}/.sleep-inducer/events",
                  stdout=subprocess.PIPE)
    told = ticks.communicate(timeout=20)[0]
    assert told.count(b"event: tick") >= 3


def test_a_proxy_that_hides_something_is_told_what_to_do(home):
    home.serve("--behind-proxy", GATEWAY)

    def ask(*words, place=ROUTER, path="/my-rules", host="sleep.home.arpa"):
        return html.unescape(curl(*words, "-H", f"Host: {host}", "-w", "%{http_code}", f"http://{SHIELD}{path}", place=place).stdout)
    silent = ask()
    assert f"The reverse proxy at {GATEWAY} does not say which device you use" in silent
    assert f"On the device, open http://{SHIELD}/my-rules." in silent and "Nothing is blocked" not in silent
    two = ask("-H", f"X-Forwarded-For: {OLD[1]}", "-H", "Forwarded: for=10.78.0.3")
    assert two.endswith("403") and 'proxy_set_header Forwarded "";' in two, "somebody outside could add the second field"
    assert ask("-H", "X-Forwarded-For: unknown").count("X-Forwarded-For") == 1
    refused = ask("-X", "POST", "-d", "", path="/devices/enroll")
    assert refused.endswith("409") and "does not say which device" in refused
    outsider = ask("-H", "X-Forwarded-For: 198.51.100.7")
    assert outsider.endswith("403") and "only for devices on this home's network. You ask from 198.51.100.7" in outsider
    assert "proxy_http_version 1.1" in ask("--http1.0", "-H", f"X-Forwarded-For: {OLD[1]}")
    for host in (SHIELD, f"{SHIELD}:80"):
        hidden = ask("-H", f"X-Forwarded-For: {OLD[1]}", host=host)
        assert hidden.endswith("421") and "proxy_set_header Host $http_host" in hidden, "nginx does so unless it is told otherwise"
    # A proxy that nobody named is one device, and the page says so.
    unnamed = ask("-H", f"X-Forwarded-For: {GATEWAY}", place=DOORBELL)
    assert "--behind-proxy 10.78.0.3" in unnamed and "Nothing is blocked on this device" in unnamed


def test_set_up_through_a_proxy_that_does_not_say_who_asks(home):
    home.serve("--behind-proxy", GATEWAY, passcode=False)
    code = re.search(r"The one-time code is (\S+)", (home.folder / "log").read_text()).group(1)
    form = ["-d", f"code={code}&passcode={PASSCODE}&timeZone=Europe/Berlin&enroll=on"]
    done = curl("-o", "/dev/null", "-w", "%{http_code}", *form, f"http://{SHIELD}/setup", place=ROUTER).stdout
    assert done == "303" and not any(device.get("person") for device in home.devices())


@pytest.mark.parametrize("words, sentence", [
    (["--behind-proxy", "caddy"], "caddy is not the address of a reverse proxy"),
    (["--behind-proxy", "0.0.0.0/0"], "0.0.0.0/0 is not the address of a reverse proxy"),
    (["--behind-proxy", "127.0.0.1,"], "Nothing is not the address"),
    (["--proxy-name", NAME], "--proxy-name needs --behind-proxy"),
    (["--behind-proxy", "127.0.0.1", "--proxy-name", f"https://{NAME}/"], "Write --proxy-name without https://"),
])
def test_a_mistyped_proxy_gets_a_sentence(tmp_path, words, sentence):
    from household import BINARY
    done = subprocess.run([BINARY, "serve", "--data", str(tmp_path / "data"), *words], capture_output=True, text=True, timeout=20)
    assert done.returncode != 0 and sentence in done.stderr, done.stderr
