"""A household of AdGuard Home or Pi-hole moves in: by the page, and by the command."""

import io
import re
import sqlite3
import struct
import zipfile

import pytest

from household import Browser, edit_documents

ADGUARD = """\
http: {address: 0.0.0.0:3000}
dns:
  upstream_dns: [https://dns.example/dns-query]
filters:
  - {enabled: true, url: https://lists.example/one.txt, name: One, id: 1}
filtering:
  blocked_services:
    schedule: {time_zone: Local}
    ids: []
clients:
  persistent:
    - name: Mia’s phone
      ids: ['aa:bb:cc:00:00:01']
      tags: [device_phone, user_child]
      blocked_services:
        schedule:
          time_zone: Local
          mon: {start: 15h, end: 17h}
          sat: {start: 0s, end: 24h}
        ids: [tiktok, youtube, cloudflare]
      use_global_blocked_services: false
    - name: Printer
      ids: ['aa:bb:cc:00:00:02']
      tags: [device_printer]
      use_global_blocked_services: true
    - name: Guests
      ids: [192.168.5.0/24]
      use_global_blocked_services: true
schema_version: 34
"""

TOML = """\
[dns]
  upstreams = [
    "9.9.9.9"
  ] ### CHANGED, default = []
  hosts = [ "192.168.1.40 nas.lan" ]

[misc]
  dnsmasq_lines = [ "address=/roblox.com/0.0.0.0" ]

[dhcp]
  active = true ### CHANGED, default = false
  # Array of static leases
  hosts = [
    "aa:bb:cc:00:00:11,192.168.1.31,toms-laptop,24h"
  ] ### CHANGED, default = []
"""


def gravity(folder):
    """What the Teleporter keeps of gravity.db: tables made by CREATE TABLE AS, without keys or views."""
    path = folder / "gravity.db"
    with sqlite3.connect(path) as db:
        db.executescript("""
            CREATE TABLE "group" (id INT, enabled INT, name TEXT, date_added INT, date_modified INT, description TEXT);
            CREATE TABLE client (id INT, ip TEXT, date_added INT, date_modified INT, comment TEXT);
            CREATE TABLE client_by_group (client_id INT, group_id INT);
            CREATE TABLE domainlist (id INT, type INT, domain TEXT, enabled INT, date_added INT, date_modified INT, comment TEXT);
            CREATE TABLE domainlist_by_group (domainlist_id INT, group_id INT);
            CREATE TABLE adlist (id INT, address TEXT, enabled INT);
            INSERT INTO "group" VALUES (0, 1, 'Default', 0, 0, NULL), (1, 1, 'Teens', 0, 0, NULL), (2, 0, 'Off', 0, 0, NULL);
            INSERT INTO client VALUES (1, 'AA:BB:CC:00:00:10', 0, 0, 'Ada tablet'), (2, '192.168.1.32', 0, 0, NULL),
                (3, '10.0.0.0/8', 0, 0, 'Range'), (4, ':eth1', 0, 0, NULL);
            INSERT INTO client_by_group VALUES (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (4, 0);
            INSERT INTO domainlist VALUES (1, 1, 'tiktok.com', 1, 0, 0, NULL), (2, 3, '(\\.|^)instagram\\.com$', 1, 0, 0, NULL),
                (3, 3, '^ads[0-9]+', 1, 0, 0, NULL), (4, 0, 'good.example', 1, 0, 0, NULL), (5, 1, 'reddit.com', 0, 0, 0, NULL),
                (6, 1, 'roblox.com', 1, 0, 0, NULL);
            INSERT INTO domainlist_by_group VALUES (1, 1), (2, 1), (3, 0), (4, 0), (5, 1), (6, 2);
            INSERT INTO adlist VALUES (1, 'https://lists.example/hosts', 1);
        """)
    db.close()
    return path.read_bytes()


def network(folder):
    path = folder / "pihole-FTL.db"
    with sqlite3.connect(path) as db:
        db.executescript("""
            CREATE TABLE network (id INT, hwaddr TEXT, interface TEXT, firstSeen INT, lastQuery INT, numQueries INT, macVendor TEXT, aliasclient_id INT);
            CREATE TABLE network_addresses (network_id INT, ip TEXT, lastSeen INT, name TEXT, nameUpdated INT);
            INSERT INTO network VALUES (1, 'aa:bb:cc:00:00:12', 'eth0', 0, 0, 0, NULL, NULL);
            INSERT INTO network_addresses VALUES (1, '192.168.1.32', 0, 'ada-phone.lan', 0);
        """)
    db.close()
    return path.read_bytes()


