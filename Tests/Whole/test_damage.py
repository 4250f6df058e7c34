"""A few bits of the stored data are damaged: a strict session goes on, people are told, and every way out works."""

import json
import shutil
import sqlite3

import pytest

from household import Browser, Server, add_child, edit_documents, eventually

DATABASE = "sleep-inducer.sqlite"


@pytest.fixture
def server(tmp_path, upstream):
    server = Server(tmp_path / "data", upstream)
    yield server
    server.stop()


def is_blocked(server):
    return server.addresses("tiktok.com") == ["127.0.0.1"]


def start_strict(server):
    sleeper = Browser(server).log_in().enroll().start_session(60, "strict")
    eventually(lambda: is_blocked(server), 2)
    return sleeper


def has_strict_session(data, scratch):
    """Whether SQLite reads a strict session from the files, in a copy of them."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(data, scratch, ignore=shutil.ignore_patterns("*.sock"))
    try:
        database = sqlite3.connect(scratch / DATABASE)
        rows = database.execute("SELECT json_extract(json, '$.strictness') FROM document WHERE kind = 'session'").fetchall()
        database.close()
        return rows == [("strict",)]
    except sqlite3.DatabaseError:
        return False


def says_damage(server):
    """Whether the command and the owner's page say the same about the damage."""
    lines = json.loads(server.command("doctor", "--json").stdout)
    page = Browser(server).log_in().get("/health").text
    found = [line for line in lines if line["id"] == "damage" and not line["isGood"]]
    return found and found[0]["text"].split(":")[0][:40] in page


class Keep:
    """The data from the moment when the server was killed."""

    def __init__(self, server, place):
        self.server, self.place = server, place
        server.kill()
        shutil.copytree(server.data, place, ignore=shutil.ignore_patterns("*.sock"))

    def put_back(self):
        shutil.rmtree(self.server.data)
        shutil.copytree(self.place, self.server.data)


def ends_its_log(data, scratch):
    """Whether a strict session is the last thing in the write-ahead log, and in nothing but the log."""
    log = scratch / f"{DATABASE}-wal"
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(data, scratch)
    log.write_bytes(log.read_bytes()[:-1])
    whole, cut = scratch.with_name("whole"), scratch.with_name("cut")
    return has_strict_session(data, whole) and not has_strict_session(scratch, cut)


def killed_early(server, place):
    """Killed while a strict session ends the write-ahead log. The log is emptied every second, and what the server notes
    of itself follows in it: some kills are late."""
    sleeper = start_strict(server)
    for _ in range(10):
        keep = Keep(server, place)
        if ends_its_log(place, place.with_name("short")):
            return keep
        shutil.rmtree(place)
        server.start()
        sleeper.post("/settings/reset", {"confirm": "reset"}, page="/settings")
        sleeper.start_session(60, "strict")
    raise AssertionError("every kill was late")


def flip(path, offset, bit=0):
    data = bytearray(path.read_bytes())
    data[offset] ^= 1 << bit
    path.write_bytes(data)


def test_a_write_ahead_log_that_is_damaged_opens_no_strict_session(server, tmp_path):
    keep = killed_early(server, tmp_path / "kept")
    wal = server.data / f"{DATABASE}-wal"
    size = wal.stat().st_size
    went_back = 0
    flips = [size - distance for distance in (1, 24, 40, 500, 4000, 4130, 8300, 20_000, 40_000, 80_000)]
    for kind, place in [("flip", place) for place in flips] + [("cut", size - cut) for cut in (1, 4120, 30_000)]:
        if place < 0:
            continue
        keep.put_back()
        if kind == "flip":
            flip(wal, place, place % 8)
        else:
            wal.write_bytes(wal.read_bytes()[:place])
        went_back += (is_back := not has_strict_session(server.data, tmp_path / "look"))
        server.log.unlink()
        server.start()
        assert is_blocked(server), f"{kind} at {place} of {size} opened it"
        reply = Browser(server).log_in().post("/session/cancel", page="/help")
        assert reply.status_code == 409, "it is strict as before"
        if is_back:
            assert "older than the copy of the rules" in server.log.read_text(), f"{kind} at {place}"
            assert says_damage(server), f"{kind} at {place}"
        server.kill()
    assert went_back >= 5, went_back


# Damage that the row itself shows, and damage that only the copy beside it shows.
PLAIN = [
    "'$.strictness', 'strhct'", "'$.isActive', json('false')", "'$.mode', '{broken'", "'$.id', 'nobody'", "'$.allowed', 'x'",
    "'$.endsAt', '2001-01-01T00:00:00.000Z'", "'$.startedAt', '2201-01-01T00:00:00.000Z'",
    "'$.cancelsAt', json_extract(json, '$.startedAt')", None,
]
HIDDEN = [
    "'$.strictness', 'flexible'",
    "'$.endsAt', strftime('%Y-%m-%dT%H:%M:%fZ', json_extract(json, '$.startedAt'), '+1 minute')", "id",
]


