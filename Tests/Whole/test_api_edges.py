"""The API at its edges: it accepts what the description allows, refuses everything else with the field's name, and
copes with clients that stop in the middle."""

import copy
import json
import socket
import time

import jsonschema_rs
import pytest
import requests

from household import Browser, Server
from schema_rules import RULES

UPLOAD, CONNECTION = "/api/verification/ios/upload", "/api/verification/ios/connection"
SELECTION = {"v": 1, "encodedPlistBase64": "YnBsaXN0MDA=", "applicationTokenCount": 5, "categoryTokenCount": 2,
             "webDomainTokenCount": 0}
RAW = {"source": "ios_deviceactivity_v2", "timezone": "America/New_York", "selection": SELECTION,
       "computedAtISO8601": "2025-12-18T10:30:00Z"}
BODY = {"date": "2025-12-17", "verifiedMinutes": 120, "raw": RAW}
NONE = object()


def changed(body, path, value):
    """The body with one member set to a value, or removed."""
    body = copy.deepcopy(body)
    *way, last = path.split(".")
    place = body
    for name in way:
        place = place[name]
    if value is NONE:
        del place[last]
    else:
        place[last] = value
    return body


def upload(path, value, status=200):
    return ("POST", UPLOAD, changed(BODY, path, value), status, path if status == 422 else None)


def put(use, status=200, field=None, **body):
    return ("PUT", f"/api/v1/{use}", body, status, field)


WINDOWS = [{"start": f"{hour:02}:00", "end": f"{hour:02}:30"} for hour in range(24)]
DAY = {"days": ["mon"], "start": "22:00", "end": "06:00"}
NIGHT = {"isEnabled": False, "start": "22:00", "end": "06:00", "strictness": "strict"}
LISTS = {"apps": [], "categories": [], "domains": []}

