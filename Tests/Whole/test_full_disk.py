"""A disk that is really full or read-only: ways out work, rules are refused in words, and nothing is lost."""

import subprocess

import pytest

from household import Browser, Server, eventually

FULL = "The disk is full."


def mount(*words):
    done = subprocess.run(["mount", *words], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"needs the right to mount: {done.stderr.strip()}")


class Disk:
    """A small file system for the data; the log is beside it."""

    def __init__(self, path):
        self.path = path
        path.mkdir()
        mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", str(path))

    def fill(self, server):
        """Stays full until the server ends: after an orderly start it has no log to shorten, so it makes no room."""
        server.stop()
        server.start()
        with open(self.path / "ballast", "wb", buffering=0) as ballast:
            for size in (65536, 4096, 1):
                try:
                    while True:
                        ballast.write(b"." * size)
                except OSError:
                    continue

    def empty(self):
        (self.path / "ballast").unlink()

    def allow_writing(self, allowed):
        mount("-o", f"remount,{'rw' if allowed else 'ro'}", str(self.path))


@pytest.fixture
def disk(tmp_path):
    disk = Disk(tmp_path / "data")
    yield disk
    subprocess.run(["umount", "-l", str(disk.path)], check=True)


@pytest.fixture
def server(disk, upstream):
    server = Server(disk.path, upstream)
    yield server
    server.stop()


def is_blocked(server):
    return server.addresses("tiktok.com") == ["127.0.0.1"]


def refuse(browser):
    """A rule is a promise that must survive, so the server refuses it in words."""
    reply = browser.post("/settings", {"defaultStrictness": "strict"})
    assert reply.status_code == 503 and "was not saved" in reply.text, reply.text[:500]


def use_every_way_out(server, sleeper):
    refuse(sleeper)
    assert sleeper.post("/help", page="/help").status_code == 303
    eventually(lambda: server.addresses("maps.google.com") != ["127.0.0.1"], 2)
    assert sleeper.post("/session/cancel", page="/session").status_code == 303
    assert sleeper.post("/session/keep", page="/session").status_code == 303
    other = Browser(server).log_in()
    assert "lost if Sleep Inducer restarts" in other.get("/settings").text
    assert other.post("/settings/reset", {"confirm": "reset"}).status_code == 303
    eventually(lambda: not is_blocked(server), 2)
    assert sleeper.post("/logout", page="/settings").status_code == 303
    assert sleeper.get("/settings", allow_redirects=False).status_code == 303
    return other


def has_room_again(server, browser):
    eventually(lambda: "lost if" not in browser.get("/settings").text, 15)
    reply = browser.post("/settings", {"defaultStrictness": "strict"})
    assert reply.headers.get("Location") == "/settings?done=saved", reply.text[:500]
    server.kill()
    server.start()
    assert not is_blocked(server), "the reset was written"
    assert "Strict" in browser.get("/settings").text, "and so was the login"


def test_a_disk_that_fills_up_takes_no_way_out_away(disk, server):
    sleeper = Browser(server).log_in().enroll().start_session(60, "flexible")
    eventually(lambda: is_blocked(server), 2)
    disk.fill(server)
    other = use_every_way_out(server, sleeper)
    log = server.log.read_text()
    # Shortening the log can make room for a moment; then both are said again.
    assert log.count("accepts changes again") < 3
    assert log.count(FULL + " Blocking goes on.") - log.count("accepts changes again") == 1, "said once each time"
    disk.empty()
    has_room_again(server, other)


def test_a_start_on_a_full_disk_blocks_lets_go_and_recovers(disk, server):
    sleeper = Browser(server).log_in().enroll().start_session(60, "flexible")
    disk.fill(server)
    server.kill()
    server.start()
    assert is_blocked(server)
    other = use_every_way_out(server, sleeper)
    disk.empty()
    has_room_again(server, other)


def test_a_start_on_a_read_only_disk_blocks_lets_go_and_recovers(disk, server):
    sleeper = Browser(server).log_in().enroll().start_session(60, "flexible")
    server.kill()
    disk.allow_writing(False)
    server.start()
    assert is_blocked(server)
    other = use_every_way_out(server, sleeper)
    assert "The disk is read-only." in other.get("/settings").text
    disk.allow_writing(True)
    has_room_again(server, other)


def test_a_session_ends_in_time_on_a_full_disk_and_a_kill_then_loses_only_that(disk, server):
    sleeper = Browser(server).log_in().enroll().start_session(60, "flexible")
    disk.fill(server)
    assert sleeper.post("/settings/reset", {"confirm": "reset"}).status_code == 303
    eventually(lambda: not is_blocked(server), 2)
    server.kill()
    server.start()
    assert is_blocked(server), "what was stored last holds"
