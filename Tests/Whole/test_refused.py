"""A change that was refused because the disk did not confirm it stays refused, even after a crash."""

import subprocess
import time

import pytest

from household import Browser, Server, eventually


@pytest.fixture
def server(tmp_path, upstream):
    server = Server(tmp_path / "data", upstream)
    yield server
    server.stop()


class FailingDisk:
    """A disk whose every confirmation is an error, as long as this is active."""

    def __init__(self, server, path):
        self.process = subprocess.Popen(
            ["strace", "-f", "-p", str(server.process.pid), "-o", str(path), "-e", "trace=fsync,fdatasync",
             "-e", "inject=fsync,fdatasync:error=EIO"], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        assert "attached" in line, line
        time.sleep(0.5)

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def test_a_refused_change_does_not_come_back_after_a_crash(server, tmp_path):
    browser = Browser(server).log_in().enroll().start_session(60, "strict")
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 2)
    for trial in range(3):
        disk = FailingDisk(server, tmp_path / f"trace-{trial}")
        reply = browser.post("/settings", {"defaultStrictness": "strict"})
        server.kill()
        disk.stop()
        assert reply.status_code == 503 and "was not saved" in reply.text, reply.text[:500]
        assert "EIO" in (tmp_path / f"trace-{trial}").read_text()
        server.start()
        stored = server.command("export").stdout
        assert '"defaultStrictness" : "flexible"' in stored, "the refused change is there"
        assert server.addresses("tiktok.com") == ["127.0.0.1"], "what was saved before is kept"