# Method, path, body, status, and the field that a refusal names.
EDGES = [
    ("POST", UPLOAD, BODY, 200, None),
    # Newer clients send more.
    upload("build", {"number": [1, None]}), upload("raw.device", "iPhone"), upload("raw.selection.extra", 0),
    upload("verifiedMinutes", 0), upload("verifiedMinutes", 1500), upload("verifiedMinutes", 120.0),
    upload("verifiedMinutes", -1, 422), upload("verifiedMinutes", 1501, 422), upload("verifiedMinutes", 1.5, 422),
    upload("verifiedMinutes", "120", 422), upload("verifiedMinutes", None, 422), upload("verifiedMinutes", NONE, 422),
    upload("verifiedMinutes", 10 ** 30, 422), upload("verifiedMinutes", True, 422),
    upload("date", "2000-01-01"), upload("date", "2025-02-29", 422), upload("date", "17.12.2025", 422), upload("date", "", 422),
    upload("raw.source", "x"), upload("raw.source", "ä" * 100), upload("raw.source", "", 422),
    upload("raw.source", "x" * 101, 422), upload("raw.source", "a\nb", 422), upload("raw.source", "\0a", 422),
    upload("raw.timezone", "Asia/Calcutta"), upload("raw.timezone", "", 422), upload("raw.timezone", "a b", 422),
    upload("raw.computedAtISO8601", "2025-12-18T10:30:00.125Z"), upload("raw.computedAtISO8601", "noon", 422),
    upload("raw.computedAtISO8601", "2025-12-18T10:30:00+01:00", 422),
    upload("raw.computedAtISO8601", "2025-12-18T24:00:00Z", 422),
    upload("raw.selection.v", 2, 422), upload("raw.selection", [], 422), upload("raw", NONE, 422),
    upload("raw.selection.encodedPlistBase64", ""), upload("raw.selection.encodedPlistBase64", "AAAA" * 32768),
    upload("raw.selection.encodedPlistBase64", "AAAA" * 32769, 422), upload("raw.selection.encodedPlistBase64", "...", 422),
    upload("raw.selection.encodedPlistBase64", "AAA", 422), upload("raw.selection.encodedPlistBase64", "AA=A", 422),
    upload("raw.selection.encodedPlistBase64", "AAAA\n", 422), upload("raw.selection.encodedPlistBase64", 7, 422),
    ("PATCH", CONNECTION, {"enabled": True, "timezone": "UTC", "selection": SELECTION, "new": 1}, 200, None),
    ("PATCH", CONNECTION, {"enabled": 1, "timezone": "UTC", "selection": SELECTION}, 422, "enabled"),
    put("selections/allowed", **LISTS), put("selections/allowed", 422), put("selections/allowed", 422, "apps", categories=[], domains=[]),
    put("selections/allowed", 422, "domains", apps=[], categories=[]),
    put("selections/productive", **{**LISTS, "domains": [f"d{number}.example" for number in range(50)]}),
    put("selections/allowed", 422, None, **{**LISTS, "domains": [f"d{number}.example" for number in range(51)]}),
    put("selections/allowed", 422, "apps", **{**LISTS, "apps": ["x" * 1025]}),
    put("selections/allowed", 422, "more", **LISTS, more=1),
    put("selections/restricted", **LISTS), put("selections/restricted", 422, None, **{**LISTS, "categories": ["social"]}),
    put("schedule", **NIGHT), put("schedule", **NIGHT, nextStart="2026-01-01T00:00:00Z", exceptions=[]),
    put("schedule", 422, None, **NIGHT, days=[]), put("schedule", 422, None, **NIGHT, exceptions=[DAY] * 8),
    put("schedule", 422, "start", **{**NIGHT, "start": "24:00"}), put("schedule", 422, None, **{**NIGHT, "end": "22:00"}),
    put("windows", windows=WINDOWS, confirm=True, waiting=[]),
    put("windows", 422, None, windows=WINDOWS + [{"start": "00:30", "end": "01:00"}]),
    put("windows", windows=[{**WINDOWS[0], "label": "x" * 60}]),
    put("windows", 422, "windows[0].label", windows=[{**WINDOWS[0], "label": "x" * 61}]),
    put("windows", 422, "windows[0].id", windows=[{**WINDOWS[0], "id": "first"}]),
    put("windows", 422, None, windows=[{**WINDOWS[0], "days": []}]), put("windows", 422, "windows"),
    put("limits", limits=[{"app": "tiktok", "minutes": 1, "weeklyMinutes": 10080, "reached": 7}], unlocksUsed=0),
    put("limits", limits=[{"kind": "category", "target": "social", "minutes": 1440}], resetHour=23, unlocksPerDay=1000),
    put("limits", 422, "limits[0].category", limits=[{"app": "tiktok", "category": "social", "minutes": 5}]),
    put("limits", 422, "limits[0].app", limits=[{"minutes": 5}]),
    put("limits", 422, "limits[0].target", limits=[{"kind": "app", "minutes": 5}]),
    put("limits", 422, None, limits=[{"app": "tiktok", "minutes": 0}]),
    put("limits", 422, None, limits=[{"app": "tiktok", "minutes": 5, "weeklyMinutes": 10081}]),
    put("limits", 422, None, limits=[], resetHour=24), put("limits", 422, None, limits=[], unlocksPerDay=1001),
    put("limits", 422, "limits", limits=[{"app": "tiktok", "minutes": 5}] * 2),
    put("limits", limits=[], unlocksPerDay=None),
    ("POST", "/api/v1/people", {"name": "x" * 60}, 201, None), ("POST", "/api/v1/people", {"name": "Äda \U0001F319"}, 201, None),
    ("POST", "/api/v1/people", {"name": "x" * 61}, 422, "name"), ("POST", "/api/v1/people", {"name": ""}, 422, "name"),
    ("POST", "/api/v1/people", {"name": " \t"}, 422, None), ("POST", "/api/v1/people", {"name": 5}, 422, "name"),
    ("PATCH", "/api/v1/people", {"id": 10 ** 20, "role": "adult"}, 422, "id"),
    ("POST", "/api/v1/probations", {"app": "tiktok", "category": "social"}, 422, "category"),
    ("POST", "/api/v1/probations", {}, 422, "app"),
    ("POST", "/api/v1/webhooks", {"url": "", "events": ["wish.asked"]}, 422, "url"),
    ("POST", "/api/v1/webhooks", {"url": "http://192.168.1.20/", "events": []}, 422, "events"),
    ("POST", "/api/v1/webhooks", {"url": "http://192.168.1.20/", "events": ["wish.asked"], "form": "xml"}, 422, "form"),
]


class Program:
    """A program with a token, and the server's description of its API."""

    def __init__(self, server):
        self.server = server
        made = server.command("token", "--name", "edges")
        self.headers = {"Authorization": f"Bearer {made.stdout.split()[-1]}"}
        self.description = requests.get(server.url + "/api/openapi.json", timeout=10).json()

    def send(self, method, path, body=None, **more):
        text = body if isinstance(body, (str, bytes)) else json.dumps(body) if body is not None else None
        headers = {**self.headers, **({"Content-Type": "application/json"} if text is not None else {}), **more}
        return requests.request(method, self.server.url + path, data=text, headers=headers, timeout=20)

    def allows(self, method, path, body):
        """Whether the description allows a body."""
        request = self.description["paths"][path][method.lower()]["requestBody"]
        schema = {**request["content"]["application/json"]["schema"], "components": self.description["components"]}
        return jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(body)


