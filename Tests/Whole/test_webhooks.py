"""Webhooks over a network: a server in one namespace, its receivers in another."""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time

import pytest

from household import BINARY, PASSCODE, ROOT, eventually
from lan import at, ip, machine, machines

SERVER, RECEIVER = map(machine, ("h-server", "h-receiver"))
HERE, THERE = "10.79.0.1", "10.79.0.2"
DOCUMENTED = re.search(r"```python\n(.*?)```", (ROOT / "Docs/webhooks.md").read_text(), re.DOTALL).group(1)
UPSTREAM = """
import socket
import dns.message, dns.rrset, dns.rdatatype
ADDRESSES = {"ha.example.": "10.79.0.2", "evil.example.": "127.0.0.1", "metadata.example.": "169.254.169.254",
             "mirror.example.": "10.79.0.1", "out.example.": "203.0.113.9"}
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind(("127.0.0.1", 5398))
while True:
    data, peer = door.recvfrom(4096)
    query = dns.message.from_wire(data)
    reply = dns.message.make_response(query)
    name = query.question[0].name
    address = ADDRESSES.get(name.to_text().lower())
    if query.question[0].rdtype == dns.rdatatype.A and address:
        reply.answer.append(dns.rrset.from_text(name, 300, "IN", "A", address))
    door.sendto(reply.to_wire(), peer)
"""
# Notes every request, and answers with the status and the Location that its path asks for.
LISTENER = """
import http.server, sys
class Listener(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        print(self.command, self.path, self.headers.get("webhook-id"), flush=True)
        moved = self.path.startswith("/moved")
        self.send_response(302 if moved else 204)
        if moved:
            self.send_header("Location", "http://127.0.0.1:9999/trap")
        self.end_headers()
    do_GET = do_POST = answer
    def log_message(self, *_): pass
http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), Listener).serve_forever()
"""


class Program:
    """A program in a namespace; its output is kept line by line."""

    def __init__(self, place, code, *words, **environment):
        self.lines = []
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", place, sys.executable, "-c", code, *words], stdout=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        threading.Thread(target=lambda: self.lines.extend(iter(self.process.stdout.readline, "")), daemon=True).start()

    def stop(self):
        self.process.kill()
        self.process.wait(10)


class Home:
    def __init__(self, folder, environment=None):
        self.folder, self.data, self.children = folder, folder / "data", []
        self.environment = environment
        self.log = folder / "log"
        self.server = None

    def run(self, place, code, *words, **environment):
        program = Program(place, code, *words, **environment)
        self.children.append(program)
        return program

    def start(self):
        log = open(self.log, "ab")
        self.server = subprocess.Popen(
            ["ip", "netns", "exec", SERVER, BINARY, "serve", "--data", self.data, "--upstream", "127.0.0.1:5398",
             "--passcode", PASSCODE, "--time-zone", "Europe/Berlin"], stdout=log, stderr=log,
            env=self.environment)
        eventually(lambda: self.curl("/healthz", "-f").returncode == 0, 20)

    def curl(self, path, *words):
        return at(RECEIVER, "curl", "-s", "-m", "20", *words, f"http://{HERE}{path}")

    def command(self, *words):
        return subprocess.run([BINARY, *words, "--data", self.data], capture_output=True, text=True, timeout=30).stdout

    def token(self):
        return self.command("token", "--name", "test").split()[-1]

    def api(self, method, path, body=None):
        words = ["-X", method, "-H", f"Authorization: Bearer {self.bearer}", "-H", "Content-Type: application/json"]
        reply = self.curl(path, *words, *(["-d", json.dumps(body)] if body is not None else []))
        return json.loads(reply.stdout) if reply.stdout else None

    def add(self, url, *events):
        added = self.api("POST", "/api/v1/webhooks", {"url": url, "events": events or ["focus.started"]})
        assert "secret" in added, added
        return added

    def latest(self, webhook):
        found = [one for one in self.api("GET", "/api/v1/webhooks") if one["id"] == webhook["id"]]
        return (found[0]["latest"] or {}).get("outcome")

    def focus(self):
        self.api("POST", "/api/v1/focus", {"minutes": 25})

    def close(self):
        if self.server:
            self.server.terminate()
            self.server.wait(10)
        for child in self.children:
            child.stop()


@pytest.fixture
def home(tmp_path):
    with opened(Home(tmp_path)) as home:
        yield home


