"""Rounds in which machines and members of etcd fail while several people change one household, and what must hold then."""

import collections
import json
import random
import signal
import sqlite3
import subprocess
import threading
import time

from cluster import linked
from household import Browser, eventually


def documents(node):
    """What a node's own database says of the rules."""
    with sqlite3.connect(f"file:{node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as stored:
        return {(kind, number): json.loads(text)
                for kind, number, text in stored.execute("SELECT kind, id, json FROM document")}


def log_lines(node):
    with sqlite3.connect(f"file:{node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as stored:
        return stored.execute("SELECT kind, person, instant, detail FROM event ORDER BY id").fetchall()


def apps(node):
    return [app["name"] for app in documents(node)[("house", 1)].get("ownApps", [])]


def agree(nodes, seconds=20):
    """Until all nodes' databases say the same."""
    def same():
        found = [documents(node) for node in nodes]
        return all(one == found[0] for one in found)
    eventually(same, seconds)
    return documents(nodes[0])


class Writer(threading.Thread):
    """Adds apps of the household on one node after the other, and writes down what came of it."""

    def __init__(self, number, nodes, history, until, pause):
        super().__init__(daemon=True)
        self.number, self.nodes, self.history, self.until, self.pause = number, nodes, history, until, pause

    def run(self):
        chance = random.Random(self.number)
        browsers = {}
        count = 0
        while not self.until.is_set():
            node = chance.choice(self.nodes)
            value = f"app {self.number} {count}"
            count += 1
            begun = time.monotonic()
            outcome = "unknown"
            try:
                if node not in browsers:
                    browsers[node] = Browser(node).log_in()
                    browsers[node].token = browsers[node].csrf("/more")
                begun = time.monotonic()
                reply = browsers[node].session.post(
                    f"{node.url}/allowed-apps/own", allow_redirects=False, timeout=15, data=[
                        ("csrf", browsers[node].token), ("name", value),
                        ("domain", f"a{self.number}-{count}.example")])
                outcome = "ok" if reply.status_code == 303 else "refused" if reply.status_code in (409, 422) else "unknown"
                if reply.headers.get("Location", "").startswith("/login"):
                    outcome = "signed out"
            except Exception:
                browsers.pop(node, None)
            self.history.append({
                "op": "append", "value": value, "node": node.data.name, "start": begun, "end": time.monotonic(),
                "outcome": outcome})
            time.sleep(chance.uniform(0.5, 1.5) * self.pause)


class Reader(threading.Thread):
    """Looks at what a node's database holds, now and then."""

    def __init__(self, node, history, until):
        super().__init__(daemon=True)
        self.node, self.history, self.until = node, history, until

    def run(self):
        while not self.until.is_set():
            begun = time.monotonic()
            try:
                values = apps(self.node)
            except sqlite3.OperationalError:
                continue
            self.history.append({
                "op": "read", "node": self.node.data.name, "start": begun, "end": time.monotonic(), "values": values})
            time.sleep(0.3)


class Disks:
    """Small file systems under the nodes' data, which can be filled."""

    def __init__(self, folder, count):
        self.paths = [folder / f"n{number}" for number in range(count)]
        for path in self.paths:
            path.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", path], check=True, capture_output=True)

    def fill(self, number):
        try:
            with open(self.paths[number] / "ballast", "wb", buffering=0) as ballast:
                for size in (1 << 20, 4096, 1):
                    try:
                        while True:
                            ballast.write(b"." * size)
                    except OSError:
                        continue
        except OSError:
            pass

    def empty(self, number):
        (self.paths[number] / "ballast").unlink(missing_ok=True)

    def close(self):
        for path in self.paths:
            subprocess.run(["umount", "-l", path], check=False, capture_output=True)


def fail_once(nodes, etcd, chance, disks):
    """One thing fails and is well again. Says what it was."""
    what = chance.choice(["node killed", "node paused", "member killed", "member paused", "member cut off"]
                         + (["disk full"] if disks else []))
    number = chance.randrange(3)
    node, member = nodes.all[number], number % len(etcd.processes)
    if what == "node killed":
        node.kill()
        time.sleep(chance.uniform(0.1, 1))
        node.start()
    elif what == "node paused":
        node.process.send_signal(signal.SIGSTOP)
        time.sleep(chance.uniform(0.5, 3))
        node.process.send_signal(signal.SIGCONT)
    elif what == "member killed":
        etcd.kill(member)
        time.sleep(chance.uniform(0.5, 2))
        etcd.start(member)
    elif what == "member cut off":
        etcd.cut(member)
        time.sleep(chance.uniform(0.5, 4))
        etcd.mend()
    elif what == "disk full":
        disks.fill(number)
        time.sleep(chance.uniform(0.5, 3))
        disks.empty(number)
    else:
        etcd.pause(member)
        time.sleep(chance.uniform(0.5, 4))
        etcd.resume(member)
    return what


class Grants:
    """Overrides that hold once a day, wanted on every node at once."""

    def __init__(self, nodes, count):
        self.nodes, self.granted, self.threads = nodes, collections.Counter(), []
        self.people = [self.add(number) for number in range(count)]

    def add(self, number):
        reply = self.nodes.api(self.nodes.all[0], "POST", "/people", json={"name": f"Sleeper {number}"})
        assert reply.status_code == 201, reply.text
        person = reply.json()["id"]
        # Where nothing is configured, there is nothing to open.
        for path, rules in [
                ("selections/restricted", {"apps": ["tiktok"], "categories": [], "domains": []}),
                ("windows", {"windows": [{"start": "03:00", "end": "03:01"}]})]:
            reply = self.nodes.api(self.nodes.all[0], "PUT", f"/{path}?person={person}", json=rules)
            assert reply.status_code == 200, reply.text
        return person

    def want(self, person):
        def ask(node):
            try:
                if self.nodes.api(node, "POST", f"/override?person={person}").ok:
                    self.granted[person] += 1
            except Exception:
                pass
        threads = [threading.Thread(target=ask, args=(node,), daemon=True) for node in self.nodes.all]
        for thread in threads:
            thread.start()
        self.threads += threads

    def check(self):
        for node in self.nodes.all:
            used = collections.Counter(person for kind, person, *_ in log_lines(node) if kind == "overrideUsed")
            for person in self.people:
                assert self.granted[person] <= 1, f"granted {self.granted[person]} times to {person}"
                assert self.granted[person] <= used[person] <= 1, (node.data.name, person, used, self.granted)


def rounds(nodes, etcd, folder, count, seed, writers=3, pause=0.8, disks=None):
    """Lets writers change the household while nodes and members fail, one in each round. Returns the acknowledged changes.

    A household has 200 apps of its own at most: `pause` is how many seconds a writer waits after each.
    """
    chance, until, history = random.Random(seed), threading.Event(), []
    grants = Grants(nodes, 8)
    threads = [Writer(number, nodes.all, history, until, pause) for number in range(writers)]
    threads += [Reader(node, history, until) for node in nodes.all]
    for thread in threads:
        thread.start()
    failed = collections.Counter()
    for number in range(count):
        if number % max(1, count // 8) == 0 and grants.people[number // max(1, count // 8):]:
            grants.want(grants.people[number // max(1, count // 8)])
        failed[fail_once(nodes, etcd, chance, disks)] += 1
        time.sleep(chance.uniform(0.5, 1.5))
    until.set()
    for thread in threads + grants.threads:
        thread.join(30)
    etcd.wait()
    for node in nodes.all:
        linked(node, 60)
    agree(nodes.all, 60)
    finals = {node.data.name: apps(node) for node in nodes.all}
    record = folder / "history.json"
    record.write_text(json.dumps({"history": history, "finals": finals}))
    checked = subprocess.run(
        ["python3", "Tests/Whole/append_order.py", str(record)], capture_output=True, text=True)
    outcomes = collections.Counter(one["outcome"] for one in history if one["op"] == "append")
    print(f"seed {seed}: {dict(failed)}; changes: {dict(outcomes)}; granted: {sum(grants.granted.values())}")
    assert checked.returncode == 0, f"seed {seed}: {checked.stdout}"
    # Nobody signs out here, and no login is forgotten.
    assert not outcomes["signed out"], f"seed {seed}: {outcomes}"
    grants.check()
    def lines_agree():
        lines = [sorted(log_lines(node), key=str) for node in nodes.all]
        return all(one == lines[0] for one in lines)
    eventually(lines_agree, 30)
    return [one for one in history if one.get("outcome") == "ok"]