def teleporter(folder, **others):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zip:
        zip.writestr("etc/pihole/pihole.toml", TOML)
        zip.writestr("etc/hosts", "127.0.0.1 localhost\n")
        zip.writestr("etc/dnsmasq.d/05-own.conf", "# ours\naddress=/tiktok.com/#\n")
        zip.writestr("etc/pihole/dhcp.leases", "0 aa:bb:cc:00:00:13 192.168.1.33 tv *\n")
        zip.writestr("etc/pihole/gravity.db", others.get("gravity") or gravity(folder))
        zip.writestr("etc/pihole/pihole-FTL.db", network(folder))
        for name, content in others.get("entries", {}).items():
            zip.writestr(name, content)
    return archive.getvalue()


def upload(browser, content, name="AdGuardHome.yaml", follow=True):
    return browser.session.post(
        f"{browser.server.url}/settings/import", data={"csrf": browser.csrf("/settings/import")},
        files={"file": (name, content, "application/octet-stream")}, allow_redirects=follow, timeout=60)


def fields(page):
    """What the browser would send of the lists: the file, the ticks, and the selected owners."""
    pairs = [("file", re.search(r'name="file" value="([^"]+)"', page).group(1))]
    pairs += [("take", value) for value in re.findall(r'name="take" value="(\d+)" checked', page)]
    for number, options in re.findall(r'<select id="owner-(\d+)".*?>(.*?)</select>', page, re.S):
        selected = re.search(r'<option value="([^"]*)" selected', options)
        pairs.append((f"owner-{number}", selected.group(1) if selected else ""))
    return pairs


def rules(server):
    """What the database has of the house, its people and their devices' owners."""
    with sqlite3.connect(server.data / "sleep-inducer.sqlite") as db:
        found = db.execute("SELECT kind, id, json FROM document WHERE kind != 'sighting' ORDER BY kind, id").fetchall()
    db.close()
    return found


def test_an_adguard_household_moves_in(server, owner):
    before = rules(server)
    page = upload(owner, ADGUARD)
    assert page.status_code == 200 and "?file=" in page.url
    for text in ("Mia’s phone", "aa:bb:cc:00:00:01", "Printer", "TikTok, YouTube", "New, a child",
                 "Open Monday 15:00–17:00; Saturday all day, and blocked at all other times.",
                 "Block lists (1)", "The service “cloudflare” is not in our catalog.", "192.168.5.0/24"):
        assert text in page.text, text
    assert rules(server) == before, "a preview changes nothing"
    reply = owner.post("/settings/import/take", [*fields(page.text), ("step", "take")], page="/settings/import")
    assert reply.status_code == 303 and reply.headers["location"].endswith("done=moved-in")
    assert "It moved in." in owner.get(reply.headers["location"]).text
    devices = owner.get("/devices").text
    assert "Mia’s phone" in devices and "Printer" in devices
    people = owner.get("/settings/people").text
    mia = re.search(r'id="person-(\d+)" name="name" value="Mia"', people).group(1)
    schedule = owner.get(f"/anti-rot/schedule?person={mia}").text
    assert "15:00" in schedule and "17:00" in schedule
    explained = server.command("explain", "--json", "--device", "Mia’s phone", "--at", "2031-01-07T12:00:00Z", "www.tiktok.com")
    assert '"layer":"windows"' in explained.stdout.replace(" ", ""), explained.stdout + explained.stderr
    again = upload(owner, ADGUARD).text
    assert "here already" in again and "Stays <bdi>Mia</bdi>" in again
    gone = owner.post("/settings/import/take", [*fields(page.text), ("step", "take")], page="/settings/import")
    assert gone.status_code == 422 and "Choose the file again" in gone.text