@contextlib.contextmanager
def opened(home):
    """The server and its receivers, each on its own machine."""
    with machines(SERVER, RECEIVER), contextlib.closing(home):
        ip("link", "add", "lan0", "netns", SERVER, "type", "veth", "peer", "name", "lan0", "netns", RECEIVER)
        for place, address in ((SERVER, HERE), (RECEIVER, THERE)):
            ip("-n", place, "addr", "add", f"{address}/24", "dev", "lan0")
            ip("-n", place, "link", "set", "lan0", "up")
        home.run(SERVER, UPSTREAM)
        home.start()
        home.bearer = home.token()
        eventually(lambda: at(SERVER, "dig", "+short", f"@{HERE}", "ha.example").stdout.split() == [THERE], 10)
        yield home


def test_what_happens_arrives_signed_and_the_documented_receiver_believes_it(home):
    hook = home.add("http://ha.example:8123/bedtime", "focus.started", "focus.paused", "sleep.started", "sleep.reset")
    receiver = home.run(RECEIVER, DOCUMENTED, "8123", WEBHOOK_SECRET=hook["secret"])
    eventually(lambda: at(RECEIVER, "curl", "-s", f"http://{THERE}:8123/").returncode == 0)
    home.focus()
    eventually(lambda: len(receiver.lines) == 1)
    home.api("POST", "/api/v1/focus/pause")
    home.api("POST", "/api/v1/focus/resume")
    home.api("POST", "/api/v1/session", {"durationMinutes": 30, "strictness": "strict"})
    home.api("POST", "/api/v1/reset", {"confirm": True})
    eventually(lambda: len(receiver.lines) == 4)
    heard = sorted((json.loads(line) for line in receiver.lines), key=lambda one: one["at"])
    assert {one["event"] for one in heard} == {"focus.started", "focus.paused", "sleep.started", "sleep.reset"}
    assert {one["person"] for one in heard} == {"Me"} and len({one["id"] for one in heard}) == 4
    eventually(lambda: home.latest(hook) == "answered 204")
    # A receiver with another secret rejects it.
    other = home.add("http://10.79.0.2:8123/bedtime", "focus.started")
    home.api("POST", "/api/v1/focus/stop", {"save": False})
    home.focus()
    eventually(lambda: home.latest(other) == "answered 401")
    eventually(lambda: len(receiver.lines) == 5)


def test_nothing_is_sent_to_this_machine(home):
    trap = home.run(SERVER, LISTENER, "127.0.0.1", "9999")
    mirror = home.run(SERVER, LISTENER, HERE, "9999")
    listener = home.run(RECEIVER, LISTENER, THERE, "8124")
    eventually(lambda: at(SERVER, "curl", "-sf", "http://127.0.0.1:9999/alive").returncode == 0)
    eventually(lambda: at(SERVER, "curl", "-sf", f"http://{HERE}:9999/alive").returncode == 0)
    eventually(lambda: at(RECEIVER, "curl", "-sf", f"http://{THERE}:8124/alive").returncode == 0)
    moved = home.add("http://10.79.0.2:8124/moved")
    refused = [home.add(f"http://{name}.example:9999/trap") for name in ("evil", "metadata", "mirror")]
    outside = home.add("http://out.example:9999/trap")
    nowhere = home.add("http://nobody.example/")
    home.focus()
    eventually(lambda: "302" in (home.latest(moved) or ""))
    for hook in refused:
        eventually(lambda: "leads back to this machine" in (home.latest(hook) or ""))
    eventually(lambda: "needs https" in (home.latest(outside) or ""))
    eventually(lambda: "no server of this name" in (home.latest(nowhere) or ""))
    assert [line for line in listener.lines if line.startswith("POST")][0].startswith("POST /moved msg_")
    for one in (trap, mirror):
        assert [line for line in one.lines if "alive" not in line] == []
    # Literal addresses are refused when they are typed.
    for url in (f"http://{HERE}/", "http://127.0.0.1/", "http://localhost/", "http://sleep.home.arpa/", "http://[::1]/"):
        problem = home.api("POST", "/api/v1/webhooks", {"url": url, "events": ["focus.started"]})
        assert "leads back to this machine" in problem["errors"]["url"], url


def test_a_receiver_that_comes_back_hears_it_once_also_over_a_kill(home):
    """Waits for the real first delay, 5 seconds, twice."""
    hook = home.add("http://10.79.0.2:8125/late")
    home.focus()
    eventually(lambda: home.latest(hook) == "could not be reached")
    home.server.kill()
    home.server.wait()
    listener = home.run(RECEIVER, LISTENER, THERE, "8125")
    home.start()
    eventually(lambda: home.latest(hook) == "answered 204", 15)
    arrived = [line for line in listener.lines if line.startswith("POST")]
    assert len(arrived) == 1 and arrived[0].startswith("POST /late msg_")
    home.server.kill()
    home.server.wait()
    home.start()
    time.sleep(6)
    assert [line for line in listener.lines if line.startswith("POST")] == arrived
    assert home.api("GET", "/api/v1/webhooks")[0]["waiting"] == 0


