"""People who change one household on several machines at once, and write down each answer."""

import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

from household import Browser  # noqa: E402


class Writer(threading.Thread):
    """One person who changes rules on one machine after the other and writes down each answer. Only this one begins and ends
    the sessions of one of the household's people."""

    def __init__(self, seed, number, nodes, people, history, until):
        super().__init__(daemon=True)
        self.chance = random.Random(f"{seed} {number}")
        self.number, self.nodes, self.people, self.history, self.until = number, nodes, people, history, until
        self.own, self.browsers, self.count = people[number], {}, 0
        self.is_asleep = False

    def run(self):
        while not self.until.is_set():
            node = self.chance.choice(self.nodes.all)
            kind = self.chance.choices(["append", "rename", "session"], [1, 3, 3])[0]
            getattr(self, kind)(node)
            time.sleep(self.chance.uniform(0.1, 0.8))

    def note(self, op, node, begun, reply, **more):
        outcome = {True: "ok", False: "refused", None: "unknown"}[reply]
        self.history.append({
            "op": op, "node": node.data.name, "start": begun, "end": time.monotonic(), "outcome": outcome, **more})

    def ask(self, node, method, path, **body):
        """Whether it was taken, and the code of a refusal; None: no answer came, or none that says so."""
        try:
            reply = self.nodes.api(node, method, path, timeout=15, json=body or None)
        except Exception:
            return None, None
        if reply.ok:
            return True, None
        return (False, reply.json().get("code")) if reply.status_code in (401, 404, 409, 422, 503) else (None, None)

    def append(self, node):
        self.count += 1
        value = f"app {self.number} {self.count}"
        begun, taken, code = time.monotonic(), None, None
        try:
            if node not in self.browsers:
                browser = Browser(node).log_in()
                browser.token = browser.csrf("/more")
                self.browsers[node] = browser
            begun = time.monotonic()
            reply = self.browsers[node].session.post(
                f"{node.url}/allowed-apps/own", allow_redirects=False, timeout=15, data=[
                    ("csrf", self.browsers[node].token), ("name", value), ("domain", f"a{self.number}-{self.count}.example")])
            if reply.headers.get("Location", "").startswith("/login"):
                taken, code = False, "signed out"
            elif reply.status_code == 303:
                taken = True
            elif reply.status_code in (409, 422, 503):
                taken, code = False, "machines-unreachable" if reply.status_code == 503 else str(reply.status_code)
        except Exception:
            self.browsers.pop(node, None)
        self.note("append", node, begun, taken, value=value, code=code)

    def rename(self, node):
        self.count += 1
        value, person = f"name {self.number} {self.count}", self.chance.choice(self.people)
        begun = time.monotonic()
        taken, code = self.ask(node, "PATCH", f"/people/{person}", name=value)
        self.note("rename", node, begun, taken, value=value, person=person, code=code)

    def session(self, node):
        begun = time.monotonic()
        if not self.is_asleep:
            taken, code = self.ask(node, "POST", f"/session?person={self.own}", durationMinutes=480, strictness="strict")
            self.note("start", node, begun, taken, person=self.own, code=code)
            self.is_asleep = taken is not False
            return
        # A reset says something only of a session that the machine knows.
        try:
            shown = self.nodes.api(node, "GET", f"/state?person={self.own}").json().get("session")
        except Exception:
            return
        if not shown:
            return
        begun = time.monotonic()
        taken, code = self.ask(node, "POST", f"/reset?person={self.own}", confirm=True)
        self.note("reset", node, begun, taken, person=self.own, code=code)
        self.is_asleep = taken is not True
