"""A machine that is stopped loses no client a question, a machine that is upgraded loses no change, and a new one is there soon."""

import sqlite3
import threading
import time

import dns.exception
import pytest

from cluster import Etcd, Nodes, cut_off, linked
from failing import agree, log_lines
from household import Browser, Server, eventually


class Client(threading.Thread):
    """Asks two servers as a stub resolver does (resolv.conf(5)): the next one after a second, twice in all."""

    def __init__(self, servers, until):
        super().__init__(daemon=True)
        self.servers, self.until, self.answered, self.lost, self.wrong = servers, until, 0, [], []

    def run(self):
        turn = 0
        while not self.until.is_set():
            turn += 1
            self.ask("tiktok.com", turn)
            time.sleep(0.02)

    def ask(self, name, turn):
        for attempt in range(4):
            server = self.servers[(turn + attempt) % 2]
            try:
                found = [str(one) for rows in server.ask(name, timeout=1).answer for one in rows]
            except (OSError, dns.exception.DNSException):
                continue
            self.answered += 1
            if server.upstream.ADDRESS in found or not found:
                self.wrong.append((server.data.name, name, found))
            return
        self.lost.append((turn, name))


@pytest.fixture
def nodes(tmp_path, upstream):
    etcd = Etcd(tmp_path, members=3)
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    yield nodes
    nodes.close()
    etcd.close()


def test_machines_restart_in_turn_while_four_clients_ask_and_somebody_changes_rules(nodes):
    Browser(nodes.all[0]).log_in().enroll()
    reply = nodes.api(nodes.all[0], "POST", "/session", json={"durationMinutes": 60, "strictness": "strict"})
    assert reply.status_code == 201, reply.text
    agree(nodes.all)
    for node in nodes.all:
        eventually(lambda node=node: node.addresses("tiktok.com") != [node.upstream.ADDRESS])
    until = threading.Event()
    clients = [Client([nodes.all[number % 2], nodes.all[(number + 1) % 2]], until) for number in range(4)]
    for client in clients:
        client.start()
    names = []
    for turn in range(6):
        node, other = nodes.all[turn % 2], nodes.all[(turn + 1) % 2]
        if turn < 4:
            node.stop()
        else:
            node.kill()
        names.append(f"Ada {turn}")
        reply = nodes.api(other, "PATCH", "/people/1", json={"name": names[-1]})
        assert reply.ok, reply.text
        node.start()
        linked(node, 40)
        eventually(lambda node=node: nodes.api(node, "GET", "/people").json()[0]["name"] == names[-1], 20)
        # A fast machine is back before a client has asked much.
        enough = [client.answered + 4 for client in clients]
        eventually(lambda: all(client.answered >= count for client, count in zip(clients, enough)), 30)
    until.set()
    for client in clients:
        client.join(20)
    assert not any(client.lost or client.wrong for client in clients), [(c.lost, c.wrong) for c in clients]
    print("answered:", sum(client.answered for client in clients))
    assert all(client.answered > 20 for client in clients)
    agree(nodes.all)


@pytest.mark.alone
def test_a_new_machine_is_there_within_5_s_with_a_year_of_history(tmp_path, upstream):
    first = Server(tmp_path / "n0", upstream)
    first.stop()
    now = int(time.time() * 1000)
    with sqlite3.connect(first.data / "sleep-inducer.sqlite") as stored:
        stored.executemany(
            "INSERT INTO event (kind, person, instant, detail) VALUES ('ruleChanged', 1, ?, ?)",
            [(now - (5000 - number) * 60_000, f"Nightly schedule {number}") for number in range(5000)])
    etcd = Etcd(tmp_path, members=1)
    nodes = Nodes(tmp_path, upstream, etcd, 1)
    try:
        begun = time.monotonic()
        node = nodes.join()
        seconds = time.monotonic() - begun
        print(f"joined and in touch after {seconds:.1f} s")
        assert len(log_lines(node)) == len(log_lines(nodes.all[0])) >= 5000
        assert seconds < 5
    finally:
        nodes.close()
        etcd.close()


def minutes(node):
    """What is on a machine's disk: of an app in an hour, and of a day's figures of all apps."""
    with sqlite3.connect(f"file:{node.data}/sleep-inducer.sqlite?mode=ro", uri=True) as stored:
        hours = stored.execute(
            "SELECT person, hour, id, device, source, minutes FROM usage_hour JOIN usage_app ON number = app")
        days = stored.execute("SELECT person, date, minutes FROM usage_day WHERE app = 0")
        return {*hours, *days}


def count(node, *hours):
    """A machine that the others do not hear counts minutes: how many hours ago, their source, their bits."""
    now = int(time.time()) // 3600
    with sqlite3.connect(node.data / "sleep-inducer.sqlite") as stored:
        stored.execute("INSERT INTO usage_app (id) VALUES ('tiktok') ON CONFLICT DO NOTHING")
        stored.executemany(
            "INSERT INTO usage_hour SELECT 1, ?, number, 1, ?, ? FROM usage_app WHERE id = 'tiktok'",
            [(now - ago, source, bits) for ago, source, bits in hours])


def test_minutes_that_were_counted_alone_are_on_all_machines_and_a_new_one_has_the_past(nodes):
    first, second = nodes.all
    first.stop()
    count(first, (30, 0, 0b0111), (24 * 60, 0, 0b1))
    second.stop()
    count(second, (30, 0, 0b1110), (5, 2, 0b11))
    first.start()
    linked(first)
    second.start()
    linked(second)
    begun = time.monotonic()

    def have(node, all_of_them=7):
        return sum(bits.bit_count() for *key, bits in minutes(node) if len(key) == 5) == all_of_them

    eventually(lambda: have(first) and have(second), 30)
    print(f"the same after {time.monotonic() - begun:.1f} s")
    third, begun = nodes.join(), time.monotonic()
    eventually(lambda: have(third), 30)
    print(f"the past after {time.monotonic() - begun:.1f} s")
    # Figures of days that came from elsewhere are those of the minutes.
    assert {row for row in minutes(third) if len(row) == 6} == {row for row in minutes(first) if len(row) == 6}
    assert sum(row[2] for row in minutes(third) if len(row) == 3) == 7
    # A machine that runs on while etcd is silent tells what it counted when etcd is back.
    nodes.etcd.pause()
    eventually(lambda: cut_off(second), 20)
    count(second, (50, 0, 0b1))
    nodes.etcd.resume()
    eventually(lambda: all(have(node, 8) for node in nodes.all), 30)
