"""How soon a change on one of three machines is in the answers of the others, while four clients ask."""

import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

from failing import agree  # noqa: E402
from household import Browser  # noqa: E402
from test_cluster_stops import Client  # noqa: E402

NAME = "tiktok.com"


def is_open(node):
    return node.addresses(NAME) == [node.upstream.ADDRESS]


class Watcher(threading.Thread):
    """Asks a machine until its answer is as wanted, and notes when that was."""

    def __init__(self, node, wanted):
        super().__init__(daemon=True)
        self.node, self.wanted, self.instant = node, wanted, None

    def run(self):
        until = time.monotonic() + 10
        while time.monotonic() < until:
            if is_open(self.node) == self.wanted:
                self.instant = time.monotonic()
                return


def run(nodes, turns=100):
    """Begins and resets a session on one machine after the other. From the acknowledgement to the others' answers, in ms."""
    Browser(nodes.all[0]).log_in().enroll()
    agree(nodes.all)
    until = threading.Event()
    # Such a client takes it for a fault that a name is open, which it is half of the time here: only that it asks counts.
    clients = [Client([nodes.all[number % 3], nodes.all[(number + 1) % 3]], until) for number in range(4)]
    for client in clients:
        client.start()
    delays = []
    for turn in range(turns):
        node, begins = nodes.all[turn % 3], turn % 2 == 0
        watchers = [Watcher(other, not begins) for other in nodes.all if other is not node]
        for watcher in watchers:
            watcher.start()
        if begins:
            reply = nodes.api(node, "POST", "/session", json={"durationMinutes": 60, "strictness": "flexible"})
        else:
            reply = nodes.api(node, "POST", "/reset", json={"confirm": True})
        acknowledged = time.monotonic()
        assert reply.ok, reply.text
        for watcher in watchers:
            watcher.join()
            assert watcher.instant, f"{watcher.node.data.name} did not hear of it within 10 s"
            delays.append(max(0, watcher.instant - acknowledged))
    until.set()
    for client in clients:
        client.join(20)
    assert not any(client.lost for client in clients)
    delays.sort()
    return {
        "others' answers, median ms": round(1000 * delays[len(delays) // 2]),
        "others' answers, p99 ms": round(1000 * delays[int(0.99 * len(delays))])}
