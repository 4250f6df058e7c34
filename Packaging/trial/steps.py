"""The steps of a trial: each does what a household does with a package, and looks at what became of it."""

import json
import time

from machine import Machine

DATA = "/var/lib/sleep-inducer"
BACKUP = f"{DATA}/backups/before-upgrade.sqlite"


def defaults(machine: Machine) -> str:
    return (f"SLEEP_INDUCER_UPSTREAM={machine.outside}:5399\nSLEEP_INDUCER_PASSCODE=moonlight-42\n"
            "SLEEP_INDUCER_TIME_ZONE=Europe/Berlin\n")


def figures(load, what):
    told = json.loads(load.communicate()[0])
    print(f"{what}: {told}", flush=True)
    return told


def install(machine: Machine, package: str):
    print(machine.must("dpkg", "-i", f"/root/{package}"))
    assert machine.is_active() and machine.property("UnitFileState") == "enabled"
    machine.write("/etc/default/sleep-inducer", defaults(machine))
    machine.must("systemctl", "restart", "sleep-inducer")
    health = json.loads(machine.fetch("/healthz"))
    assert health == {"status": "ok", "refused": []}, health
    print("sockets that systemd keeps:", machine.property("NFileDescriptorStore"))
    doctor = machine.run("sleep-inducer", "doctor").stdout
    assert "Port 53 is served by Sleep Inducer" in doctor and "can open ports 53 and 80" in doctor, doctor
    print(machine.must("systemd-analyze", "security", "--no-pager", "sleep-inducer").splitlines()[-1])
    print(machine.must("sleep-inducer", "--version"))


def restarts(machine: Machine):
    """Under 2,000 questions a second."""
    load = machine.load(12)
    for _ in range(5):
        time.sleep(1.5)
        machine.must("systemctl", "restart", "sleep-inducer")
    told = figures(load, "five restarts")
    assert told["lost"] == told["wrong"] == told["refused"] == 0
    load = machine.load(12)
    for _ in range(5):
        time.sleep(1.8)
        machine.must("systemctl", "kill", "-s", "KILL", "sleep-inducer")
    told = figures(load, "five kills")
    assert told["lost"] <= 40 and told["wrong"] == told["refused"] == 0
    assert machine.is_active()


def begin_a_night(machine: Machine):
    assert machine.visit("ask", "tiktok.com") == "240.0.0.7", "the upstream's answer"
    machine.visit("night")
    machine.wait(lambda: machine.visit("ask", "tiktok.com") == machine.address, 5)
    print("asleep: tiktok.com leads to", machine.address)


def asleep(machine: Machine):
    machine.wait(machine.is_active)
    machine.wait(lambda: machine.visit("ask", "tiktok.com") == machine.address, 5)
    return True


def kill_and_reboot(machine: Machine):
    machine.must("systemctl", "kill", "-s", "KILL", "sleep-inducer")
    assert asleep(machine)
    print("asleep after kill -9")
    machine.reboot()
    assert asleep(machine)
    print("asleep after a reboot")


def version(machine: Machine) -> str:
    return machine.must("dpkg-query", "-W", "-f", "${Version} ${db:Status-Abbrev}", "sleep-inducer")


def upgrade(machine: Machine, package: str):
    """With a backup before it; under load if the machine can bear it."""
    before = machine.property("MainPID")
    load = machine.load(12) if machine.bears_load else None
    time.sleep(1)
    print(machine.must("dpkg", "-i", f"/root/{package}"))
    if load:
        told = figures(load, "upgrade")
        assert told["lost"] == told["wrong"] == told["refused"] == 0
    machine.wait(machine.is_active)
    assert machine.property("MainPID") != before
    assert machine.must("cat", "/etc/default/sleep-inducer") == defaults(machine).strip()
    assert machine.is_there(f"{DATA}/sleep-inducer.sqlite")
    assert machine.must("stat", "-c", "%U %a", BACKUP) == "sleep-inducer 600"
    assert asleep(machine)
    print("upgraded to", version(machine), "and asleep; backup:", machine.must("stat", "-c", "%s bytes", BACKUP))


def refused(machine: Machine, package: str, *words: str):
    """A package that must not be installed says why, and nothing changes, not even the process."""
    before = version(machine), machine.property("MainPID")
    done = machine.run("dpkg", "-i", f"/root/{package}")
    print(f"{package}: {done.stderr.strip()}")
    assert done.returncode != 0 and all(word in done.stderr for word in words), done.stderr
    assert (version(machine), machine.property("MainPID")) == before
    assert asleep(machine)


def take_all_but(megabytes: int, file: str) -> str:
    """Words for a shell that take what the disk has left."""
    return f"fallocate -l $(($(df -Pk / | awk 'NR == 2 {{ print $4 }}') - {megabytes << 10}))K {file}"


def full_disk(machine: Machine, package: str):
    """First there is too little room from the beginning; then the disk gets full while the package is unpacked."""
    machine.must("sh", "-c", take_all_but(4, "/ballast"))
    refused(machine, package, "MB are free", "Nothing was changed")
    machine.run("dd", "if=/dev/zero", "of=/ballast2", "bs=4k")
    refused(machine, package)
    machine.must("rm", "-f", "/ballast", "/ballast2")
    before = version(machine)
    # It waits for the first file of the new version, and takes all the room that is left then.
    machine.must("sh", "-c", "(while [ ! -e /usr/bin/sleep-inducer.dpkg-new ]; do :; done;"
                 f" {take_all_but(0, '/ballast')}) >/dev/null 2>&1 </dev/null &")
    done = machine.run("dpkg", "-i", f"/root/{package}")
    print("full in the middle:", done.stderr.strip())
    assert done.returncode != 0 and "No space left" in done.stderr, done.stderr
    assert version(machine) == before and asleep(machine)
    machine.must("rm", "-f", "/ballast", "/ballast2")
    machine.must("dpkg", "-i", f"/root/{package}")
    assert asleep(machine)
    print("with room again, it is installed, and still asleep")


def go_back(machine: Machine, package: str):
    """To an older version, as Docs/installing.md says."""
    machine.must("dpkg", "--remove", "sleep-inducer")
    machine.must("dpkg", "-i", f"/root/{package}")
    machine.must("systemctl", "stop", "sleep-inducer")
    print(machine.must("runuser", "-u", "sleep-inducer", "--", "sleep-inducer", "restore", BACKUP))
    machine.must("systemctl", "start", "sleep-inducer")
    assert asleep(machine)
    print("back at", version(machine), "and asleep")


def leave(machine: Machine, package: str):
    machine.must("systemctl", "stop", "sleep-inducer")
    assert machine.property("NFileDescriptorStore") == "0"
    machine.must("systemctl", "start", "sleep-inducer")
    assert machine.property("WatchdogUSec") == "30s"
    print(machine.must("dpkg", "--remove", "sleep-inducer"))
    assert not machine.is_there("/usr/bin/sleep-inducer")
    assert machine.is_there(f"{DATA}/sleep-inducer.sqlite"), "the data stays"
    machine.must("dpkg", "-i", f"/root/{package}")
    assert asleep(machine)
    print(machine.must("dpkg", "--purge", "sleep-inducer"))
    assert machine.run("getent", "passwd", "sleep-inducer").returncode != 0
    left = machine.must("find", "/etc", "/var", "/usr", "/lib", "/run", "-xdev", "-name", "*sleep-inducer*")
    assert left == "", f"left behind:\n{left}"
