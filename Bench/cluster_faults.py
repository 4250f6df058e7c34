"""What fails in a household on several machines: machines, members of etcd, the network, disks, clocks, and strangers who
write into etcd."""

import base64
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Whole"))

from cluster import CUTS, nft  # noqa: E402


class Faults:
    """What fails. Each puts everything right again before it ends."""

    def __init__(self, chance, nodes, etcd, disks, clocks, revisions, only=""):
        """`only`: what the names of faults contain that are wanted."""
        self.chance, self.nodes, self.etcd, self.disks = chance, nodes, etcd, disks
        self.clocks, self.revisions = clocks, revisions
        self.kinds = [name for name in dir(self) if name.startswith(("a_", "all_")) and only in name]

    def once(self):
        kind = self.chance.choice(self.kinds)
        getattr(self, kind)()
        return kind

    def rest(self, most):
        time.sleep(self.chance.uniform(0.3, most))

    @property
    def number(self):
        return self.chance.randrange(len(self.nodes.all))

    def a_machine_killed(self):
        node = self.nodes.all[self.number]
        node.kill()
        self.rest(2)
        node.start()

    def a_machine_stopped(self):
        node = self.nodes.all[self.number]
        node.stop()
        self.rest(2)
        node.start()

    def a_machine_paused(self):
        node = self.nodes.all[self.number]
        node.process.send_signal(signal.SIGSTOP)
        self.rest(4)
        node.process.send_signal(signal.SIGCONT)

    def a_machine_paused_past_its_lease(self):
        node = self.nodes.all[self.number]
        node.process.send_signal(signal.SIGSTOP)
        time.sleep(self.chance.uniform(11, 13))
        node.process.send_signal(signal.SIGCONT)

    def a_machine_cut_off_from_etcd(self):
        self.drop(f"ip daddr 127.0.1.{self.number + 1} tcp dport {{ {', '.join(map(str, self.etcd.clients))} }} drop")

    def a_machines_connections_reset(self):
        self.drop(f"ip daddr 127.0.1.{self.number + 1} tcp dport {{ {', '.join(map(str, self.etcd.clients))} }} "
                  "reject with tcp reset")

    def a_member_cut_off(self):
        ports = f"{{ {self.etcd.clients[self.number]}, {self.etcd.peers[self.number]} }}"
        self.drop(f"tcp dport {ports} drop")

    def drop(self, *rules):
        nft(f"add table inet {CUTS}\nadd chain inet {CUTS} input {{ type filter hook input priority 0; }}\n"
            + "".join(f"add rule inet {CUTS} input {rule}\n" for rule in rules))
        self.rest(5)
        self.etcd.mend()

    def a_member_killed(self):
        number = self.number
        self.etcd.kill(number)
        self.rest(2)
        self.etcd.start(number)

    def a_member_paused(self):
        number = self.number
        self.etcd.pause(number)
        self.rest(5)
        self.etcd.resume(number)

    def all_of_etcd_killed(self):
        for number in range(3):
            self.etcd.kill(number)
        self.rest(3)
        for number in range(3):
            self.etcd.start(number)
        self.etcd.wait()

    def all_lose_power(self):
        for node in self.nodes.all:
            node.kill()
        for number in range(3):
            self.etcd.kill(number)
        self.rest(1)
        for number in range(3):
            self.etcd.start(number)
        for node in self.nodes.all:
            node.start()
        self.etcd.wait()

    def a_disk_full(self):
        number = self.number
        self.disks.fill(number)
        self.rest(4)
        self.disks.empty(number)

    def a_disk_full_at_a_restart(self):
        number = self.number
        self.disks.fill(number)
        self.nodes.all[number].kill()
        try:
            self.nodes.all[number].start()
            self.rest(2)
        finally:
            self.disks.empty(number)

    def a_clock_set(self):
        clock = self.chance.choice(self.clocks)
        clock.set(self.chance.choice([-1_800, -20, 20, 1_800]), self.chance.choice([True, False]))
        self.rest(5)
        clock.set(0, True)

    def a_history_compacted(self):
        self.etcd.control("compaction", str(self.revisions.latest), check=False)
        self.etcd.control("defrag", check=False)

    def records(self, part):
        keys = self.etcd.control("get", "--prefix", "sleep-inducer/", "--keys-only", check=False).stdout.split()
        return [key for key in keys if part in key]

    def a_stranger_deletes_a_record(self):
        for key in self.chance.sample(self.records("/now/document/"), 1):
            self.etcd.control("del", key, check=False)

    def a_stranger_swaps_records(self):
        known = sorted(self.revisions.all.items())
        old = [one for _, events in known[:len(known) // 2] for one in events if "/now/document/" in one[1] and one[0] == "put"]
        if old:
            _, key, value = self.chance.choice(old)
            self.put(key, value)

    def a_stranger_puts_the_head_back(self):
        heads = [(key, value) for _, events in sorted(self.revisions.all.items()) for kind, key, value in events
                 if key.endswith("/now/head") and kind == "put"]
        if len(heads) > 3:
            key, old = heads[-3]
            self.put(key, old)
            self.rest(3)
            newest = [value for _, events in sorted(self.revisions.all.items()) for kind, where, value in events
                      if where == key and kind == "put" and value != old]
            self.put(key, newest[-1])

    def a_stranger_ends_leases(self):
        for key in self.records("/now/alive/"):
            self.etcd.control("del", key, check=False)

    def put(self, key, value):
        body = {"key": base64.b64encode(key.encode()).decode(), "value": value}
        for end in self.etcd.endpoints:
            done = subprocess.run(["curl", "-sfm", "5", "-d", json.dumps(body), f"{end}/v3/kv/put"], capture_output=True)
            if done.returncode == 0:
                return
