"""The commands, the flags, and the terminal's words when something is wrong."""

import json
import os
import pwd
import re
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest
import requests

from household import BINARY, PASSCODE, Browser, Server, Upstream, eventually, free_port


def upcoming(*words):
    done = subprocess.run([BINARY, "upcoming", "--json", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_explain_agrees_with_what_dns_answers(server, sleeper):
    sleeper.post("/allowed-apps", [("app", "whatsapp")])
    sleeper.start_session(60, "strict")
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 1)
    lines = server.command("explain", "--json", "tiktok.com", "web.whatsapp.com", "captive.apple.com").stdout.splitlines()
    tiktok, whatsapp, captive = map(json.loads, lines)
    assert tiktok["verdict"] == "blocked" and tiktok["layer"] == "sleep" and tiktok["app"] == "tiktok"
    assert tiktok["until"] == sleeper.state()["session"]["endsAt"]
    assert whatsapp == {"name": "web.whatsapp.com", "verdict": "allowed", "layer": None, "until": None, "app": "whatsapp"}
    assert captive["verdict"] == "allowed"
    for name in ("sleep.home.arpa", "nas.lan", "fritz.box", "printer"):
        home = json.loads(server.command("explain", "--json", name).stdout)
        assert home["verdict"] == "allowed", f"{name} is never blocked"
        reply, _ = server.get_as(name, "/")
        assert reply.status in (200, 303, 503)
    plain = server.command("explain", "--device", "127.0.0.9", "tiktok.com").stdout
    assert "not enrolled" in plain
    later = server.command("explain", "--json", "--at", "2031-01-01T12:00:00Z", "tiktok.com")
    assert json.loads(later.stdout)["verdict"] == "allowed"


def test_upcoming_over_the_nights_on_which_the_clocks_change():
    spring = upcoming("--bedtime", "22:00", "--wake", "07:00", "--zone", "Europe/Berlin",
                      "--from", "2026-03-28T12:00:00Z", "--count", "2")
    assert spring == [
        {"start": "2026-03-28T21:00:00Z", "end": "2026-03-29T05:00:00Z"},
        {"start": "2026-03-29T20:00:00Z", "end": "2026-03-30T05:00:00Z"},
    ]
    autumn = upcoming("--bedtime", "22:00", "--wake", "07:00", "--zone", "Europe/Berlin",
                      "--from", "2026-10-25T01:30:00Z", "--count", "1")
    assert autumn == [{"start": "2026-10-24T20:00:00Z", "end": "2026-10-25T06:00:00Z"}], "the running one, whole"
    gap = upcoming("--bedtime", "02:15", "--wake", "02:45", "--zone", "Europe/Berlin",
                   "--from", "2026-03-28T12:00:00Z", "--count", "1")
    assert gap[0]["start"] == "2026-03-30T00:15:00Z", "the gap of the 29th swallows that night whole"
    fold = upcoming("--bedtime", "02:30", "--wake", "06:00", "--zone", "Europe/Berlin",
                    "--from", "2026-10-24T12:00:00Z", "--count", "1")
    assert fold[0]["start"] == "2026-10-25T00:30:00Z", "a repeated time means its first occurrence"
    weekend = upcoming("--bedtime", "00:30", "--wake", "08:00", "--days", "sat", "--zone", "UTC",
                       "--from", "2026-11-21T12:00:00Z", "--count", "1")
    assert weekend[0]["start"] == "2026-11-28T00:30:00Z", "00:30 on Saturday is Saturday"


def test_upcoming_of_the_household(server, owner):
    owner.post("/schedule", [("isEnabled", "on"), ("start", "22:00"), ("end", "07:00"), ("strictness", "strict"), ("days", "mon"), ("begin", "now")])
    nights = json.loads(server.command("upcoming", "--json", "--count", "3").stdout)
    assert len(nights) == 3 and all(night["start"] < night["end"] for night in nights)


def test_commands_refuse_empty_words_in_words(server):
    for words in (["token", "--name", ""], ["token", "--name", "x" * 61],
                  ["upcoming", "--days", "", "--bedtime", "22:00", "--wake", "07:00", "--zone", "UTC"],
                  ["upcoming", "--days", "mon,", "--bedtime", "22:00", "--wake", "07:00", "--zone", "UTC"]):
        refused = server.command(*words)
        assert refused.returncode != 0 and refused.stdout == ""
        assert "CHECK" not in refused.stderr
        assert "--name takes" in refused.stderr or "weekday" in refused.stderr, refused.stderr


def test_a_token_is_printed_once_and_works(server):
    token = server.command("token", "--name", "light switch").stdout.strip()
    answer = requests.get(f"{server.url}/api/v1/state", headers={"Authorization": f"Bearer {token}"}, timeout=5)
    assert answer.status_code == 200 and answer.json()["session"] is None
    assert requests.get(f"{server.url}/api/v1/state", headers={"Authorization": "Bearer nonsense"}, timeout=5).status_code == 401
    assert token.encode() not in (server.data / "sleep-inducer.sqlite").read_bytes()


def test_a_forgotten_passcode(server, owner):
    assert server.command("passcode", input="new-moon-7\n").returncode == 0
    assert owner.get("/settings", allow_redirects=False).status_code == 303, "every browser has to log in again"
    Browser(server).log_in("new-moon-7")
    assert server.command("passcode", input="abc\n").returncode != 0


def test_backup_restore_export_wipe(server, sleeper, tmp_path):
    sleeper.post("/allowed-apps", [("app", "whatsapp")])
    sleeper.post("/schedule", [("begin", "now"), ("start", "22:00"), ("end", "07:00"), ("strictness", "strict")])
    sleeper.post("/settings", {"defaultStrictness": "strict"})
    sleeper.start_session(480, "strict")
    exported = json.loads(server.command("export").stdout)
    (tmp_path / "private").mkdir(mode=0o700)
    assert server.command("backup", str(tmp_path / "private/kept.sqlite")).returncode == 0
    (tmp_path / "private/kept.sqlite").rename(tmp_path / "kept.sqlite")
    unwritable = server.command("backup", "/proc/kept.sqlite")
    assert unwritable.returncode == 1 and "Usage" not in unwritable.stderr
    sleeper.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    text = json.dumps(exported)
    for key in ("activeSession", "allowedApps", "recurringSchedule", "defaultStrictness"):
        assert f'"{key}"' in text
    assert "scrypt" not in text
    running = server.command("restore", str(tmp_path / "kept.sqlite"))
    assert running.returncode != 0 and str(server.process.pid) in running.stderr
    server.stop()
    restored = server.command("restore", str(tmp_path / "kept.sqlite"))
    assert restored.returncode == 0, restored.stderr
    server.start()
    assert server.addresses("tiktok.com") == ["127.0.0.1"], "the session of the backup runs again"
    assert server.command("restore", __file__).returncode != 0
    server.stop()
    assert server.command("wipe", "--yes").returncode == 0
    assert not (server.data / "sleep-inducer.sqlite").exists()


def doctor(server):
    done = server.command("doctor", "--json")
    assert done.returncode in (0, 1), done.stderr
    lines = json.loads(done.stdout)
    assert (done.returncode == 0) == all(line["isGood"] for line in lines)
    return {line["id"]: line for line in lines}


def test_doctor_says_what_the_running_server_knows_and_without_one_what_can_be_known(server, owner):
    well = doctor(server)
    silent = f"upstream-silent-127.0.0.1:{server.upstream.port}"
    assert well["upstream-silent"]["isGood"] and well["refused"]["isGood"] and well["disk"]["text"]
    assert well["port-53"]["text"] and well["data"]["isGood"]
    plain = server.command("doctor").stdout
    assert "ok   The upstream DNS servers answer." in plain
    server.upstream.silent = True
    # A single lost question is no silence.
    assert silent not in doctor(server)
    assert not doctor(server)[silent]["isGood"]
    assert "has not answered since" in owner.get("/health").text
    assert "has not answered since" in owner.get("/").text
    server.upstream.silent = False
    assert silent not in doctor(server)
    assert "has not answered since" not in owner.get("/").text
    # Backups: only the folder counts, with a server and without.
    server.stop()
    for backup in (server.data / "backups").iterdir():
        backup.rename(backup.with_name("2026-01-01.sqlite"))
    alone = doctor(server)
    assert not alone["backup"]["isGood"] and "2026-01-01" in alone["backup"]["text"]
    assert "upstream-silent" not in alone and "quiet-device" not in alone and alone["upstream"]["isGood"]


def test_doctor_notices_over_a_restart_that_the_address_changed(tmp_path, upstream):
    first = Server(tmp_path / "data", upstream, "--address", "192.0.2.5")
    assert doctor(first)["address"]["isGood"]
    first.stop()
    second = Server(tmp_path / "data", upstream, "--address", "192.0.2.9")
    try:
        moved = doctor(second)["address"]
        assert not moved["isGood"] and "was 192.0.2.5 and is 192.0.2.9 now" in moved["text"]
        page = Browser(second).log_in().get("/health").text
        assert "was 192.0.2.5" in page
    finally:
        second.stop()


def test_doctor_says_that_a_bind_was_refused(tmp_path):
    with socket.socket(type=socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        server = Server(tmp_path / "data", None, "--dns-port", str(taken.getsockname()[1]))
        try:
            found = doctor(server)["refused"]
            assert not found["isGood"] and str(taken.getsockname()[1]) in found["text"]
        finally:
            server.stop()


def refused(*flags, data, env=None):
    done = subprocess.run(
        [BINARY, "serve", "--data", str(data), *flags], capture_output=True, text=True, timeout=30, env={**os.environ, **(env or {})})
    assert done.returncode != 0
    assert "Fatal" not in done.stderr and "Thread" not in done.stderr, done.stderr
    return done.stderr


def test_wrong_flags_are_said_in_a_line(tmp_path):
    data = tmp_path / "data"
    assert "Nope/Zone" in refused("--time-zone", "Nope/Zone", data=data)
    assert "not an IP" in refused("--bind", "kitchen", data=data)
    assert "99999" in refused("--http-port", "99999", data=data)
    assert "nonsense" in refused("--upstream", "nonsense", data=data)
    assert "passcode" in refused("--passcode", "abc", data=data)
    assert "dinner" in refused(data=data, env={"SLEEP_INDUCER_DNS_PORT": "dinner"})
    assert not data.exists(), "a wrong flag leaves nothing behind"


def test_a_second_instance_names_the_first(server):
    text = refused("--bind", "127.0.0.1", "--http-port", str(free_port()), "--dns-port", "off", data=server.data)
    assert str(server.process.pid) in text and len(text.strip().splitlines()) == 1, text


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        text = refused(
            "--bind", "127.0.0.1", "--http-port", str(port), "--https-port", "off", "--dns-port", "off", data=tmp_path / "data")
        assert str(port) in text


def test_pages_serve_when_only_dns_is_refused_and_dns_comes_when_the_port_is_free(tmp_path):
    with socket.socket(type=socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        server = Server(tmp_path / "data", None, "--dns-port", str(port))
        server.dns_port = port
        try:
            health = requests.get(f"{server.url}/healthz", timeout=5)
            assert health.status_code == 200 and str(port) in health.text
            assert str(port) in server.log.read_text()
            taken.close()
            eventually(lambda: server.ask("sleep.home.arpa", timeout=1).answer if listens(port) else None, 15)
            assert requests.get(f"{server.url}/healthz", timeout=5).json()["refused"] == []
        finally:
            server.stop()


def listens(port):
    """Whether a program has the UDP port by now."""
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


@pytest.mark.parametrize("damage", ["zeros", "half", "empty", "text"])
def test_a_damaged_database_is_set_aside_and_the_night_goes_on(server, sleeper, damage):
    sleeper.start_session(480, "strict")
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 1)
    server.stop()
    file = server.data / "sleep-inducer.sqlite"
    content = file.read_bytes()
    for companion in server.data.glob("sleep-inducer.sqlite-*"):
        companion.unlink()
    file.write_bytes({
        "zeros": content[:100] + bytes(len(content) - 100), "half": content[: len(content) // 2], "empty": b"",
        "text": b"this is not a database" * 400,
    }[damage])
    server.start()
    assert server.addresses("tiktok.com") == ["127.0.0.1"], "blocking goes on from what was last known"
    assert server.addresses("tiktok.com", source="127.0.0.9") == [Upstream.ADDRESS]
    assert list(server.data.glob("*.damaged-*")) or damage == "empty"


def test_what_cannot_be_opened_is_said(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    text = refused("--bind", "127.0.0.1", "--http-port", str(free_port()), "--dns-port", "off", data=tmp_path / "file")
    assert len(text.strip().splitlines()) <= 2, text


def test_the_binary_alone_in_an_empty_directory(tmp_path):
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(BINARY, alone / "sleep-inducer")
    port = free_port()
    child = subprocess.Popen(
        ["./sleep-inducer", "serve", "--data", "data", "--bind", "127.0.0.1", "--http-port", str(port), "--https-port", "off",
         "--dns-port", "off"], cwd=alone, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        code = None
        for line in child.stdout:
            if found := re.search(r"one-time code is (\S+)", line):
                code = found.group(1)
                break
        browser = requests.Session()
        url = f"http://127.0.0.1:{port}"
        page = browser.get(f"{url}/setup?code={code}", timeout=20).text
        fields = {"code": code, "passcode": PASSCODE, "timeZone": "Europe/Berlin", "enroll": "on"}
        if token := re.search(r'name="?csrf"? value="([^"]+)"', page):
            fields["csrf"] = token.group(1)
        assert browser.post(f"{url}/setup", data=fields, allow_redirects=False, timeout=20).status_code == 303
        home = browser.get(url, timeout=20).text
        assert "Start Now" in home
        for link in re.findall(r'(?:href|src)="(/assets/[^"]+)"', home):
            assert browser.get(url + link, timeout=20).status_code == 200, link
        again = requests.post(f"{url}/setup", data={**fields, "passcode": "other-one"}, allow_redirects=False, timeout=20)
        assert again.status_code in (303, 403, 409), "the code is for one time"
        with pytest.raises(AssertionError):
            server = type("S", (), {"url": url})()
            Browser(server).log_in("other-one")
        # From another directory than the server's, which got its own as a relative path.
        backup = subprocess.run(
            [BINARY, "backup", "--data", str(alone / "data"), str(tmp_path / "kept.sqlite")], cwd="/", capture_output=True, text=True)
        assert backup.returncode == 0, backup.stderr
        assert not (alone / "data/asked-for.backup").exists()
    finally:
        child.terminate()
        child.wait(15)
    # A copy of the one file that the manual names has everything.
    (tmp_path / "copy").mkdir()
    shutil.copy(alone / "data/sleep-inducer.sqlite", tmp_path / "copy")
    copied = subprocess.run([BINARY, "export", "--data", str(tmp_path / "copy")], capture_output=True, text=True)
    assert json.loads(copied.stdout)["timeZone"] == "Europe/Berlin", copied.stderr


def test_the_database_is_as_durable_as_promised(server):
    with sqlite3.connect(f"file:{server.data}/sleep-inducer.sqlite?mode=ro", uri=True) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        tables = [row[0] for row in database.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    assert all("STRICT" in sql for sql in tables if "grdb_migrations" not in sql)


@pytest.mark.parametrize("passcode", ["", "short", "      ", "123456", "abcabc", "x" * 129])
def test_the_control_socket_takes_no_passcode_that_a_form_refuses(open_house, passcode):
    """The command asks first, but whoever may open the socket needs no command."""
    server, owner = open_house
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(str(server.data / "control.sock"))
        control.sendall(json.dumps({"passcode": {"_0": passcode}}).encode() + b"\n")
        reply = json.loads(control.makefile().read())
    assert reply["refused"]["_0"].startswith("The passcode: Please use") or "easy to guess" in reply["refused"]["_0"]
    assert owner.get("/settings").status_code == 200, "the login goes on"
    assert Browser(server).log_in().get("/settings").status_code == 200
    typed = server.command("passcode", input=passcode + "\n")
    assert typed.returncode == 1 and "The passcode: " in typed.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("has_user", [False, True])
def test_a_server_that_root_starts_becomes_a_user_of_its_own_or_says_that_it_shares_one(upstream, has_user):
    """With the user that the package makes, and without; in a mount namespace whose list of users is the test's."""
    folder = Path(tempfile.mkdtemp(prefix="sleep-inducer-user-"))
    folder.chmod(0o711)
    users = [line for line in Path("/etc/passwd").read_text().splitlines() if not line.startswith("sleep-inducer:")]
    if has_user:
        users.append("sleep-inducer:x:4242:4242::/nonexistent:/usr/sbin/nologin")
    (folder / "passwd").write_text("\n".join(users) + "\n")
    words = [BINARY, "serve", "--data", folder / "data", "--bind", "127.0.0.1", "--upstream", f"127.0.0.1:{upstream.port}"]
    for flag in ("--http-port", "--https-port", "--dns-port", "--dot-port"):
        words += [flag, str(free_port())]
    script = 'mount --bind "$1" /etc/passwd && shift && exec "$@"'
    server = subprocess.Popen(
        ["unshare", "-m", "sh", "-c", script, "sh", folder / "passwd", *map(str, words)], stdout=open(folder / "said", "w"))
    try:
        said = eventually(lambda: "one-time code" in (folder / "said").read_text() and (folder / "said").read_text(), 30)
        status = Path(f"/proc/{server.pid}/status").read_text()
        user = int(re.search(r"^Uid:\t(\d+)", status, re.M).group(1))
        assert user == (4242 if has_user else pwd.getpwnam("nobody").pw_uid), status
        assert (folder / "data").stat().st_uid == user
        assert ("runs as nobody, whom other programs share" in said) != has_user, said
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder)