def remove_copies(server):
    """The copy of the rules, and the first backup, which is made within a second after the start."""
    (server.data / "last-known.json").unlink()
    shutil.rmtree(server.data / "backups", ignore_errors=True)


@pytest.mark.parametrize("change, has_copy", [
    *((change, True) for change in PLAIN + HIDDEN), *((change, False) for change in PLAIN)])
def test_a_damaged_session_counts_as_strict_and_shuts_no_way_out(server, change, has_copy):
    start_strict(server)
    server.kill()
    database = sqlite3.connect(server.data / DATABASE)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute("PRAGMA foreign_keys = OFF")
    assignment = {None: "json = 'x'", "id": "id = 77"}.get(change, f"json = json_set(json, {change})")
    database.execute(f"UPDATE document SET {assignment} WHERE kind = 'session'")
    database.commit()
    database.close()
    if not has_copy:
        remove_copies(server)
    server.start()
    assert is_blocked(server)
    browser = Browser(server).log_in()
    assert browser.post("/session/cancel", page="/help").status_code == 409, "it is strict"
    ends = browser.state()["session"]["endsAt"]
    assert ends, "it has an end"
    assert says_damage(server)
    assert browser.post("/settings", {"defaultStrictness": "strict"}).status_code == 303, "a change"
    assert browser.post("/help", page="/help").status_code == 303
    eventually(lambda: server.addresses("maps.google.com") != ["127.0.0.1"], 2)
    assert browser.post("/settings/reset", {"confirm": "reset"}).status_code == 303
    eventually(lambda: not is_blocked(server), 2)
    server.kill()
    server.start()
    assert not is_blocked(server), "the reset was written"


@pytest.mark.parametrize("change", PLAIN[1:-1] + ["'$.strictness', 'flexhble'"])
def test_a_damaged_flexible_session_stays_flexible(server, change):
    """SI-023: whoever could cancel it still can."""
    Browser(server).log_in().enroll().start_session(480, "flexible")
    server.kill()
    database = sqlite3.connect(server.data / DATABASE)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(f"UPDATE document SET json = json_set(json, {change}) WHERE kind = 'session'")
    database.commit()
    database.close()
    if "strictness" not in change:
        remove_copies(server)
    server.start()
    assert is_blocked(server) and says_damage(server)
    browser = Browser(server).log_in()
    assert browser.state()["session"]["strictness"] == "flexible"
    assert browser.post("/session/cancel", page="/help").status_code == 303


@pytest.mark.parametrize("has_copy", [True, False])
def test_a_damaged_window_blocks_all_day_and_says_so(server, has_copy):
    browser = Browser(server).log_in().enroll()
    assert browser.post("/anti-rot/apps", {"app": "tiktok"}).status_code == 303
    window = {"label": "All day", "start": "00:00", "end": "23:59", "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}
    pairs = [(key, value) for key, values in window.items() for value in ([values] if isinstance(values, str) else values)]
    assert browser.post("/anti-rot/windows", pairs, page="/anti-rot/schedule").status_code == 303
    assert not is_blocked(server)
    server.kill()
    database = sqlite3.connect(server.data / DATABASE)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(
        "UPDATE document SET json = json_set(json, '$.antiRot.allowedWindows[0].start', '9x:00') WHERE kind = 'person'")
    database.commit()
    database.close()
    if not has_copy:
        remove_copies(server)
    server.start()
    if has_copy:
        assert not is_blocked(server), "the copy beside the database has the window"
    else:
        eventually(lambda: is_blocked(server), 2)
    assert says_damage(server)


# One bit that leaves the JSON valid: the child's phone is an adult's, and the app that is kept from the child is none.
FLIPS = [("device", '"person":3', '"person":1', True), ("device", '"person":3', '"person":1', False),
         ("person", '"tiktok"', '"tiktoj"', True)]


@pytest.mark.parametrize("kind, before, after, has_copy", FLIPS)
def test_a_flipped_bit_that_leaves_valid_json_opens_nothing_and_is_said(server, kind, before, after, has_copy):
    Browser(server).log_in().enroll()
    server.kill()
    path = server.data / DATABASE
    with sqlite3.connect(path) as database:
        add_child(database, 3, antiRot={"selectedApps": {"apps": ["tiktok"]}, "allowedWindows": []})
    database.close()
    edit_documents(path, "device", lambda device: device.update(person=3))
    (server.data / "last-known.json").unlink()
    server.start()
    eventually(lambda: is_blocked(server), 2)
    assert not says_damage(server), "what was written with its digest is whole"
    server.kill()
    database = sqlite3.connect(path)
    changed = database.execute(
        "UPDATE document SET json = replace(json, ?, ?) WHERE kind = ? AND instr(json, ?)", (before, after, kind, before))
    assert changed.rowcount == 1
    database.commit()
    database.close()
    if not has_copy:
        remove_copies(server)
    server.start()
    assert is_blocked(server)
    assert says_damage(server)
    page = Browser(server).log_in().get("/health").text
    assert ("as the copy beside the database has it" if has_copy else "The strictest rules apply") in page
    server.kill()
    server.start()
    assert is_blocked(server), "it was mended"
