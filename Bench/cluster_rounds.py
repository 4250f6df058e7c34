"""One household on three machines: how many changes it takes, and whether any is lost while machines and etcd fail."""

import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

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
            assert nodes.api(node, "PATCH", "/people/1", json={"name": f"Writer {number} {turn}"}).ok
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
    """`count` rounds, each in which one thing fails, on disks that can be full."""
    work = Path(work) / "cluster"
    work.mkdir()
    upstream, etcd, disks = Upstream(), Etcd(work), Disks(work, 3)
    nodes = Nodes(work, upstream, etcd, 3)
    try:
        figures = changes_per_second(nodes)
        # A round takes 3 s or so, and the household takes 200 apps.
        kept = rounds(nodes, etcd, work, count, 1, writers=3, pause=max(0.8, count / 15), disks=disks)
        return {"sleep-inducer": {**figures, "acknowledged while machines failed": len(kept), "lost": 0}}
    finally:
        nodes.close()
        etcd.close()
        upstream.close()
        disks.close()