@pytest.mark.alone
def test_a_receiver_that_hangs_holds_neither_pages_nor_the_end(home):
    silent = "import socket, time\ndoor = socket.create_server(('10.79.0.2', 8126))\nprint('open', flush=True)\ntime.sleep(600)"
    receiver = home.run(RECEIVER, silent)
    eventually(lambda: receiver.lines)
    home.add("http://10.79.0.2:8126/", "focus.started", "focus.stopped")
    began = time.monotonic()
    home.focus()
    home.api("POST", "/api/v1/focus/stop", {"save": False})
    home.focus()
    assert time.monotonic() - began < 2
    began = time.monotonic()
    home.server.terminate()
    assert home.server.wait(10) == 0
    assert time.monotonic() - began < 3
    home.start()
    assert home.api("GET", "/api/v1/webhooks")[0]["waiting"] == 3, "they wait for the next start"


# Answers every connection with the given bytes.
RAW = """
import socket, sys
door = socket.create_server((sys.argv[1], int(sys.argv[2])))
print("open", flush=True)
while True:
    wire, _ = door.accept()
    wire.recv(65536)
    print("POST", flush=True)
    wire.sendall(sys.argv[3].encode().decode("unicode_escape").encode() + b"x" * int(sys.argv[4]))
    if sys.argv[5] == "hang":
        kept = globals().setdefault("kept", [])
        kept.append(wire)
    else:
        wire.close()
"""


@pytest.mark.parametrize("head, body, end, outcome", [
    (r"HTTP/1.1 001 X\r\nContent-Length: 0\r\n\r\n", 0, "close", "its answer is not readable"),
    (r"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n", 0, "close", "its answer is not readable"),
    (r"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n", 70_000, "close", "answered 200"),
    (r"HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n", 1, "hang", "answered 201"),
])
def test_whatever_a_receiver_answers_the_server_goes_on(home, head, body, end, outcome):
    """A status below 100 once stopped the process, and every start after it."""
    receiver = home.run(RECEIVER, RAW, THERE, "8127", head, str(body), end)
    eventually(lambda: receiver.lines)
    hook = home.add("http://10.79.0.2:8127/")
    home.focus()
    eventually(lambda: home.latest(hook) == outcome)
    assert home.server.poll() is None


def test_the_secret_is_shown_once_and_the_address_stays_out_of_the_log(home):
    jar = str(home.folder / "jar")
    home.curl("/login", "-c", jar, "-d", f"passcode={PASSCODE}")
    page = home.curl("/webhooks", "-b", jar).stdout
    assert "There are no webhooks." in page
    token = re.search(r'name="?csrf"? value="([^"]+)"', page).group(1)
    url = "http://10.79.0.2:8127/not-to-be-logged"
    shown = home.curl("/webhooks", "-b", jar, "-d", f"csrf={token}", "--data-urlencode", f"url={url}",
                      "-d", "whose=", "-d", "event=focus.started").stdout
    secret = re.search(r"whsec_[A-Za-z0-9+/=&#;x]+", shown)
    assert secret, shown[:2000]
    secret = secret.group(0).replace("&#x3D;", "=").replace("&#61;", "=")[6:]
    home.focus()
    page = home.curl("/webhooks", "-b", jar).stdout
    eventually(lambda: "could not be reached" in home.curl("/webhooks", "-b", jar).stdout)
    assert url in page and "whsec_" not in page
    exported = home.command("export")
    assert "10.79.0.2:8127" in exported and "not-to-be-logged" not in exported
    home.server.terminate()
    home.server.wait(10)
    home.server = None
    assert "not-to-be-logged" not in home.log.read_text()
    for text in (exported, home.log.read_text()):
        assert secret[:20] not in text and "whsec_" not in text
    for file in home.data.rglob("*"):
        if file.is_file():
            assert secret[:20].encode() not in file.read_bytes(), file


# Notes each request as a line of JSON.
NOTEBOOK = """
import http.server, json, sys
class Notebook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        print(json.dumps({"headers": dict(self.headers), "body": body}), flush=True)
        self.send_response(204)
        self.end_headers()
    def log_message(self, *_): pass
print("open", flush=True)
http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), Notebook).serve_forever()
"""


