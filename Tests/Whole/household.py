"""A real server, a real upstream, and people who use them: the tests of the whole program drive these from outside."""

import atexit
import base64
import functools
import hashlib
import http.client
import itertools
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import warnings
from datetime import datetime, timezone
from pathlib import Path

import dns.edns
import dns.exception
import dns.flags
import dns.message
import dns.query
import dns.rcode
import dns.rdatatype
import requests

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("SLEEP_INDUCER_BINARY", ROOT / ".build/debug/sleep-inducer"))
PASSCODE = "moonlight-42"
# How many times longer than on a free machine everything may take: an emulated program is slow.
PATIENCE = float(os.environ.get("PATIENCE", 1))

# Each worker has its own ports, because another could take a port between the look and the bind.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8
PORTS = itertools.cycle(random.sample(range(10_000 + WORKER * 2_700, 10_000 + (WORKER + 1) * 2_700), 2_700))


def free_port() -> int:
    """A port that is free for TCP and UDP on loopback, below those that the kernel gives to outgoing connections."""
    for port in PORTS:
        with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            try:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Upstream:
    """A resolver of the fake internet: every name has one address, and every query is remembered."""

    # Reserved (RFC 1112, 4): nothing is routed to it, and no machine answers there.
    ADDRESS = "240.0.0.7"

    def __init__(self, port=0, address="127.0.0.1"):
        self.asked = []
        self.silent = False
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.bind((address, port))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self):
        while True:
            try:
                data, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            # Some kernels give the reader of a closed socket nothing instead of an error.
            if not data:
                return
            query = dns.message.from_wire(data)
            name, kind = query.question[0].name, query.question[0].rdtype
            self.asked.append(name.to_text(omit_final_dot=True).lower())
            if self.silent:
                continue
            reply = dns.message.make_response(query)
            if kind == dns.rdatatype.A:
                reply.answer.append(dns.rrset.from_text(name, 300, "IN", "A", self.ADDRESS))
            elif kind == dns.rdatatype.AAAA:
                reply.answer.append(dns.rrset.from_text(name, 300, "IN", "AAAA", "2002:db8::7"))
            self.socket.sendto(reply.to_wire(), peer)

    def close(self):
        self.socket.close()


def edit_documents(database: Path, kind: str, change, number=None):
    """Rewrites the stored documents of a kind as the server would, undamaged: `change` takes a document's members."""
    with sqlite3.connect(database) as stored:
        for identity, text in stored.execute("SELECT id, json FROM document WHERE kind = ?", (kind,)).fetchall():
            if number in (None, identity):
                members = json.loads(text)
                change(members)
                put_document(stored, kind, identity, members)
    stored.close()


def add_device(database: sqlite3.Connection, number: int, seen: int, met: int | None = None, **members):
    """Stores a device with the instants of its first and last sighting, in milliseconds since 1970."""
    met = seen if met is None else met
    instant = f"{datetime.fromtimestamp(met / 1000, timezone.utc):%Y-%m-%dT%H:%M:%S}.{met % 1000:03}Z"
    members = {
        "id": number, "name": f"Phone {number}", "isNamed": True, "isConfirmed": True, "kind": "other", "addresses": [],
        "formerHardwareAddresses": [], "toldApart": [], "hasNoMobileData": False, "leaves": [], "waysOut": [],
        "firstSeen": instant, "lastSeen": instant, **members}
    database.execute("INSERT INTO device (id, last_seen) VALUES (?, ?)", (number, seen))
    put_document(database, "device", number, members)


def add_child(database: sqlite3.Connection, number: int, **members):
    """Stores a child with only the given rules."""
    database.execute("INSERT INTO person (id) VALUES (?)", (number,))
    put_document(database, "person", number, {"id": number, "name": f"Person {number}", "role": "child", **members})


