"""A machine whose disk is full among others: what is refused holds nowhere, what is taken holds everywhere, and nothing that was
heard on a full disk undoes a later change."""

import subprocess

import pytest

from cluster import Etcd, Nodes, cut_off, linked
from failing import Disks, agree, log_lines
from household import Browser, eventually
from test_cluster_strange import is_blocked


@pytest.fixture
def etcd(tmp_path):
    etcd = Etcd(tmp_path, members=1)
    yield etcd
    etcd.close()


@pytest.fixture
def disks(tmp_path):
    try:
        disks = Disks(tmp_path, 2)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"needs the right to mount: {error}")
    yield disks
    disks.close()


@pytest.fixture
def nodes(tmp_path, upstream, etcd, disks):
    nodes = Nodes(tmp_path, upstream, etcd, 2)
    Browser(nodes.all[0]).log_in().enroll()
    agree(nodes.all)
    yield nodes
    nodes.close()


def fill(nodes, disks):
    """After an orderly start the second machine has no log to shorten, so it makes no room by itself."""
    second = nodes.all[1]
    second.stop()
    second.start()
    linked(second)
    disks.fill(1)


def name(nodes, node):
    return nodes.api(node, "GET", "/people").json()[0]["name"]


def has_room(nodes, disks):
    disks.empty(1)
    eventually(lambda: "lost if Sleep Inducer restarts" not in Browser(nodes.all[1]).log_in().get("/").text, 30)


def test_a_refused_change_holds_nowhere_and_a_taken_one_everywhere(nodes, disks):
    first, second = nodes.all
    fill(nodes, disks)
    wanted, refused = name(nodes, first), 0
    for number in range(12):
        reply = nodes.api(second, "PATCH", "/people/1", json={"name": f"Name {number}"})
        if reply.ok:
            wanted = f"Name {number}"
        else:
            refused += 1
            assert (reply.status_code, reply.json()["code"]) == (503, "storage-unavailable"), reply.text
        # A later change of the first one comes after whatever the second one asked the others.
        assert nodes.api(first, "PATCH", "/people/1", json={"defaultStrictness": ("strict", "flexible")[number % 2]}).ok
        for node in nodes.all:
            eventually(lambda node=node: name(nodes, node) == wanted, 5)
    assert refused > 0
    reply = nodes.api(second, "POST", "/session", json={"durationMinutes": 60, "strictness": "strict"})
    if not reply.ok:
        assert not any(is_blocked(node) for node in nodes.all)
        assert nodes.api(first, "POST", "/session", json={"durationMinutes": 60, "strictness": "strict"}).ok
    for node in nodes.all:
        eventually(lambda node=node: is_blocked(node), 5)
    # A way out is told to the others at once, though this disk takes nothing.
    assert nodes.api(second, "POST", "/reset", json={"confirm": True}).ok
    for node in nodes.all:
        eventually(lambda node=node: not is_blocked(node), 5)
    has_room(nodes, disks)
    agree(nodes.all)
    second.kill()
    second.start()
    linked(second)
    agree(nodes.all)
    assert sorted(log_lines(first)) == sorted(log_lines(second))


def test_what_was_heard_on_a_full_disk_undoes_no_later_change(nodes, disks, etcd):
    first, second = nodes.all
    assert nodes.api(first, "PATCH", "/people/1", json={"name": "Narrow"}).ok
    agree(nodes.all)
    fill(nodes, disks)
    assert nodes.api(first, "PATCH", "/people/1", json={"name": "Wide"}).ok
    eventually(lambda: name(nodes, second) == "Wide", 5)
    has_room(nodes, disks)
    agree(nodes.all)
    second.stop()
    assert nodes.api(first, "PATCH", "/people/1", json={"name": "Narrow"}).ok
    etcd.pause()
    second.start()
    eventually(lambda: cut_off(second), 15)
    # It has something to tell, so it merges when it is in touch.
    Browser(second).log_in()
    etcd.resume()
    for node in nodes.all:
        linked(node, 40)
    agree(nodes.all)
    assert name(nodes, first) == name(nodes, second) == "Narrow"