def test_owners_and_ticks_are_followed(server, owner):
    page = upload(owner, ADGUARD).text
    pairs = [(name, "person-1" if name == "owner-0" else value) for name, value in fields(page)]
    looked = owner.post("/settings/import/take", [*pairs, ("step", "look")], page="/settings/import")
    assert looked.status_code == 200 and "New, a child" not in looked.text
    none = [pair for pair in pairs if pair[0] != "take"]
    refused = owner.post("/settings/import/take", [*none, ("step", "take")], page="/settings/import")
    assert refused.status_code == 422 and "Tick at least one device." in refused.text
    wrong = [(name, "person-77" if name == "owner-0" else value) for name, value in pairs]
    assert owner.post("/settings/import/take", [*wrong, ("step", "take")], page="/settings/import").status_code == 422
    only = [pair for pair in pairs if pair != ("take", "1")]
    assert owner.post("/settings/import/take", [*only, ("step", "take")], page="/settings/import").status_code == 303
    devices = owner.get("/devices").text
    assert "Mia’s phone" in devices and "Printer" not in devices
    assert 'value="Mia"' not in owner.get("/settings/people").text


def test_a_pi_hole_household_moves_in(server, owner, tmp_path):
    page = upload(owner, teleporter(tmp_path), "pi-hole_teleporter.zip").text
    for text in ("Ada tablet", "aa:bb:cc:00:00:10", "ada-phone", "aa:bb:cc:00:00:12", "toms-laptop", "Teens",
                 "Instagram, TikTok", "Blocked all day.", "Patterns (1)", "Allowed names (1)", "10.0.0.0/8", ":eth1",
                 "The group “Off” is switched off in Pi-hole, so roblox.com is blocked for nobody now.",
                 "Switched off in Pi-hole, and so not taken: reddit.com.", "Settings of your own for dnsmasq (2)"):
        assert text in page, text
    assert "Roblox" not in page and "Reddit" not in page, "disabled groups and names block nothing"
    reply = owner.post("/settings/import/take", [*fields(page), ("step", "take")], page="/settings/import")
    assert reply.status_code == 303 and reply.headers["location"].endswith("done=moved-in")
    assert "toms-laptop" in owner.get("/devices").text


@pytest.mark.parametrize("role", ["child", "adult", None])
def test_a_tablet_of_a_group_leaves_only_if_an_adult_was_chosen(server, owner, tmp_path, role):
    """By the page with each answer, and by the command, which asks nobody."""
    archive = teleporter(tmp_path)
    if role is None:
        (tmp_path / "pi-hole.zip").write_bytes(archive)
        taken = server.command("import", str(tmp_path / "pi-hole.zip"), "--apply")
        assert taken.returncode == 0 and "Teens: taken as a child." in taken.stdout, taken.stdout + taken.stderr
    else:
        page = upload(owner, archive, "pi-hole.zip").text
        assert "New people" in page and page.count('<option value="child" selected>') == 1
        sent = [*fields(page), ("new", "Teens"), ("role", role), ("step", "take")]
        reply = owner.post("/settings/import/take", sent, page="/settings/import")
        assert reply.status_code == 303 and reply.headers["location"].endswith("done=moved-in"), reply.text[:2000]
    server.stop()

    def at_loopback(device):
        if device["name"] == "Ada tablet":
            device["addresses"] = ["127.0.0.7"]
            del device["hardwareAddress"]
    edit_documents(server.data / "sleep-inducer.sqlite", "device", at_loopback)
    server.start()
    tablet = Browser(server, "127.0.0.7").session
    assert "Teens" in tablet.get(f"{server.url}/my-rules", timeout=20).text
    left = tablet.post(f"{server.url}/my-rules/leave", data={"which": "this"}, allow_redirects=False, timeout=20)
    # Its apps are blocked all day, so an adult's tablet leaves at midnight.
    assert (left.headers.get("Location") == "/my-rules?done=leaving") == (role == "adult"), left.status_code


def bomb(folder):
    return teleporter(folder, gravity=b"SQLite format 3\0" + bytes(40_000_000))


def lying_bomb(folder):
    """One that says that it is small."""
    whole = bytearray(teleporter(folder, gravity=b"SQLite format 3\0" + bytes(40_000_000)))
    return bytes(whole.replace(struct.pack("<I", 40_000_016), struct.pack("<I", 5_000)))


