"""The API's description is a file. Every operation of it is asked of the server, both ways: the server takes each body's
example and nothing that the schema refuses, and each answer is valid by its schema."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import jsonschema_rs
import pytest
import requests

from household import PASSCODE, ROOT, Browser, Server

DESCRIPTION = json.loads((ROOT / "Public/openapi.json").read_text())
ZONES = [
    "Pacific/Honolulu", "America/Los_Angeles", "America/New_York", "America/Sao_Paulo", "Europe/London", "Europe/Berlin",
    "Asia/Dubai", "Asia/Kolkata", "Asia/Bangkok", "Asia/Tokyo", "Australia/Brisbane", "Pacific/Auckland"]

# In an order in which each can be done. `press` and `id` are filled in from the answer before.
WALK = [line.split() for line in """
    GET /api/v1/state
    PUT /api/v1/schedule
    GET /api/v1/schedule
    PUT /api/v1/selections/allowed
    GET /api/v1/selections/allowed
    PUT /api/v1/selections/productive
    GET /api/v1/selections/productive
    PUT /api/v1/selections/restricted
    GET /api/v1/selections/restricted
    PUT /api/v1/windows
    GET /api/v1/windows
    PUT /api/v1/window-sets
    GET /api/v1/window-sets
    POST /api/v1/override
    PUT /api/v1/limits
    GET /api/v1/limits
    POST /api/v1/probations
    POST /api/v1/focus
    POST /api/v1/focus/pause
    POST /api/v1/focus/resume
    GET /api/v1/focus
    POST /api/v1/focus/stop
    GET /api/v1/focus/sessions
    GET /api/v1/usage
    GET /api/v1/catalog
    GET /api/v1/machines
    GET /api/v1/devices
    PATCH /api/v1/devices
    PATCH /api/v1/devices/{id}
    POST /api/v1/people
    PATCH /api/v1/people
    GET /api/v1/people
    PATCH /api/v1/people/{id}
    POST /api/v1/people/{id}/bonus
    POST /api/v1/people/{id}/at
    POST /api/v1/people/{id}/later
    POST /api/v1/people/{id}/skip
    POST /api/v1/people/{id}/undo
    POST /api/v1/people/bedtime
    POST /api/v1/people/undo
    DELETE /api/v1/people
    POST /api/v1/people/{id}/bedtime
    POST /api/v1/people/{id}/wake-at
    POST /api/v1/session/cancel
    DELETE /api/v1/session/cancel
    POST /api/v1/session/pause
    POST /api/v1/reset
    POST /api/v1/session
    POST /api/v1/people
    DELETE /api/v1/people/{id}
    POST /api/verification/ios/upload
    PATCH /api/verification/ios/connection
    POST /api/v1/dates
    GET /api/v1/dates
    DELETE /api/v1/dates/{id}
    POST /api/v1/webhooks
    GET /api/v1/webhooks
    DELETE /api/v1/webhooks/{id}
    GET /api/v1/log
    GET /api/v1/export
""".strip().splitlines()]

# What this household has no reason for: no limit is used up, and no night begins within half an hour.
REFUSED = {
    ("POST", "/api/v1/probations"): (409, "limit-not-reached"),
    ("POST", "/api/v1/people/{id}/wake-at"): (409, "only-for-children"),
    ("POST", "/api/v1/session/pause"): (409, "no-night-to-sleep-on"),
}


def schema(reference):
    """The schema of a reference, with the components that it refers to."""
    return {"$ref": reference, "components": DESCRIPTION["components"]}


def is_valid(reference, value):
    return jsonschema_rs.Draft202012Validator(schema(reference), validate_formats=True).is_valid(value)


def body(operation):
    """The reference of a body's schema; nil without a body."""
    content = operation.get("requestBody", {}).get("content", {})
    return content["application/json"]["schema"]["$ref"] if content else None


def example(reference):
    return DESCRIPTION["components"]["schemas"][reference.rsplit("/", 1)[1]]["examples"][0]


def answer(operation, status):
    """The reference of the schema of an answer with a status; nil: it has no body."""
    described = operation["responses"].get(str(status), operation["responses"]["default"])
    if "$ref" not in described:
        return None
    content = DESCRIPTION["components"]["responses"][described["$ref"].rsplit("/", 1)[1]]["content"]
    (form,) = content.values()
    return form["schema"]["$ref"]


@pytest.fixture
def program(tmp_path, upstream):
    """A household where it is about noon, so that no night runs; asks with a token."""
    zone = min(ZONES, key=lambda name: abs(datetime.now(ZoneInfo(name)).hour - 12))
    server = Server(tmp_path / "data", upstream, "--passcode", PASSCODE, "--time-zone", zone, unattended=False)
    Browser(server).log_in().enroll()
    token = server.command("token", "--name", "walk").stdout.split()[-1]
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    session.url = server.url
    yield session
    server.stop()


def test_every_operation_takes_its_example_and_answers_as_described(program):
    described = {(method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods}
    assert described == {tuple(step) for step in WALK}
    latest = {}
    for method, path in WALK:
        operation = DESCRIPTION["paths"][path][method.lower()]
        reference = body(operation)
        sent = dict(example(reference)) if reference else None
        if sent and "press" in sent:
            sent["press"] = latest["press"]
        if path.startswith("/api/v1/people/{id}/"):
            latest["id"] = 1
        target = path.replace("{id}", str(latest.get("id", 1)))
        if sent is not None:
            assert is_valid(reference, sent), (method, path, sent)
        reply = program.request(method, program.url + target, json=sent, timeout=20)
        (success,) = set(operation["responses"]) - {"default"}
        expected = REFUSED.get((method, path), (int(success), None))
        assert reply.status_code == expected[0], (method, target, sent, reply.text)
        wanted = answer(operation, reply.status_code)
        if wanted is None:
            assert reply.content == b"", (method, path)
            continue
        value = reply.json()
        assert is_valid(wanted, value), (method, path, value)
        if expected[1]:
            assert value["code"] == expected[1]
        if isinstance(value, dict):
            latest.update({key: value[key] for key in ("press", "id") if key in value})


def test_nothing_is_taken_that_its_schema_refuses(program):
    for path, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            reference = body(operation)
            if reference is None:
                continue
            target = program.url + path.replace("{id}", "1")
            assert not is_valid(reference, [])
            reply = program.request(method.upper(), target, json=[], timeout=20)
            assert reply.status_code == 400 and is_valid(answer(operation, 400), reply.json()), (method, path, reply.text)
            odd = {**example(reference), "unknown": 1}
            if not is_valid(reference, odd):
                reply = program.request(method.upper(), target, json=odd, timeout=20)
                assert reply.status_code == 422 and "unknown" in reply.json()["errors"], (method, path, reply.text)


def test_the_server_serves_the_file(program):
    reply = requests.get(program.url + "/api/openapi.json", timeout=10)
    assert reply.content == (ROOT / "Public/openapi.json").read_bytes()
    assert reply.headers["Content-Type"].startswith("application/json")
