"""A thousand power cuts while rules change: no acknowledged change is lost, no answer contradicts one."""

import random
import threading
import time
from pathlib import Path

import requests

import house
from household import Browser, Server, Upstream, eventually


class Hand:
    """Changes the allowed apps and presses Start and Reset; remembers the acknowledged changes."""

    def __init__(self, server: Server):
        self.server = server
        self.owner = Browser(server).log_in().enroll()
        self.token = self.owner.csrf("/allowed-apps")
        self.asleep = False
        self.allowed = frozenset()
        self.pending = None
        self.stopped = threading.Event()

    def post(self, path, pairs):
        return self.owner.session.post(
            self.server.url + path, data=[*pairs, ("csrf", self.token)], allow_redirects=False, timeout=5)

    def work(self):
        """Changes rules until the server is gone; the last change may be kept or lost."""
        self.pending = None
        while not self.stopped.is_set():
            try:
                if random.random() < 0.5:
                    apps = frozenset(random.sample(["whatsapp", "youtube", "instagram", "spotify", "netflix"], 2))
                    self.pending = ("allowed", apps)
                    if self.post("/allowed-apps", [("app", app) for app in apps]).status_code in (200, 303):
                        self.allowed = apps
                elif self.asleep:
                    self.pending = ("asleep", False)
                    if self.post("/settings/reset", [("confirm", "reset")]).status_code == 303:
                        self.asleep = False
                else:
                    self.pending = ("asleep", True)
                    if self.post("/session", [("durationMinutes", "480"), ("strictness", "strict")]).status_code == 303:
                        self.asleep = True
                self.pending = None
            except requests.RequestException:
                return

    def check(self):
        """Checks the rules after the restart; an unanswered change may be kept or lost."""
        blocked = self.server.addresses("tiktok.com") == ["127.0.0.1"]
        if self.pending and self.pending[0] == "asleep":
            assert blocked in (self.asleep, self.pending[1])
        else:
            assert blocked == self.asleep, f"asleep {self.asleep}, but blocked {blocked}"
        state = self.owner.state()
        assert (state["session"] is not None) == blocked, "the first answer went against the rules"
        self.asleep = blocked
        saved = frozenset(self.selected())
        accepted = {self.allowed} | ({self.pending[1]} if self.pending and self.pending[0] == "allowed" else set())
        assert saved in accepted, f"{set(saved)} is none of {accepted}"
        self.allowed = saved

    def selected(self):
        reply = self.owner.session.get(
            f"{self.server.url}/api/v1/selections/allowed", headers={"Authorization": f"Bearer {self.bearer}"}, timeout=5)
        return reply.json()["apps"]


def run(work: Path, rounds: int = 1000) -> dict:
    upstream = Upstream()
    server = Server(work / "kills", upstream)
    hand = Hand(server)
    hand.bearer = server.command("token").stdout.strip()
    begun = time.monotonic()
    for _ in range(rounds):
        hand.stopped.clear()
        worker = threading.Thread(target=hand.work)
        worker.start()
        time.sleep(random.uniform(0.01, 0.25))
        server.kill()
        hand.stopped.set()
        worker.join()
        server.start()
        hand.check()
    server.stop()
    upstream.close()
    return {"sleep-inducer": {"kills": rounds, "lost changes": 0, "answers against the rules": 0,
                              "seconds": round(time.monotonic() - begun)}}