def put_document(database: sqlite3.Connection, kind: str, number: int, members: dict):
    """Stores a document in the place of what is there, with its digest."""
    text = json.dumps(members, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(f"{kind} {number} {text}".encode()).digest()
    database.execute("INSERT OR REPLACE INTO document VALUES (?, ?, ?, ?)", (kind, number, text, digest))


@functools.cache
def prepared() -> Path:
    """The data of a household that was just set up and stopped; made once by each worker.

    Its passcode is hashed with a thirty-second of the usual rounds: a debug build needs half a second for the usual ones.
    Its clock has 24 hours, so that pages read alike in every browser.
    """
    folder = Path(tempfile.mkdtemp(prefix="sleep-inducer-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    data = folder / "data"
    Server(data, None, is_new=True).stop()
    salt, rounds = b"sixteen of salt.", 1 << 10
    key = hashlib.scrypt(PASSCODE.encode(), salt=salt, n=rounds, r=8, p=1, dklen=32)
    parts = base64.b64encode(salt).decode(), base64.b64encode(key).decode()
    with sqlite3.connect(data / "sleep-inducer.sqlite") as stored:
        stored.execute("UPDATE access SET passcode_hash = ?", ("$".join(["scrypt", str(rounds), "8", "1", *parts]),))
        # When and where it ran belongs to this run alone.
        stored.execute("UPDATE access SET last_instant = NULL")
        stored.execute("DELETE FROM remembered")
    stored.close()
    edit_documents(data / "sleep-inducer.sqlite", "house", lambda house: house.update(clock="24"))
    return data


class Server:
    """One `sleep-inducer serve` with its ports, its data, and what it printed.

    An `unattended` one begins as a household that is set up: with a copy of the prepared data, or by its own flags if it
    `is_new`. The others begin at the gate.
    """

    def __init__(
            self, data: Path, upstream: Upstream | None, *flags: str, unattended: bool = True, is_new: bool = False,
            environment=None):
        self.data = Path(data)
        self.binary = BINARY
        self.environment = environment
        self.upstream = upstream
        self.http_port, self.https_port, self.dns_port, self.dot_port = (free_port() for _ in range(4))
        self.flags = [
            "serve", "--data", str(data), "--bind", "127.0.0.1", "--http-port", str(self.http_port),
            "--https-port", str(self.https_port), "--dns-port", str(self.dns_port),
            "--dot-port", str(self.dot_port), *flags,
        ]
        if upstream:
            self.flags += ["--upstream", f"127.0.0.1:{upstream.port}"]
        if unattended:
            self.flags += ["--passcode", PASSCODE, "--time-zone", "Europe/Berlin"]
        if unattended and not is_new and not (self.data / "sleep-inducer.sqlite").exists():
            shutil.copytree(prepared(), self.data, dirs_exist_ok=True)
        self.process = None
        self.log = self.data.parent / f"{self.data.name}.log"
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http_port}"

    def start(self):
        output = open(self.log, "ab")
        self.process = subprocess.Popen([self.binary, *self.flags], stdout=output, stderr=output, env=self.environment)
        deadline = time.monotonic() + 30 * PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}:\n{self.log.read_text()}")
            try:
                if requests.get(f"{self.url}/healthz", timeout=2 * PATIENCE).status_code == 200:
                    return
            except requests.ConnectionError:
                pass
            time.sleep(0.02)
        raise RuntimeError(f"the server did not become healthy:\n{self.log.read_text()}")

    def kill(self):
        """Ends it like a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                return self.process.wait(15 * PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise
        return self.process.returncode

    def ask(self, name, kind="A", source="127.0.0.1", tcp=False, edns=False, timeout=None):
        """The whole DNS reply to a question. Asks like a stub resolver: twice for five seconds, or once for
        `timeout`."""
        query = dns.message.make_query(name, kind, use_edns=0 if edns else -1)
        transport = dns.query.tcp if tcp else dns.query.udp
        try:
            return transport(query, "127.0.0.1", timeout=timeout or 5 * PATIENCE, port=self.dns_port, source=source)
        except dns.exception.Timeout:
            if timeout:
                raise
        warnings.warn(f"no reply to {name} within five seconds: asked again", stacklevel=2)
        return transport(query, "127.0.0.1", timeout=5 * PATIENCE, port=self.dns_port, source=source)

    def addresses(self, name, kind="A", source="127.0.0.1"):
        return [record.to_text() for rrset in self.ask(name, kind, source).answer for record in rrset]

    def get_as(self, host, path="/", method="GET", source="127.0.0.1", headers=None):
        """An HTTP request with a Host and a source address of the caller's choice."""
        connection = http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=10 * PATIENCE, source_address=(source, 0))
        connection.request(method, path, headers={"Host": host, "Accept": "text/html", **(headers or {})})
        response = connection.getresponse()
        body = response.read().decode()
        connection.close()
        return response, body

    def command(self, *words, **options):
        return subprocess.run(
            [BINARY, *words, "--data", str(self.data)], capture_output=True, text=True, timeout=60 * PATIENCE, **options)


