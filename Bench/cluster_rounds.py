"""One household on three machines: how many changes it takes, and whether any is lost while machines and etcd fail."""

import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

import cluster_delay  # noqa: E402
import cluster_histories  # noqa: E402
from cluster import Etcd, Nodes  # noqa: E402
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


def run(work, count):
    """How many changes three machines take, and what became of those that were made while one thing after another failed."""
    work.mkdir()
    upstream, etcd, nodes = Upstream(), Etcd(work), None
    try:
        nodes = Nodes(work, upstream, etcd, 3)
        figures = {**changes_per_second(nodes), **cluster_delay.run(nodes)}
    finally:
        if nodes:
            nodes.close()
        etcd.close()
        upstream.close()
    counts, _, wrong = cluster_histories.run(work, count)
    kept = sum(number for kind, number in counts.items() if kind.endswith(", ok"))
    return {"sleep-inducer": {**figures, "acknowledged while machines failed": kept, "lost": len(wrong)}}
