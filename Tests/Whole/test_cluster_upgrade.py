"""Machines are upgraded one after the other, under load.

Both builds are this one, unless `SLEEP_INDUCER_NEWER` names a build that keeps `ofTomorrow: "of NAME"` in each person that
it renames. Then it is also checked that this member survives the old build's changes.
"""

import collections
import json
import os
import random
import sqlite3
import threading
import time

import pytest
import requests

from cluster import Etcd, Nodes, linked
from failing import documents
from household import Browser, Server, edit_documents, eventually
from test_cluster_stops import Client

NEWER = os.environ.get("SLEEP_INDUCER_NEWER")
MEMBER = "ofTomorrow"


class Writer(threading.Thread):
    """Renames one person and changes how strict they sleep, on one machine after the other, and looks at what it is told."""

    def __init__(self, nodes, person, upgrade):
        super().__init__(daemon=True)
        self.nodes, self.person, self.upgrade, self.names = nodes, person, upgrade, []
        self.counts, self.faults = collections.Counter(), []

    def run(self):
        chance = random.Random(self.person)
        turn = 0
        while not self.upgrade.is_over.is_set():
            turn += 1
            node = chance.choice(self.nodes.all)
            if chance.random() < 0.5:
                self.write(node, {"name": f"Ada {self.person} {turn}"})
            else:
                self.write(node, {"defaultStrictness": chance.choice(["flexible", "strict"])})
            time.sleep(0.05)

    def write(self, node, change):
        restarts = self.upgrade.restarts(node)
        reply, said = self.ask(node, change)
        if reply is not None and reply.ok:
            self.counts["taken"] += 1
            if any(reply.json()[member] != value for member, value in change.items()):
                self.faults.append((change, said))
        elif restarts % 2 or self.upgrade.restarts(node) != restarts:
            self.counts["refused by a machine that restarts"] += 1
        else:
            self.faults.append((node.data.name, change, said))
        if "name" in change:
            is_newer = bool(NEWER) and node.data.name in self.upgrade.done
            is_known = reply is not None and reply.ok
            self.names.append((change["name"], is_newer, is_known))

    def ask(self, node, change):
        try:
            reply = self.nodes.api(node, "PATCH", f"/people/{self.person}", json=change)
        except requests.RequestException as error:
            return None, repr(error)
        return reply, f"{reply.status_code} {reply.text[:400]}"

    def members(self):
        """What the new member may be: of the last name that a new build gave, or that it may have given."""
        wanted = {None}
        for name, is_newer, is_known in self.names:
            if is_newer or not is_known:
                wanted = {f"of {name}"} | (set() if is_known else wanted)
        return wanted


class Upgrade:
    """What is restarted, and by which build it runs."""

    def __init__(self, nodes):
        self.nodes, self.is_over, self.done, self.count = nodes, threading.Event(), set(), collections.Counter()

    def restarts(self, node):
        """Odd while it restarts."""
        return self.count[node.data.name]

    def run(self, node):
        self.count[node.data.name] += 1
        node.stop()
        if NEWER:
            node.binary = NEWER
        # Before it starts: from then on a rename is the new build's.
        self.done.add(node.data.name)
        node.start()
        linked(node, 40)
        self.count[node.data.name] += 1


def agree_but_for_the_member(nodes):
    """The old build keeps the member only in what they agreed on."""
    def same():
        found = [documents(node) for node in nodes]
        for one in found:
            for members in one.values():
                members.pop(MEMBER, None)
        return all(one == found[0] for one in found)
    eventually(same, 20)


def told(node, person):
    """What a machine's own copy of what they agreed on says of the member."""
    with sqlite3.connect(f"file:{node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as stored:
        text, = stored.execute("SELECT json FROM shared WHERE name = ?", (f"document/person/{person}",)).fetchone()
    return json.loads(text).get(MEMBER)


@pytest.fixture
def nodes(tmp_path, upstream):
    first = Server(tmp_path / "n0", upstream)
    token = first.command("token").stdout.strip()
    for number in range(2):
        reply = requests.post(f"{first.url}/api/v1/people", json={"name": f"Sleeper {number}"},
                              headers={"Authorization": f"Bearer {token}"}, timeout=20)
        assert reply.status_code == 201, reply.text
    first.stop()
    etcd = Etcd(tmp_path)
    nodes = Nodes(tmp_path, upstream, etcd, 3)
    yield nodes
    nodes.close()
    etcd.close()


def test_an_upgrade_machine_by_machine_refuses_no_change_and_keeps_what_the_new_build_wrote(nodes):
    Browser(nodes.all[0]).log_in().enroll()
    reply = nodes.api(nodes.all[0], "POST", "/session", json={"durationMinutes": 60, "strictness": "strict"})
    assert reply.status_code == 201, reply.text
    agree_but_for_the_member(nodes.all)
    for node in nodes.all:
        eventually(lambda node=node: node.addresses("tiktok.com") != [node.upstream.ADDRESS])
    upgrade = Upgrade(nodes)
    people = [person["id"] for person in nodes.api(nodes.all[0], "GET", "/people").json()]
    writers = [Writer(nodes, person, upgrade) for person in people]
    clients = [Client([nodes.all[number % 3], nodes.all[(number + 1) % 3]], upgrade.is_over) for number in range(4)]
    for thread in writers + clients:
        thread.start()
    for node in nodes.all:
        # As many changes come before each restart as after it.
        before = sum(writer.counts["taken"] for writer in writers)
        eventually(lambda: sum(writer.counts["taken"] for writer in writers) >= before + 20, 60)
        upgrade.run(node)
    before = sum(writer.counts["taken"] for writer in writers)
    eventually(lambda: sum(writer.counts["taken"] for writer in writers) >= before + 20, 60)
    upgrade.is_over.set()
    for thread in writers + clients:
        thread.join(60)
    assert not any(writer.faults for writer in writers), [writer.faults for writer in writers]
    assert not any(client.lost or client.wrong for client in clients), [(c.lost, c.wrong) for c in clients]
    print(*(dict(writer.counts) for writer in writers), "answers:", sum(client.answered for client in clients))
    agree_but_for_the_member(nodes.all)
    for writer in writers if NEWER else []:
        for node in nodes.all:
            assert told(node, writer.person) in writer.members(), (node.data.name, writer.person, writer.names[-9:])
            # The new build knows it, not only keeps it.
            assert documents(node)[("person", writer.person)].get(MEMBER) in writer.members()


def test_what_a_newer_build_wrote_on_one_machine_stays_on_several(tmp_path, upstream):
    first = Server(tmp_path / "n0", upstream)
    first.stop()
    edit_documents(first.data / "sleep-inducer.sqlite", "person", lambda person: person.update({MEMBER: [1, {"a": None}]}))
    etcd = Etcd(tmp_path, members=1)
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    try:
        for node in nodes.all:
            reply = nodes.api(node, "PATCH", "/people/1", json={"name": f"Ada {node.data.name}"})
            assert reply.ok, reply.text
            agree_but_for_the_member(nodes.all)
            for one in nodes.all:
                assert told(one, 1) == [1, {"a": None}], one.data.name
        # A new machine has it from etcd alone.
        assert told(nodes.join(), 1) == [1, {"a": None}]
    finally:
        nodes.close()
        etcd.close()
