"""The service starts as root, changes to its user, and its disk takes no change; and files that root restored."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from household import Browser, Server, eventually

OWNER = next((name for name in ("sleep-inducer", "nobody") if name in [entry.pw_name for entry in pwd.getpwall()]))


@pytest.fixture
def place():
    """A folder that the service's user can reach, unlike pytest's; its data are on their own disk."""
    assert os.geteuid() == 0, "needs root, as the service has when it starts"
    place = Path(tempfile.mkdtemp(prefix="read-only-start-", dir="/var/tmp"))
    place.chmod(0o755)
    (place / "data").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m,mode=700", "tmpfs", str(place / "data")], check=True)
    yield place
    subprocess.run(["umount", "-l", str(place / "data")], check=True)
    shutil.rmtree(place)


@pytest.fixture
def server(place, upstream):
    server = Server(place / "data", upstream)
    yield server
    server.stop()


def allow_writing(place, allowed):
    subprocess.run(["mount", "-o", f"remount,{'rw' if allowed else 'ro'}", str(place / "data")], check=True)


def owners(folder):
    return {path.name: path.owner() for path in [folder, *folder.rglob("*")]}


def is_lowered(server):
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return f"\nUid:\t{pwd.getpwnam(OWNER).pw_uid}\t" in text


def is_blocked(server):
    return server.addresses("tiktok.com") == ["127.0.0.1"]


def test_a_start_as_root_on_a_read_only_disk_blocks_and_says_so(place, server):
    Browser(server).log_in().enroll().start_session(60, "strict")
    eventually(lambda: is_blocked(server), 2)
    assert is_lowered(server) and set(owners(server.data).values()) == {OWNER}
    server.kill()
    allow_writing(place, False)
    server.start()
    assert is_lowered(server)
    assert is_blocked(server)
    assert "Changes cannot be saved: the disk is read-only." in server.log.read_text()
    browser = Browser(server).log_in()
    assert "The disk is read-only." in browser.get("/settings").text
    assert browser.post("/settings/reset", {"confirm": "reset"}).status_code == 303
    eventually(lambda: not is_blocked(server), 2)
    allow_writing(place, True)
    eventually(lambda: "The disk is read-only." not in browser.get("/settings").text, 15)
    server.kill()


def test_files_that_the_user_may_not_read_are_read_as_root(place, server):
    """Files copied by hand: on a read-only disk nobody can give them to the service's user."""
    Browser(server).log_in().enroll().start_session(60, "strict")
    eventually(lambda: is_blocked(server), 2)
    server.kill()
    for path in server.data.iterdir():
        shutil.chown(path, "root", "root")
    allow_writing(place, False)
    server.start()
    assert is_blocked(server)
    server.kill()
    allow_writing(place, True)


def test_what_root_restores_belongs_to_the_service(place, server):
    Browser(server).log_in().enroll()
    assert server.command("backup", str(place / "copy.sqlite")).returncode == 0
    server.stop()
    for path in ("last-known.json", "lock"):
        (server.data / path).unlink()
    done = server.command("restore", str(place / "copy.sqlite"))
    assert done.returncode == 0 and "make new tokens for programs" in done.stdout, done.stderr
    assert server.command("passcode", input="starlight-43\n").returncode == 0
    assert set(owners(server.data).values()) == {OWNER}, owners(server.data)
    server.start()
    Browser(server).log_in("starlight-43")
