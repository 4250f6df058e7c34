"""Files of other programs that were made to hang or to fill the server that reads them: it goes on, within its bounds."""

import io
import threading
import time
import zipfile
from pathlib import Path

import pytest

from household import Browser, eventually
from test_moving_in import ADGUARD, gravity, teleporter, upload

MB = 1 << 20


def aliases(anchor="!!seq &"):
    """Each line stands for nine times the one before, as a key, which is hashed with all that it stands for."""
    lines = ["dns:", f"  a: {anchor}a0 [x,x,x,x,x,x,x,x,x]"]
    for level in range(1, 25):
        lines += [f"  ? {anchor}a{level} [{','.join([f'*a{level - 1}'] * 9)}]", "  : x"]
    return "\n".join([*lines, "clients: {}", "schema_version: 34", ""]).encode()


def many_keys():
    return b"dns: {}\n" + b"".join(b"k%d: 1\n" % number for number in range(1_000_000)) + b"clients: {}\nschema_version: 34\n"


def many_directives():
    """libyaml compares each of these with all before it, and says nothing meanwhile."""
    return b"".join(b"%%TAG !a%d! x\n" % number for number in range(900_000)) + b"---\n" + ADGUARD.encode()


def many_names(folder):
    """A Teleporter archive of a few megabytes in which every client is in a group of its own with thousands of names."""
    import sqlite3
    path = folder / "many.db"
    path.write_bytes(gravity(folder))
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM client")
        db.executemany("INSERT INTO client VALUES (?, ?, 0, 0, 'C')", [(n, f"02:00:00:00:{n >> 8:02x}:{n & 255:02x}") for n in range(19_000)])
        db.executemany("INSERT INTO client_by_group VALUES (?, 1)", [(n,) for n in range(19_000)])
        db.executemany("INSERT INTO domainlist VALUES (?, 1, ?, 1, 0, 0, '')", [(n + 9, f"name-{n}.example.org") for n in range(19_000)])
        db.executemany("INSERT INTO domainlist_by_group VALUES (?, 1)", [(n + 9,) for n in range(19_000)])
    db.close()
    return teleporter(folder, gravity=path.read_bytes())


def zeros(folder):
    """Thirty entries that unpack to 31 MB each, in a folder of which all is read."""
    archive = io.BytesIO(teleporter(folder))
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as zip:
        for number in range(30):
            zip.writestr(f"etc/dnsmasq.d/{number}.conf", b"a\n" * (31 * MB // 2))
    return archive.getvalue()


FILES = {
    "aliases": lambda _: aliases(), "other aliases": lambda _: aliases("&-"), "keys": lambda _: many_keys(),
    "directives": lambda _: many_directives(), "names": many_names, "zeros": zeros,
    "brackets": lambda _: b"dns: {}\nx: " + b"[" * (8 * MB),
}


def memory(process, field="VmHWM"):
    """In bytes; 0 for a process that is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), 0)


class Watcher(threading.Thread):
    """Asks for a page, for Help and by DNS while a file is read, and looks at the memory of the reader."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.slowest, self.most, self.is_over = server, 0, 0, False

    def run(self):
        guest = Browser(self.server)
        while not self.is_over:
            begun = time.monotonic()
            assert guest.get("/healthz").status_code == 200 and guest.get("/help").status_code in (200, 403)
            assert self.server.addresses("example.org", source="127.0.0.9")
            self.slowest = max(self.slowest, time.monotonic() - begun)
            children = Path(f"/proc/{self.server.process.pid}/task/{self.server.process.pid}/children").read_text()
            for task in Path(f"/proc/{self.server.process.pid}/task").iterdir():
                children += (task / "children").read_text() if task.exists() else ""
            self.most = max([self.most, *(memory(child) for child in children.split())])
            time.sleep(0.05)


# The seconds of these tests are real: a reader is ended when it has had its time.
@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_takes_all_time_or_memory_stops_nothing(open_house, tmp_path, kind):
    server, owner = open_house
    content = FILES[kind](tmp_path)
    assert len(content) < 16 * MB
    before = memory(server.process.pid)
    watcher = Watcher(server)
    watcher.start()
    begun, replies = time.monotonic(), []
    # Impatient clicks send three at once. Two are read, for seven seconds each at most; the third is told to wait.
    readers = [threading.Thread(target=lambda: replies.append(upload(Browser(server).log_in(), content, "file"))) for _ in range(3)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    watcher.is_over = True
    watcher.join(20)
    taken = time.monotonic() - begun
    print(f"{kind}: {taken:.1f} s, others waited {watcher.slowest:.2f} s, reader {watcher.most / MB:.0f} MB")
    for reply in replies:
        # An archive with more clients than a household has is cut, and read.
        assert reply.status_code in ((200, 422) if kind in ("names", "zeros") else (422,)), reply.text[:500]
        if reply.status_code == 422:
            assert any(words in reply.text for words in ("cannot be read", "more than can be read", "is not whole", "being read"))
    assert len(replies) == 3 and watcher.slowest < 5 and taken < 30
    assert watcher.most < 400 * MB
    # Three uploads of 16 MB are held while they wait.
    assert memory(server.process.pid) - before < 150 * MB
    eventually(lambda: upload(owner, ADGUARD).status_code == 200, 10)


def test_the_command_is_bounded_too(open_house, tmp_path):
    server, _ = open_house
    for kind in ("aliases", "keys"):
        file = tmp_path / kind
        file.write_bytes(FILES[kind](tmp_path))
        done = server.command("import", str(file))
        assert done.returncode == 1 and done.stderr.count("\n") <= 2 and "Fatal" not in done.stderr, done.stderr


def test_values_with_an_ampersand_or_an_asterisk_are_read(open_house):
    _, owner = open_house
    text = ADGUARD.replace("name: Printer", "name: R&D *printer* & scanner").replace("filters:", "user_rules:\n  - '||ads.example^'\n  - a & *b\nfilters:")
    page = upload(owner, text)
    assert page.status_code == 200 and "R&amp;D *printer* &amp; scanner" in page.text and "Rules of your own (2)" in page.text
