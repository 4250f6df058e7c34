"""A whole machine: a network namespace with this machine's files under a layer of its own, and a real systemd that runs
the units of Packaging/ on them."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from household import BINARY, PATIENCE, ROOT
from lan import at

# Runs in the machine's namespaces. $1: where its files are put together, $2: its name, $3: the folder of its data.
BOOT = r"""
set -e
mount -t tmpfs -o mode=755 machine "$1"
mkdir "$1/new" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/new,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
for folder in run tmp; do mount -t tmpfs -o mode=1777 $folder $folder; done
mkdir -p var/lib/sleep-inducer run/systemd
mount --bind "$3" var/lib/sleep-inducer
rm -rf etc/systemd/system etc/machine-id var/lib/etcd/default
mkdir -p etc/systemd/system
for unit in systemd-networkd.service systemd-networkd.socket systemd-networkd-wait-online.service; do
    ln -s /dev/null etc/systemd/system/$unit
done
hostname "$2"
echo "$2" > etc/hostname
: > etc/fstab
mkdir old
pivot_root . old
umount -l old
exec env -i container=tests PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=basic.target \
    --show-status=no --log-target=null
"""


class Machine:
    """`place` is its network namespace (lan.machines), `name` its host name."""

    def __init__(self, folder: Path, place: str, name: str):
        self.folder, self.place, self.name = folder / name, place, name
        self.data = self.folder / "data"
        (self.folder / "root").mkdir(parents=True)
        self.data.mkdir(mode=0o700)
        self.group = Path(f"/sys/fs/cgroup/unified/{place}")
        if not self.group.parent.is_dir():
            self.group = Path(f"/sys/fs/cgroup/{place}")
        self.group.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            ["sh", "-c", 'echo $$ > "$0/cgroup.procs"; exec "$@"', self.group, "ip", "netns", "exec", place, "unshare",
             "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--uts", "--ipc", "--cgroup", "sh",
             "-c", BOOT, "boot", self.folder / "root", name, self.data],
            stdout=open(self.folder / "boot.log", "ab"), stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def begin(self, *flags: str):
        """`flags`: the server's."""
        self.first = self.wait(self.find_first, 30)
        self.wait(lambda: self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"))
        self.install(flags)

    def find_first(self):
        """The number of its process 1."""
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        name = Path(f"/proc/{children[0]}/comm").read_text() if children else None
        return children[0] if name == "systemd\n" else None

    def wait(self, check, seconds=40):
        deadline = time.monotonic() + seconds * PATIENCE
        while time.monotonic() < deadline:
            if found := check():
                return found
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "boot.log").read_text())
            time.sleep(0.1)
        raise RuntimeError(f"{self.name}: {check} came to nothing: {(self.folder / 'boot.log').read_text()}")

    def install(self, flags):
        """What `make install` does, without restarting anything."""
        packaging = self.root / "run/packaging"
        shutil.copytree(ROOT / "Packaging", packaging)
        program = self.root / "run/sleep-inducer"
        shutil.copy(BINARY, program)
        defaults = self.root / "etc/default/sleep-inducer"
        defaults.write_text("".join(f"SLEEP_INDUCER_{flag}\n" for flag in flags))
        done = self.run("env", "ERASE=no", "/run/packaging/install", "/run/sleep-inducer")
        assert done.returncode == 0, done.stderr + self.journal()

    @property
    def root(self) -> Path:
        """Its files, seen from outside."""
        return Path(f"/proc/{self.first}/root")

    def run(self, *words, timeout=180 * PATIENCE, **options):
        # A login's environment, as sudo gives it.
        inside = ["nsenter", "-t", self.first, "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w", "env", "-i",
                  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"]
        return subprocess.run([*inside, *map(str, words)], capture_output=True, text=True, timeout=timeout, **options)

    def cluster(self, *words, **options):
        return self.run("sleep-inducer", "cluster", *words, **options)

    def is_active(self, unit):
        return self.run("systemctl", "is-active", unit).stdout.strip() == "active"

    def journal(self):
        return self.run("journalctl", "--no-pager", "-n", "60").stdout

    def curl(self, *words):
        return at(self.place, "curl", "-s", "-m", "10", *words)

    def off(self):
        """Pulls the plug."""
        if first := self.find_first():
            os.kill(int(first), signal.SIGKILL)
        self.process.kill()
        self.process.wait(20)
        for _ in range(50):
            try:
                for group in sorted(self.group.rglob("*"), key=lambda path: -len(path.parts)):
                    if group.is_dir():
                        group.rmdir()
                self.group.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.1)
