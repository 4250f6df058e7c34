"""What one household on two machines costs their disks in some minutes: three members of etcd and two machines, each on a
disk of its own, at rest, with a phone that asks every three seconds, or with one that has a limit.

    cluster_rest.py FOLDER [--case rest|asks|limit] [--minutes 10]

It mounts disks, so it wants root and namespaces of its own: `unshare -mn`, with the loopback interface up.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

from cluster import Etcd, Nodes  # noqa: E402
from household import Browser, Upstream  # noqa: E402
from measure import cpu_seconds, memory_kib  # noqa: E402

SECTOR = 512
# Two foreground names of one app, as a phone that shows it asks for them.
NAMES = ["www.tiktok.com", "webcast.tiktok.com"]


class Disk:
    """A file system of its own, which counts what is written to it."""

    def __init__(self, path: Path):
        path.mkdir(parents=True)
        self.path, image = path, path.with_suffix(".image")
        with open(image, "wb") as file:
            file.truncate(512 << 20)
        subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image], check=True)
        self.loop = subprocess.run(
            ["losetup", "--find", "--show", image], check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(["mount", self.loop, path], check=True)

    @property
    def written(self) -> int:
        return int(Path(f"/sys/block/{Path(self.loop).name}/stat").read_text().split()[6]) * SECTOR

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=False)
        subprocess.run(["losetup", "--detach", self.loop], check=False)


def cost(process):
    """Seconds of the processor, bytes written and MiB of memory of a process."""
    told = dict(line.split(": ") for line in Path(f"/proc/{process.pid}/io").read_text().splitlines())
    return {
        "seconds": cpu_seconds(process.pid), "written": int(told["write_bytes"]),
        "MiB of memory": round(memory_kib(process.pid, "VmRSS") / 1024, 1)}


def measure(etcd, nodes, disks, minutes, each_three_seconds):
    processes = {f"etcd {i}": one for i, one in enumerate(etcd.processes)}
    processes |= {node.data.name: node.process for node in nodes.all}
    before = {name: cost(process) for name, process in processes.items()}
    written = {disk.path.name: disk.written for disk in disks}
    until, turn = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until:
        each_three_seconds(turn)
        turn += 1
        time.sleep(3)
    after = {name: cost(process) for name, process in processes.items()}
    figures = {
        name: {
            "processor %": round((one["seconds"] - before[name]["seconds"]) / minutes / 0.6, 2),
            "MiB written": round((one["written"] - before[name]["written"]) / (1 << 20), 2),
            "MiB of memory": one["MiB of memory"]}
        for name, one in after.items()}
    return {
        **figures,
        "MiB on each disk": {
            disk.path.name: round((disk.written - written[disk.path.name]) / (1 << 20), 2) for disk in disks}}


def main():
    words = argparse.ArgumentParser()
    words.add_argument("folder", type=Path)
    words.add_argument("--case", choices=["rest", "asks", "limit"], default="limit")
    words.add_argument("--minutes", type=float, default=10)
    chosen = words.parse_args()
    work = chosen.folder / chosen.case
    disks = [Disk(work / name) for name in ("etcd-0", "etcd-1", "etcd-2", "n0", "n1")]
    upstream, nodes, etcd = Upstream(), None, None
    try:
        etcd = Etcd(work)
        nodes = Nodes(work, upstream, etcd, 2)
        phone = Browser(nodes.all[0]).log_in().enroll()
        if chosen.case == "limit":
            reply = phone.post("/limits", {"app": "tiktok", "minutes": "300"}, page="/limits")
            assert reply.status_code == 303, reply.text
        asks = chosen.case != "rest"
        # What a start writes is not what an evening writes.
        time.sleep(70)
        print(json.dumps({chosen.case: measure(
            etcd, nodes, disks, chosen.minutes,
            lambda turn: asks and nodes.all[0].ask(NAMES[turn // 7 % 2]))}, indent=1), flush=True)
    finally:
        if nodes:
            nodes.close()
        if etcd:
            etcd.close()
        upstream.close()
        for disk in disks:
            disk.close()


if __name__ == "__main__":
    main()
