"""Rounds in which machines, members of etcd, disks, clocks and strangers fail one household on three machines while people
change it. `history_checker.py` then judges every answer by etcd's revisions.

    cluster_histories.py FOLDER [--rounds 200] [--seed 1] [--portion 25] [--only disk_full]

It mounts disks and drops packets, so it wants root and namespaces of its own: `unshare -mn`, with the loopback interface up.
"""

import argparse
import base64
import collections
import json
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

from cluster import Etcd, Nodes, linked  # noqa: E402
from cluster_faults import Faults  # noqa: E402
from cluster_writers import Writer  # noqa: E402
from failing import Disks  # noqa: E402
from history_checker import check, keys_of  # noqa: E402
from household import Upstream, eventually  # noqa: E402
from test_clock_jumps import MachineTime  # noqa: E402

PEOPLE = 4


class Revisions(threading.Thread):
    """Every event of etcd, from its first revision on."""

    def __init__(self, etcd):
        super().__init__(daemon=True)
        self.etcd, self.all, self.latest, self.until = etcd, {}, 0, threading.Event()
        self.process = None

    def run(self):
        while not self.until.is_set():
            self.process = subprocess.Popen(
                ["etcdctl", "--endpoints", ",".join(self.etcd.endpoints), "watch", "--prefix", "sleep-inducer/",
                 "--rev", str(self.latest + 1), "-w", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                env={"ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"})
            for line in self.process.stdout:
                self.take(json.loads(line))
            self.process.wait()
            time.sleep(0.2)

    def take(self, told):
        for event in told.get("Events") or []:
            pair = event["kv"]
            events = self.all.setdefault(pair["mod_revision"], [])
            new = ("delete" if event.get("type") in (1, "DELETE") else "put",
                   base64.b64decode(pair["key"]).decode(), pair.get("value", ""))
            if new not in events:
                events.append(new)
            self.latest = max(self.latest, pair["mod_revision"])

    def finish(self):
        marker = self.etcd.control("put", "sleep-inducer/end", "x", "-w", "json").stdout
        newest = json.loads(marker)["header"]["revision"]
        eventually(lambda: self.latest >= newest, 30)
        self.until.set()
        self.process.kill()


def prepare(work, upstream, etcd):
    """Three machines, each of which reaches etcd by an address of its own, and can be given a clock."""
    nodes = Nodes(work, upstream, etcd, 3)
    clocks = []
    for number, node in enumerate(nodes.all):
        node.stop()
        path = node.data / "cluster.json"
        path.write_text(path.read_text().replace("127.0.0.1:", f"127.0.1.{number + 1}:"))
        place = work / f"clock-{number}"
        place.mkdir()
        clocks.append(MachineTime(place))
        clocks[-1].set(0, True)
        node.environment = clocks[-1].environment
        node.start()
    for node in nodes.all:
        linked(node, 40)
    return nodes, clocks


def exports(nodes):
    """What each machine exports, without what is its own: when devices were seen, and uploads that it received."""
    found = {}
    for node in nodes.all:
        export = node.command("export")
        assert export.returncode == 0, export.stderr
        told = json.loads(export.stdout)
        for device in told.get("devices", []):
            device.pop("lastSeen", None)
        for part in ("verified", "webhooks"):
            told.pop(part, None)
        told["log"] = sorted(told["log"], key=str)
        told["pastSessions"] = sorted(told["pastSessions"], key=str)
        found[node.data.name] = told
    return found


def portion(work, seed, count, only=""):
    """Some rounds with one household. Returns what is wrong, what was counted, and which faults there were."""
    work.mkdir(parents=True)
    chance = random.Random(seed)
    upstream, disks, nodes = Upstream(), Disks(work, 3), None
    etcd = Etcd(work, address="0.0.0.0")
    revisions = Revisions(etcd)
    revisions.start()
    try:
        nodes, clocks = prepare(work, upstream, etcd)
        people = [nodes.api(nodes.all[0], "POST", "/people", json={"name": f"Person {number}"}).json()["id"]
                  for number in range(PEOPLE)]
        history, until = [], threading.Event()
        writers = [Writer(seed, number, nodes, people, history, until) for number in range(PEOPLE)]
        for writer in writers:
            writer.start()
        faults, failed = Faults(chance, nodes, etcd, disks, clocks, revisions, only), collections.Counter()
        for _ in range(count):
            failed[faults.once()] += 1
            time.sleep(chance.uniform(0.3, 1.5))
        until.set()
        for writer in writers:
            writer.join(60)
        etcd.wait()
        for node in nodes.all:
            linked(node, 90)

        def same():
            found = list(exports(nodes).values())
            return all(one == found[0] for one in found)
        try:
            eventually(same, 60)
        except AssertionError:
            for node in nodes.all:
                shutil.copytree(node.data, work / f"{node.data.name}-kept", ignore=shutil.ignore_patterns("*.sock", "ballast"))
                told = nodes.api(node, "GET", "/people").json()
                (work / f"{node.data.name}-shown.json").write_text(json.dumps(told))
        revisions.finish()
        cluster = json.loads((nodes.all[0].data / "cluster.json").read_text())
        record = {
            "seed": seed, "failed": failed, "history": history, "finals": exports(nodes), "household": cluster["household"],
            "keys": {number: base64.b64encode(key).decode() for number, key in keys_of(cluster).items()},
            "revisions": revisions.all}
        (work / "record.json").write_text(json.dumps(record))
        wrong, counts = check(json.loads((work / "record.json").read_text()))
        return wrong, counts, failed
    finally:
        revisions.until.set()
        if revisions.process:
            revisions.process.kill()
        if nodes:
            nodes.close()
        etcd.close()
        upstream.close()
        disks.close()


def run(work, rounds, seed=1, size=25, only=""):
    """Rounds in portions with households of their own. Returns counts, faults, and what is wrong."""
    counts, failed, wrong = collections.Counter(), collections.Counter(), []
    for turn, begun in enumerate(range(0, rounds, size)):
        own = work / f"seed-{seed + turn}"
        found, counted, what = portion(own, seed + turn, min(size, rounds - begun), only)
        print(f"seed {seed + turn}: {dict(what)}; {dict(counted)}", flush=True)
        for sentence in found:
            print(f"  WRONG, seed {seed + turn}: {sentence}", flush=True)
        counts, failed = counts + counted, failed + what
        wrong += found
        # What was wrong stays to be looked at.
        if not found:
            shutil.rmtree(own, ignore_errors=True)
    return counts, failed, wrong


def main():
    words = argparse.ArgumentParser()
    words.add_argument("folder", type=Path)
    words.add_argument("--rounds", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--portion", type=int, default=25)
    words.add_argument("--only", default="", help="what the names of the wanted faults contain")
    chosen = words.parse_args()
    counts, failed, wrong = run(chosen.folder, chosen.rounds, chosen.seed, chosen.portion, chosen.only)
    print(json.dumps({"rounds": chosen.rounds, "faults": failed, "counts": counts, "wrong": len(wrong)}, indent=1))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
