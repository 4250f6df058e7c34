"""A container with the server in a home, and a phone, each with an address of its own; with podman or Docker."""

import contextlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from household import PASSCODE, ROOT, eventually
from lan import at, begin, cable, ip, machine, machines

BOX, PHONE = map(machine, ("c-box", "c-phone"))
ADDRESS, INTERNET = "10.81.0.2", "10.81.0.1"
# The phone's machine is eight devices, so that a load does not come from one.
PHONES = [f"10.81.0.{number}" for number in range(50, 58)]
UPSTREAM = f"from household import Upstream; Upstream(5399, '{INTERNET}'); input()"


def built(binary: Path, folder: Path) -> Path:
    """An archive of a binary, without symbols; the toolchain's libraries, which a debug build needs, lie beside it."""
    stage = folder / "stage"
    stage.mkdir()
    subprocess.run(["strip", "-o", stage / "sleep-inducer", binary], check=True)
    needed = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"(\S+) => (/\S+)", needed):
        if not re.match(r"lib(c|m|gcc_s|stdc\+\+)\.so", name):
            shutil.copy(path, stage / name)
    return packed(stage / "sleep-inducer", folder / "image")


def packed(binary: Path, output: Path, **environment) -> Path:
    done = subprocess.run(
        [ROOT / "Packaging/build-image", binary, output], capture_output=True, text=True,
        env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    [archive] = output.glob("*.oci.tar")
    return archive


class Engine:
    """Docker, with the daemon of this machine."""

    words = ["docker"]
    options: list[str] = []

    def __call__(self, *words, **options):
        return subprocess.run(
            [*self.words, *map(str, words)], capture_output=True, text=True, timeout=120, **options)

    def must(self, *words) -> str:
        done = self(*words)
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()

    def close(self):
        pass


class Podman(Engine):
    """Podman with images and containers of its own. Make it after the machines, whose networks it must see."""

    def __init__(self, folder: Path):
        # crun refuses a machine with cgroups of both versions, so it gets a view of the file system without.
        self.view = subprocess.Popen(
            ["unshare", "-m", "sh", "-c", "mount -t cgroup2 none /sys/fs/cgroup; echo; exec sleep 3600"],
            stdout=subprocess.PIPE)
        self.view.stdout.readline()
        self.words = ["nsenter", "-m", "-t", str(self.view.pid), "podman", "--root", str(folder / "root"), "--runroot",
                      str(folder / "run"), "--cgroup-manager", "cgroupfs"]
        files = min(20_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        self.options = ["--cgroups=disabled", "--ulimit", f"nofile={files}:{files}", "--ulimit", "nproc=4096:4096"]

    def close(self):
        self("rm", "-fa", "-t", "2")
        self("rmi", "-fa")
        self.view.kill()
        self.view.wait()


class Home:
    """The containers of a home, one after the other, seen from the phone."""

    def __init__(self, engine: Engine, network: list[str], data, image="sleep-inducer:0.1.0", address=ADDRESS):
        """`network` are the engine's options for the network, `data` a folder or the name of a volume."""
        self.engine, self.network, self.data, self.image, self.address = engine, network, data, image, address
        self.name = ""

    def words(self, name, *options, volume=""):
        return [
            "--name", name, *self.engine.options, *self.network, "--read-only", "-v", f"{self.data}:/data{volume}",
            "-e", f"SLEEP_INDUCER_UPSTREAM={INTERNET}:5399", "-e", f"SLEEP_INDUCER_PASSCODE={PASSCODE}",
            "-e", "SLEEP_INDUCER_TIME_ZONE=Europe/Berlin", *options, self.image]

    def start(self, name, *options, volume="", flags=()):
        """Returns as soon as a container answers."""
        self.engine.must("run", "-d", *self.words(name, *options, volume=volume), *flags)
        self.await_answer(name)

    def await_answer(self, name):
        self.name = name
        eventually(lambda: self.get("/healthz") or self.has_ended(), 60)
        assert not self.has_ended(), self.log()

    def fails(self, name, *options, volume="", flags=()) -> str:
        """What a container says that cannot start."""
        done = self.engine("run", *self.words(name, *options, volume=volume), *flags)
        assert done.returncode != 0, done.stdout
        return done.stdout + done.stderr

    def has_ended(self) -> bool:
        return self.engine.must("inspect", "-f", "{{.State.Running}}", self.name) == "false"

    def log(self) -> str:
        done = self.engine("logs", self.name)
        return done.stdout + done.stderr

    def inside(self, *words):
        return self.engine("exec", self.name, "/usr/bin/sleep-inducer", *words)

    def get(self, path, host=None, port=80):
        host = host or self.address
        return at(PHONE, "curl", "-s", "-m", "5", "--resolve", f"{host}:{port}:{self.address}",
                  f"http://{host}:{port}{path}").stdout

    def ask(self, name):
        return at(PHONE, "dig", "+short", "+timeout=2", "+tries=1", f"@{self.address}", name).stdout.split()

    def api(self, token, method, path, **body):
        done = at(PHONE, "curl", "-s", "-m", "20", "-X", method, "-H", f"Authorization: Bearer {token}",
                  "-H", "Content-Type: application/json", *(["-d", json.dumps(body)] if body else []),
                  f"http://{self.address}/api/v1{path}")
        return json.loads(done.stdout or "null")

    def put_to_sleep(self, phone=PHONES[0]):
        """The phone becomes the first person's, whose strict session begins."""
        token = self.inside("token").stdout.strip()
        self.ask("example.org")
        device = eventually(lambda: next(
            (one for one in self.api(token, "GET", "/devices") if phone in one["addresses"]), None))
        person = self.api(token, "GET", "/people")[0]["id"]
        self.api(token, "PATCH", f"/devices/{device['id']}", person=person)
        self.api(token, "POST", "/session", durationMinutes=60, strictness="strict")
        eventually(lambda: self.ask("tiktok.com") == [self.address])


@contextlib.contextmanager
def network(box=BOX):
    """The box (this machine, if None) and the phone on one cable; the phone's machine is the internet too."""
    with machines(*filter(None, [box]), PHONE):
        if box:
            cable(box, "lan0", PHONE, "wlan0", address=[f"{one}/24" for one in [*PHONES, INTERNET]])
            ip("-n", box, "addr", "add", f"{ADDRESS}/24", "dev", "lan0")
        else:
            ip("link", "add", "si-lan", "type", "veth", "peer", "name", "wlan0", "netns", PHONE)
            ip("addr", "add", f"{ADDRESS}/24", "dev", "si-lan")
            ip("link", "set", "si-lan", "up")
            for one in [*PHONES, INTERNET]:
                ip("-n", PHONE, "addr", "add", f"{one}/24", "dev", "wlan0")
            ip("-n", PHONE, "link", "set", "wlan0", "up")
        internet = begin(PHONE, sys.executable, "-c", UPSTREAM, cwd=ROOT / "Tests/Whole", stdin=subprocess.PIPE)
        try:
            yield
        finally:
            internet.kill()
            internet.wait()


def load(seconds, rate=200, server=ADDRESS):
    """Questions from the phone's eight addresses while it sleeps; `communicate` gives the figures as JSON."""
    return begin(PHONE, sys.executable, ROOT / "Tests/Whole/load.py", str(seconds), str(rate), server, *PHONES,
                 stdout=subprocess.PIPE, text=True)
