"""Webhooks of a household on two machines, with real etcd; the receiver is in a network namespace."""

import os
import sqlite3

import pytest

from cluster import linked
from household import eventually
from lan import at, ip, ip_quietly, machine, machines
from test_webhooks import Program

RECEIVER = machine("receiver")
# Nobody else's, on a machine where several workers run.
NET = f"10.{100 + os.getpid() // 256 % 100}.{os.getpid() % 256}"
# Notes every message with the answer that it gets: the file's content.
LISTENER = """
import http.server, json, sys
class Listener(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["event"]
        status = open(sys.argv[2]).read()
        print(event, self.headers["webhook-id"], status, flush=True)
        self.send_response(int(status))
        self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer((sys.argv[1], 8123), Listener).serve_forever()
"""


@pytest.fixture
def receiver(tmp_path):
    port = f"wh{os.getpid() % 100_000}"
    (tmp_path / "answer").write_text("204")
    with machines(RECEIVER):
        ip("link", "add", port, "type", "veth", "peer", "name", "lan0", "netns", RECEIVER)
        try:
            ip("addr", "add", f"{NET}.1/24", "dev", port)
            ip("link", "set", port, "up")
            ip("-n", RECEIVER, "addr", "add", f"{NET}.2/24", "dev", "lan0")
            ip("-n", RECEIVER, "link", "set", "lan0", "up")
            program = Program(RECEIVER, LISTENER, f"{NET}.2", str(tmp_path / "answer"))
            program.answer = (tmp_path / "answer").write_text
            eventually(lambda: at(RECEIVER, "curl", "-s", f"http://{NET}.2:8123/").returncode == 0)
            yield program
            program.stop()
        finally:
            ip_quietly("link", "del", port)


def rows(node, table):
    with sqlite3.connect(f"file:{node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


@pytest.mark.nightly
def test_one_machine_tells_and_another_if_that_one_dies(nodes, receiver):
    """Takes a minute and a half of real time: after a minute of silence a machine counts as gone."""
    a, b = nodes.all
    events = ["focus.started", "sleep.started"]
    added = nodes.api(a, "POST", "/webhooks", json={"url": f"http://{NET}.2:8123/bedtime", "events": events})
    assert added.status_code == 201, added.text
    ids = [hook["id"] for hook in nodes.api(b, "GET", "/webhooks").json()]
    assert ids == [added.json()["id"]]
    # A change on the machine where nobody entered the webhook.
    assert nodes.api(b, "POST", "/focus", json={"minutes": 25}).status_code == 201
    eventually(lambda: len(receiver.lines) == 1)
    eventually(lambda: rows(a, "webhook_letter") == rows(b, "webhook_letter") == 0)
    # The receiver is out of order, and the machine that would try again dies.
    receiver.answer("503")
    started = nodes.api(b, "POST", "/session", json={"durationMinutes": 60, "strictness": "flexible"})
    assert started.status_code == 201, started.text
    eventually(lambda: len(receiver.lines) == 2)
    b.kill()
    receiver.answer("204")
    eventually(lambda: len(receiver.lines) == 3, 120)
    focus, refused, taken = [line.split() for line in receiver.lines]
    assert focus[0] == "focus.started" and focus[2] == "204"
    assert refused[0] == "sleep.started" and refused[2] == "503"
    assert taken == ["sleep.started", refused[1], "204"]
    # The dead machine comes back, and sends it no more.
    b.start()
    linked(b)
    eventually(lambda: rows(a, "webhook_letter") == rows(b, "webhook_letter") == 0)
    assert len(receiver.lines) == 3
    # Removed on one, it is gone from both.
    assert nodes.api(b, "DELETE", f"/webhooks/{ids[0]}").ok
    eventually(lambda: nodes.api(a, "GET", "/webhooks").json() == [])
