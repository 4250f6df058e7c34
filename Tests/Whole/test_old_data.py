"""Data of a build before the first release: the server refuses it in one sentence, and changes nothing."""

import sqlite3
import subprocess

import pytest

from household import BINARY, free_port


@pytest.fixture
def old(tmp_path):
    """A folder of such a build: its database with its own tables, the rules beside it, a backup."""
    data = tmp_path / "data"
    (data / "backups").mkdir(parents=True)
    for path in (data / "sleep-inducer.sqlite", data / "backups/2026-11-21.sqlite"):
        with sqlite3.connect(path) as database:
            database.executescript(
                """
                PRAGMA journal_mode = WAL;
                PRAGMA application_id = 0x534C494E;
                CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                INSERT INTO grdb_migrations VALUES ('001 foundation'), ('002 windows and limits');
                CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
                INSERT INTO person VALUES (1, 'Me');
                """)
        database.close()
    (data / "last-known.json").write_text('{"people":[{"id":1,"name":"Me"}],"timeZone":"UTC"}')
    return data


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def test_a_folder_of_an_earlier_build_is_refused_and_untouched(old):
    before = contents(old)
    started = run(
        "serve", "--data", old, "--bind", "127.0.0.1", "--http-port", free_port(), "--https-port", "off",
        "--dns-port", free_port(), "--dot-port", "off")
    assert started.returncode == 1
    sentence = "A build of Sleep Inducer before the first release wrote"
    assert sentence in started.stderr and "The file is unchanged" in started.stderr
    assert contents(old) == before
    for command in ("export", "passcode"):
        done = subprocess.run(
            [BINARY, command, "--data", str(old)], capture_output=True, text=True, input="new-moon-7\n", timeout=60)
        assert done.returncode == 1 and sentence in done.stderr, command
    assert contents(old) == before


def test_a_backup_of_an_earlier_build_is_refused(old, tmp_path):
    done = run("restore", old / "backups/2026-11-21.sqlite", "--data", tmp_path / "new")
    assert done.returncode == 1 and "before the first release" in done.stderr
    assert not (tmp_path / "new/sleep-inducer.sqlite").exists()