class Browser:
    """A browser without script: it has a cookie jar and fills in forms."""

    def __init__(self, server: Server, source: str | None = None):
        self.server = server
        self.session = requests.Session()
        self.session.trust_env = False
        if source:
            adapter = SourceAdapter(source)
            self.session.mount("http://", adapter)

    def get(self, path, **options):
        return self.session.get(self.server.url + path, timeout=20 * PATIENCE, **options)

    def csrf(self, path) -> str:
        """The login's token, from a form of the page; More has one always, the form that logs out."""
        field = r'name="?csrf"? value="([^"]+)"'
        page = self.get(path).text
        found = re.search(field, page) or re.search(field, self.get("/more").text)
        assert found, f"{path} holds no csrf field:\n{page[:2000]}"
        return found.group(1)

    def post(self, path, fields=None, page=None, **options):
        """Submits a form of `page` (by default the path itself); `fields` may be a dict or a list of pairs."""
        token = self.csrf(page or path)
        pairs = list(fields.items()) if isinstance(fields, dict) else list(fields or [])
        options.setdefault("allow_redirects", False)
        return self.session.post(
            self.server.url + path, data=[*pairs, ("csrf", token)], timeout=20 * PATIENCE, **options)

    def log_in(self, passcode=PASSCODE):
        reply = self.session.post(
            f"{self.server.url}/login", data={"passcode": passcode}, allow_redirects=False, timeout=20 * PATIENCE)
        assert reply.status_code == 303, f"{reply.status_code} {reply.text[:500]}"
        return self

    def enroll(self):
        reply = self.post("/devices/enroll", page="/devices")
        assert reply.status_code == 303, f"{reply.status_code} {reply.text[:500]}"
        return self

    def start_session(self, minutes=60, strictness="flexible"):
        reply = self.post("/session", {"durationMinutes": str(minutes), "strictness": strictness})
        assert reply.status_code == 303, f"{reply.status_code} {reply.text[:500]}"
        return self

    def state(self) -> dict:
        """The first `state` event of a fresh stream."""
        with self.session.get(f"{self.server.url}/events", stream=True, timeout=20 * PATIENCE) as stream:
            event = None
            for line in stream.iter_lines(decode_unicode=True):
                if line.startswith("event:"):
                    event = line.split(":", 1)[1].strip()
                if line.startswith("data:") and event == "state":
                    return json.loads(line.split(":", 1)[1])
        raise AssertionError("the stream ended without a state")


class SourceAdapter(requests.adapters.HTTPAdapter):
    """Lets the tests of one machine come from several loopback addresses."""

    def __init__(self, source):
        self.source = source
        super().__init__()

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, source_address=(self.source, 0), **options)


def eventually(check, seconds=5.0):
    """Repeats `check` until it returns something true; fails the test with the last result otherwise. It looks at least
    twice per second of the time, because the whole machine may have stood still."""
    seconds *= PATIENCE
    deadline = time.monotonic() + seconds
    looks = 0
    while True:
        answer = check()
        looks += 1
        if answer or time.monotonic() > deadline and looks >= 2 * seconds:
            assert answer, f"{check} stayed {answer!r} for {seconds} s"
            return answer
        time.sleep(0.05)
