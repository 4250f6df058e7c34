"""A Debian 13 for arm64 on an emulated machine, with its own kernel and systemd, disk and network card."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import machine

NETWORK = "[Match]\nName=en* eth*\n[Network]\nAddress=10.77.0.2/24\n"
INCLUDED = "systemd,systemd-sysv,udev,dbus,iproute2,kmod,adduser,tzdata,qemu-guest-agent"
SCRIPTS = Path(__file__).resolve().parents[2] / "Scripts"
# The kernel for clouds has ext4 and NVMe built in, so it needs no initial file system. Its package is only unpacked: its
# own scripts would make one, which does not end under qemu's user mode.
KERNEL = """
set -e
cd /root
apt-get -qq update
apt-get -qq download $(apt-cache depends linux-image-cloud-arm64 | sed -n 's/ *Depends: //p')
dpkg -x linux-image-*.deb /
depmod $(ls /usr/lib/modules)
rm linux-image-*.deb
"""


def make_debian(folder: Path):
    """Needs Debian's mirror. It has its name only when it is whole."""
    subprocess.run([SCRIPTS / "emulate-arm64"], check=True)
    new = folder.with_name(folder.name + "-new")
    shutil.rmtree(new, ignore_errors=True)
    subprocess.run(["debootstrap", "--arch=arm64", "--variant=minbase", f"--include={INCLUDED}", "trixie", new],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["chroot", new, "env", "-u", "TMPDIR", "sh", "-c", KERNEL], check=True)
    new.rename(folder)


class Machine(machine.Machine):
    """`base` is an existing Debian. The machine is reached over a network card of a network namespace in which this
    process must be. Needs qemu-system-arm."""

    address = "10.77.0.2"
    outside = "10.77.0.1"
    patience = 10 * machine.Machine.patience

    def __init__(self, work: Path, packages: list[Path], base: Path):
        self.work = work
        root, self.disk = work / "try-arm64", work / "try-arm64.disk"
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["cp", "-a", base, root], check=True)
        for package in packages:
            shutil.copy(package, root / "root")
        (root / "etc/systemd/network/10.network").write_text(NETWORK)
        wanted = root / "etc/systemd/system/multi-user.target.wants"
        wanted.mkdir(exist_ok=True)
        (wanted / "systemd-networkd.service").unlink(missing_ok=True)
        (wanted / "systemd-networkd.service").symlink_to("/usr/lib/systemd/system/systemd-networkd.service")
        (root / "etc/hostname").write_text("try-deb\n")
        self.kernel = next((root / "boot").glob("vmlinuz-*"))
        self.disk.unlink(missing_ok=True)
        os.truncate(os.open(self.disk, os.O_CREAT | os.O_RDWR), 3 << 30)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", "-d", root, self.disk], check=True)
        for words in ("tuntap add dev try0 mode tap", "addr add 10.77.0.1/24 dev try0", "link set try0 up", "link set lo up"):
            subprocess.run(["ip", *words.split()], check=True)
        self.internet = self.upstream()

    def begin(self):
        agent = self.work / "agent"
        agent.unlink(missing_ok=True)
        self.emulator = subprocess.Popen(
            ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024", "-accel", "tcg,thread=multi",
             "-kernel", self.kernel, "-append", "root=/dev/nvme0n1 rw console=ttyAMA0",
             "-drive", f"file={self.disk},if=none,id=disk,format=raw", "-device", "nvme,drive=disk,serial=disk",
             "-netdev", "tap,id=net,ifname=try0,script=no,downscript=no",
             "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-serial-pci",
             "-chardev", f"socket,id=agent,path={agent},server=on,wait=off",
             "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
             "-display", "none", "-serial", "stdio"], stdin=subprocess.DEVNULL,
            stdout=open(self.work / "boot-arm64.log", "ab"), stderr=subprocess.STDOUT)
        self.wait(agent.exists)
        self.agent = socket.socket(socket.AF_UNIX)
        self.agent.connect(str(agent))
        self.wait_until_up()

    def wait_until_up(self):
        """The agent answers nothing before the system is there, and then everything that it was asked."""
        self.agent.settimeout(600)
        mark = time.monotonic_ns()
        self.send("guest-sync-delimited", id=mark)
        while self.receive() != mark:
            pass
        self.wait(lambda: self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"))

    def send(self, command, **arguments):
        self.agent.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")

    def receive(self):
        line = b""
        while not line.endswith(b"\n"):
            line += self.agent.recv(1)
        answer = json.loads(line.lstrip(b"\xff"))
        assert "error" not in answer, answer
        return answer["return"]

    def ask(self, command, **arguments):
        self.send(command, **arguments)
        return self.receive()

    def run(self, *words):
        program, *rest = map(str, words)
        process = self.ask("guest-exec", path=program, arg=rest, **{"capture-output": True})["pid"]
        while not (state := self.ask("guest-exec-status", pid=process))["exited"]:
            time.sleep(0.2)
        output, errors = (base64.b64decode(state.get(name, "")).decode() for name in ("out-data", "err-data"))
        return subprocess.CompletedProcess(words, state.get("exitcode", -1), output, errors)

    def reboot(self):
        """A power cut: the machine is gone in the middle of what it does."""
        self.cut()
        self.begin()

    def off(self):
        self.internet.kill()
        self.cut()

    def cut(self):
        self.emulator.kill()
        self.emulator.wait()
        self.agent.close()