BAD = {
    "empty": (lambda _: b"", "The file is empty."),
    "a picture": (lambda _: b"\x89PNG\r\n\x1a\n" + bytes(200), "neither AdGuard Home"),
    "not YAML": (lambda _: b"dns: [1, 2\nclients: {", "is not whole"),
    "another YAML": (lambda _: b"services:\n  web: {image: nginx}\n", "no clients and no blocked services"),
    "leads out": (lambda folder: teleporter(folder, entries={"../../etc/cron.d/x": "y"}), "names that lead out of it"),
    "absolute": (lambda folder: teleporter(folder, entries={"/etc/cron.d/x": "y"}), "names that lead out of it"),
    "truncated": (lambda folder: teleporter(folder)[:-300], "is not whole"),
    "bomb": (bomb, "is too large"),
    "lying bomb": (lying_bomb, "is too large"),
    "no database": (lambda folder: teleporter(folder, gravity=b"no database at all" * 100), "database in this archive is damaged"),
    "60 MB": (lambda _: bytes(60_000_000), "larger than 16 MB"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_get_a_sentence(open_house, tmp_path, kind):
    server, owner = open_house
    make, sentence = BAD[kind]
    content = make(tmp_path)
    file = tmp_path / "file"
    file.write_bytes(content)
    done = server.command("import", str(file))
    assert done.returncode == 1 and sentence in done.stderr, done.stderr
    assert done.stderr.count("\n") <= 2 and "Fatal" not in done.stderr
    if len(content) < 20_000_000:
        reply = upload(owner, content, "file.zip")
        assert reply.status_code == 422 and sentence in reply.text
    assert owner.get("/settings/import").status_code == 200
    assert not list(tmp_path.parent.glob("**/cron.d"))


def test_a_view_in_the_database_is_not_run(server, tmp_path):
    path = tmp_path / "evil.db"
    with sqlite3.connect(path) as db:
        db.executescript("""
            CREATE VIEW client AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS ip FROM n;
            CREATE TABLE "group" (id INT, enabled INT, name TEXT);
        """)
    db.close()
    file = tmp_path / "evil.zip"
    file.write_bytes(teleporter(tmp_path, gravity=path.read_bytes()))
    done = server.command("import", str(file))
    assert done.returncode == 1 and "database in this archive is damaged" in done.stderr


def test_a_visitor_cannot_move_anybody_in(open_house):
    server, owner = open_house
    visitor = Browser(server, "127.0.0.7")
    reply = visitor.session.post(f"{server.url}/settings/import", files={"file": ("x", b"dns: 1")}, allow_redirects=False)
    assert reply.status_code in (303, 401, 403)
    forged = owner.session.post(f"{server.url}/settings/import", files={"file": ("x", ADGUARD)}, allow_redirects=False)
    assert forged.status_code == 403


def test_the_command_shows_and_takes(server, owner, tmp_path):
    file = tmp_path / "AdGuardHome.yaml"
    file.write_text(ADGUARD)
    shown = server.command("import", str(file))
    assert shown.returncode == 0, shown.stderr
    for text in ("Taken: 2 devices and 1 new person", "Mia’s phone, aa:bb:cc:00:00:01, Mia", "New: Mia, a child",
                 "Mia: TikTok, YouTube. Open Monday 15:00–17:00", "Not taken:", "Block lists (1)", "Nothing was changed."):
        assert text in shown.stdout, shown.stdout
    assert "Printer" not in owner.get("/devices").text
    assert server.command("import", str(file), "--apply", "--adult", "Tom").returncode == 1, "the file has no Tom"
    assert "Printer" not in owner.get("/devices").text
    assert "New: Mia, an adult" in server.command("import", str(file), "--adult", "Mia").stdout
    taken = server.command("import", str(file), "--apply")
    assert taken.returncode == 0 and "Taken: 2 devices and 1 new person." in taken.stdout, taken.stderr
    assert "Printer" in owner.get("/devices").text
    assert "Mia" in owner.get("/settings/people").text
    again = server.command("import", str(file), "--apply")
    assert again.returncode == 0 and "Taken: 2 devices." in again.stdout, again.stdout + again.stderr
    assert server.command("import", str(tmp_path / "none")).returncode == 1
    server.stop()
    (tmp_path / "second.yaml").write_text(ADGUARD.replace("Printer", "Scanner").replace("00:00:02", "00:00:03"))
    alone = server.command("import", str(tmp_path / "second.yaml"), "--apply")
    assert alone.returncode == 0, alone.stderr
    server.start()