@pytest.fixture(scope="module")
def program(open_house):
    return Program(open_house[0])


@pytest.mark.parametrize("method, path, body, status, field", EDGES, ids=range(len(EDGES)))
def test_the_description_and_the_server_agree(program, method, path, body, status, field):
    reply = program.send(method, path, body)
    assert reply.status_code == status, reply.text
    problem = reply.json() if status == 422 else {}
    if field:
        assert list(problem["errors"]) == [field], problem
    allowed = program.allows(method, path, body)
    assert allowed if status < 400 else not allowed or problem["code"] in RULES, problem


@pytest.mark.parametrize("path", ["selections/allowed", "selections/restricted", "selections/productive", "schedule", "limits"])
def test_what_is_read_can_be_sent_back(program, path):
    path = f"/api/v1/{path}"
    body = program.send("GET", path).json()
    assert program.allows("PUT", path, body)
    assert program.send("PUT", path, body).status_code == 200


@pytest.mark.parametrize("body, status, code, field", [
    (json.dumps(BODY)[:-1] + ', "date": "2025-12-16"}', 422, "repeated", "date"),
    (json.dumps(BODY).replace('"v": 1', '"v": 1, "\\u0076": 1'), 422, "repeated", "raw.selection.v"),
    (json.dumps(BODY)[:-1], 400, "invalid-json", None),
    (json.dumps({**BODY, "date": "2" * 3000}), 422, "invalid-input", "date"),
    (json.dumps(BODY) + " " * 300_000, 413, "too-large", None),
])
def test_what_cannot_be_read_says_why(program, body, status, code, field):
    reply = program.send("POST", UPLOAD, body)
    assert (reply.status_code, reply.json()["code"]) == (status, code), reply.text
    if field:
        assert list(reply.json()["errors"]) == [field]
    if code == "invalid-input":
        assert "at most 1024" in reply.json()["errors"]["date"] and "must be a text" not in reply.text


def cut_off(server, path, headers, begun, stalls):
    """Sends the head and a part of a body; returns the reply until the connection closes."""
    with socket.create_connection(("127.0.0.1", server.http_port), timeout=30) as line:
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: 500\r\n\r\n{begun}".encode())
        if not stalls:
            line.shutdown(socket.SHUT_WR)
        reply = b""
        while part := line.recv(65536):
            reply += part
        return reply.decode()


@pytest.mark.parametrize("stalls", [False, True], ids=["stops", "stalls"])
def test_an_upload_that_is_cut_off_is_answered_408(program, stalls):
    began = time.monotonic()
    reply = cut_off(program.server, UPLOAD, {**program.headers, "Content-Type": "application/json"}, '{"date": "2025-', stalls)
    assert reply.startswith("HTTP/1.1 408 "), reply
    assert reply.count("HTTP/1.1 ") == 1 and '"code":"cut-off"' in reply, reply
    assert (15 if stalls else 0) <= time.monotonic() - began < (26 if stalls else 5)
    page = cut_off(program.server, "/login", {"Content-Type": "application/x-www-form-urlencoded"}, "passcode=x", False)
    assert page.startswith("HTTP/1.1 408 ") and "<h1" in page, page


def test_before_set_up_every_address_of_the_api_wants_a_token(tmp_path, upstream):
    server = Server(tmp_path / "new", upstream, unattended=False)
    try:
        for method, path in [("POST", UPLOAD), ("PATCH", CONNECTION), ("GET", "/api/v1/state"), ("POST", "/api/v1/session")]:
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                reply = requests.request(method, server.url + path, json=BODY, headers=headers, timeout=10)
                assert (reply.status_code, reply.json()["code"]) == (401, "unauthorized"), reply.text
                assert reply.headers["WWW-Authenticate"] == "Bearer"
    finally:
        server.stop()


def test_a_change_of_the_default_mode_is_logged_once(server):
    owner = Browser(server).log_in().enroll()
    before = len(owner.get("/api/v1/log").json()["entries"])
    assert owner.post("/settings", {"defaultStrictness": "strict"}).status_code == 303
    entries = owner.get("/api/v1/log").json()["entries"]
    assert [entry["subject"] for entry in entries[:len(entries) - before]] == ["defaultMode"], entries
    # No line at all if nothing changed.
    assert owner.post("/settings", {"defaultStrictness": "strict"}).status_code == 303
    assert len(owner.get("/api/v1/log").json()["entries"]) == before + 1
    owner.post("/settings/people", {"name": "Ada", "role": "child"}, page="/settings")
    assert len(owner.get("/api/v1/log").json()["entries"]) == before + 2