def child_at_the_receiver(home):
    """Makes the receiver's machine the confirmed device of Ada, a child."""
    jar = str(home.folder / "jar")
    home.curl("/login", "-c", jar, "-d", f"passcode={PASSCODE}")
    token = re.search(r'name="?csrf"? value="([^"]+)"', home.curl("/more", "-b", jar).stdout).group(1)
    home.curl("/settings/people", "-b", jar, "-d", f"csrf={token}&name=Ada&role=child")
    home.curl("/devices/enroll", "-b", jar, "-d", f"csrf={token}&person=2")


def ask(home, app, reason):
    reply = home.curl("/my-rules/ask", "-i", "--data-urlencode", f"reason={reason}", "-d", f"what=app&app={app}")
    assert reply.stdout.startswith("HTTP/1.1 303"), reply.stdout[:500]


def visit(home, link, *words):
    """The status and the page of a link, as somebody without a login gets them."""
    reply = at(RECEIVER, "curl", "-s", "-m", "20", "-w", "\n%{http_code}", *words, link)
    text, _, status = reply.stdout.rpartition("\n")
    return int(status[-3:]), text


def test_a_question_is_answered_once_by_the_link_in_its_notice(home):
    child_at_the_receiver(home)
    notes = home.run(RECEIVER, NOTEBOOK, THERE, "8131")
    own = home.run(RECEIVER, NOTEBOOK, THERE, "8132")
    plain = home.run(RECEIVER, NOTEBOOK, THERE, "8133")
    for one in (notes, own, plain):
        eventually(lambda: one.lines)
    home.add("http://10.79.0.2:8131/", "wish.asked")
    home.api("POST", "/api/v1/webhooks", {"url": "http://10.79.0.2:8132/", "events": ["wish.asked"], "person": 2})
    home.api("POST", "/api/v1/webhooks", {"url": "http://10.79.0.2:8133/", "events": ["wish.asked"], "form": "ntfy"})
    ask(home, "tiktok", "Homework  video")
    for one in (notes, own, plain):
        eventually(lambda: len(one.lines) == 2)
    data = json.loads(json.loads(notes.lines[1])["body"])["data"]
    assert data["reason"] == "Homework video"
    # The asking person may read their own webhook.
    assert "/answer/" not in own.lines[1] and "Homework video" in own.lines[1]
    notice = json.loads(plain.lines[1])
    assert notice["body"] == "Ada: TikTok open at night. “Homework video”"
    actions = [part.split(", ") for part in notice["headers"]["Actions"].split("; ")]
    assert [action[:2] for action in actions] == [["http", "Yes"], ["http", "No"], ["view", "Open"]]
    assert actions[0][3:] == actions[1][3:] == ["method=POST", "clear=true"]
    assert actions[0][2] == actions[2][2] + "/yes" and actions[1][2] == actions[2][2] + "/no"
    yes, no = data["yes"], data["no"]
    assert yes.startswith(f"http://{HERE}/answer/") and yes.endswith("/yes")
    assert yes.split("/")[-2] != actions[0][2].split("/")[-2], "each notice has its own"

    def asked():
        return home.api("GET", "/api/v1/state")["requests"]

    # What opens every link to show a preview answers nothing.
    for _ in range(3):
        status, page = visit(home, yes)
        assert status == 200 and "Say yes?" in page and "Homework video" in page
    assert visit(home, yes, "-I")[0] == 200
    assert visit(home, actions[2][2])[1].count("<form") == 2
    assert [one["reason"] for one in asked()] == ["Homework video"]
    # Another site cannot make a browser press.
    assert visit(home, yes, "-X", "POST", "-H", "Origin: http://evil.example")[0] == 403
    status, page = visit(home, yes, "-X", "POST")
    assert status == 200 and "You said yes" in page and asked() == []
    for link in (yes, no, actions[1][2]):
        for words in ([], ["-X", "POST"]):
            status, page = visit(home, link, *words)
            assert status == 410 and "This question was already answered: yes." in page, (link, words)
    # Links that were never made, until they have to wait.
    found = {visit(home, f"http://{HERE}/answer/{'x' * 43}/yes")[0] for _ in range(6)}
    assert found == {404, 429}
    home.server.terminate()
    home.server.wait(10)
    assert all(link.split("/")[-2] not in home.log.read_text() for link in (yes, actions[0][2]))
    home.server = None
    for file in home.data.rglob("*"):
        assert not file.is_file() or yes.split("/")[-2].encode() not in file.read_bytes(), file
