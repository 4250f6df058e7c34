"""A household on several machines, with real etcd: three members and some nodes on loopback, each of which can be killed,
paused or left alone."""

import signal
import socket
import subprocess
import time
from pathlib import Path

import requests

from household import BINARY, Browser, Server, free_port


CUTS = "sleep_inducer_cluster_test"


def nft(script, check=True):
    subprocess.run(["nft", "-f", "-"], input=script, text=True, check=check, capture_output=True)


class Etcd:
    """Members of one etcd, each with its own data."""

    def __init__(self, folder: Path, members=3, flags=(), scheme="http", entry=(), address="127.0.0.1"):
        """`flags`: more of etcd's own; `entry`: more of etcdctl's, to be let in; `address`: where members listen."""
        self.folder, self.flags, self.scheme, self.entry = folder, list(flags), scheme, list(entry)
        self.address = address
        self.clients = [free_port() for _ in range(members)]
        self.peers = [free_port() for _ in range(members)]
        self.processes = [None] * members
        for number in range(members):
            self.start(number)
        self.wait()

    @property
    def endpoints(self) -> list[str]:
        return [f"{self.scheme}://127.0.0.1:{port}" for port in self.clients]

    def start(self, number):
        cluster = ",".join(f"m{i}=http://127.0.0.1:{port}" for i, port in enumerate(self.peers))
        log = open(self.folder / f"etcd-{number}.log", "ab")
        self.processes[number] = subprocess.Popen(
            ["etcd", "--name", f"m{number}", "--data-dir", self.folder / f"etcd-{number}",
             "--listen-client-urls", f"{self.scheme}://{self.address}:{self.clients[number]}",
             "--advertise-client-urls", self.endpoints[number],
             "--listen-peer-urls", f"http://127.0.0.1:{self.peers[number]}",
             "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.peers[number]}",
             "--initial-cluster", cluster, *self.flags], stdout=log, stderr=log)

    def wait(self, seconds=40):
        """Until it takes writes."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.control("put", "waiting", "x", check=False).returncode == 0:
                return
            time.sleep(0.2)
        raise RuntimeError("etcd did not begin")

    def control(self, *words, check=True, value=None):
        return subprocess.run(
            ["etcdctl", "--endpoints", ",".join(self.endpoints), *self.entry, *words], capture_output=True, text=True, timeout=60,
            errors="replace", check=check, input=value, env={"ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"})

    def kill(self, number):
        self.processes[number].kill()
        self.processes[number].wait()

    def send(self, sign, *numbers):
        for number in numbers or range(len(self.processes)):
            self.processes[number].send_signal(sign)

    def pause(self, *numbers):
        self.send(signal.SIGSTOP, *numbers)

    def resume(self, *numbers):
        self.send(signal.SIGCONT, *numbers)

    def cut(self, number):
        """Nothing reaches a member any more, and nobody is told so; what it asks of the others still goes through."""
        ports = f"{{ {self.clients[number]}, {self.peers[number]} }}"
        rules = "".join(
            f"add rule inet {CUTS} input tcp {port} {ports} drop\n" for port in ("dport", "sport"))
        nft(f"add table inet {CUTS}\n"
            f"add chain inet {CUTS} input {{ type filter hook input priority 0; }}\n{rules}")

    def mend(self):
        nft(f"delete table inet {CUTS}\n", check=False)

    def close(self):
        self.mend()
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()


class Nodes:
    """One household: the first node has it from the start, the others joined."""

    def __init__(self, folder: Path, upstream, etcd: Etcd, count: int, *flags, entry=(), fill=None):
        """`flags`: more of serve's; `entry`: more of cluster start's, to be let into etcd; `fill`: writes into the first
        one's database before that."""
        # A new machine asks the one that invited it, at the address that this one tells.
        flags = ("--address", "127.0.0.1", *flags)
        self.folder, self.upstream, self.etcd, self.flags = folder, upstream, etcd, flags
        first = Server(folder / "n0", upstream, *flags)
        self.token = first.command("token").stdout.strip()
        first.stop()
        if fill:
            fill(first.data / "sleep-inducer.sqlite")
        begun = first.command("cluster", "start", "--etcd", ",".join(etcd.endpoints), "--name", "n0", *entry)
        assert begun.returncode == 0, begun.stderr
        first.start()
        self.all = [first]
        linked(first)
        for _ in range(count - 1):
            self.join()

    def invite(self) -> str:
        made = self.all[0].command("cluster", "invite")
        assert made.returncode == 0, made.stderr
        return made.stdout.splitlines()[-1]

    def join(self) -> Server:
        name = f"n{len(self.all)}"
        data = self.folder / name
        joined = subprocess.run(
            [BINARY, "cluster", "join", self.invite(), "--name", name, "--data", data], capture_output=True,
            text=True, timeout=60)
        assert joined.returncode == 0, joined.stderr
        node = Server(data, self.upstream, *self.flags)
        self.all.append(node)
        linked(node)
        return node

    def api(self, node: Server, method: str, path: str, timeout=20, **options):
        return requests.request(
            method, f"{node.url}/api/v1{path}", headers={"Authorization": f"Bearer {self.token}"}, timeout=timeout,
            **options)

    def close(self):
        for node in self.all:
            if node.process.poll() is None:
                node.process.send_signal(signal.SIGCONT)
            node.stop()


def linked(node: Server, seconds=20):
    """Until a node hears the others: what it printed since it was last told so is not looked at."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not cut_off(node):
            return
        time.sleep(0.05)
    raise AssertionError(f"{node.data.name} is not in touch:\n{node.log.read_text()[-3000:]}")


def cut_off(node: Server) -> bool:
    """Whether its pages say that it cannot ask the others."""
    return requests.get(f"{node.url}/healthz", timeout=5).json().get("cutOff", False)
