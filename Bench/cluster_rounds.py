"""One household on three machines: how many changes it takes, and whether any is lost while machines and etcd fail."""

import contextlib
import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

import cluster_delay  # noqa: E402
from cluster import Etcd, Nodes  # noqa: E402
from failing import Disks, rounds  # noqa: E402
from household import Upstream  # noqa: E402


def changes_per_second(nodes, seconds=10):
    """Renames by one writer on each node at once: every change conflicts with the others."""
    waits, until = [], time.monotonic() + seconds

    def write(node, number):
        turn = 0
        while time.monotonic() < until:
            begun = time.monotonic()
            turn += 1
            reply = nodes.api(node, "PATCH", "/people/1", json={"name": f"Writer {number} {turn}"})
            assert reply.ok, reply.text
            waits.append(time.monotonic() - begun)
    threads = [threading.Thread(target=write, args=(node, number)) for number, node in enumerate(nodes.all)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waits.sort()
    return {
        "changes a second": round(len(waits) / seconds, 1), "median ms": round(1000 * statistics.median(waits)),
        "p99 ms": round(1000 * waits[int(0.99 * len(waits))])}


# A household takes 200 apps, so no portion has many more rounds.
PORTION = 40


@contextlib.contextmanager
def household(work):
    """Three machines and three members of etcd, on disks that can be full."""
    work.mkdir()
    upstream, etcd, disks = Upstream(), Etcd(work), Disks(work, 3)
    nodes = None
    try:
        nodes = Nodes(work, upstream, etcd, 3)
        yield nodes, etcd, disks
    finally:
        if nodes:
            nodes.close()
        etcd.close()
        upstream.close()
        disks.close()


def run(work, count):
    """`count` rounds, each in which one thing fails, in portions with seeds of their own."""
    with household(work / "steady") as (nodes, _, _):
        figures = {**changes_per_second(nodes), **cluster_delay.run(nodes)}
    kept = 0
    for seed, begun in enumerate(range(0, count, PORTION), 1):
        size = min(PORTION, count - begun)
        with household(work / f"seed-{seed}") as (nodes, etcd, disks):
            kept += len(rounds(nodes, etcd, work, size, seed, writers=3, pause=max(0.8, size / 15), disks=disks))
    return {"sleep-inducer": {**figures, "acknowledged while machines failed": kept, "lost": 0}}
