"""A Debian 12 that runs in a container with its own systemd, on a small disk."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import machine

TESTS = Path(__file__).resolve().parents[2] / "Tests/Whole"


def make_debian(folder: Path):
    """Needs Debian's mirror."""
    subprocess.run(["debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv,dbus,iproute2", "bookworm", folder],
                   check=True, stdout=subprocess.DEVNULL)


class Machine(machine.Machine):
    """BIND=DIR shows a folder of this machine inside. LOAD=no leaves the load out, which only a machine that does nothing
    else bears."""

    internet = None
    bears_load = os.environ.get("LOAD") != "no"

    def __init__(self, work: Path, packages: list[Path], base: Path):
        self.root, disk = work / "try", work / "try.disk"
        self.root.mkdir(exist_ok=True)
        disk.unlink(missing_ok=True)
        os.truncate(os.open(disk, os.O_CREAT | os.O_RDWR), 2 << 30)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", "-d", base, disk], check=True)
        subprocess.run(["mount", "-o", "loop", disk, self.root], check=True)
        for package in packages:
            shutil.copy(package, self.root / "root")

    def begin(self):
        binds = [f"--bind-ro={folder}" for folder in os.environ.get("BIND", "").split(":") if folder]
        self.container = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", self.root, "--boot", "--private-network", "--register=no", "--keep-unit",
             "--machine=try-deb", *binds], stdout=open(self.root.parent / "boot.log", "ab"), stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL)
        children = Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children")
        self.init = self.wait(lambda: children.read_text().strip())
        self.network = ["nsenter", "-t", self.init, "-n"]
        self.wait(lambda: self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"))
        self.run("ip", "link", "set", "lo", "up")
        self.internet = self.upstream()

    def run(self, *words):
        inside = ["nsenter", "-t", self.init, "-m", "-u", "-i", "-n", "-p", "-r", "-w"]
        return subprocess.run([*inside, *map(str, words)], capture_output=True, text=True)

    def load(self, seconds, rate=2000):
        """A load from this machine's Python inside the container's network."""
        return subprocess.Popen(
            [*self.network, sys.executable, TESTS / "load.py", str(seconds), str(rate)], stdout=subprocess.PIPE, text=True)

    def reboot(self):
        self.halt()
        self.begin()

    def halt(self):
        if self.internet:
            self.internet.kill()
        self.container.send_signal(signal.SIGTERM)
        self.container.wait(60)

    def off(self):
        self.halt()
        subprocess.run(["umount", self.root], check=True)
