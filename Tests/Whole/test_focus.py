"""The focus timer of the whole program: its layer, its end without an open page, and a power cut in between."""

import json
import time
from datetime import datetime

import requests

import pytest

from household import eventually, edit_documents

pytestmark = pytest.mark.alone


class Program:
    def __init__(self, server):
        self.server = server
        self.headers = {"Authorization": f"Bearer {server.command('token').stdout.strip()}"}

    def call(self, method, path, body=None):
        return requests.request(
            method, f"{self.server.url}/api/v1{path}", headers=self.headers, json=body, timeout=5)


def shield(server, total=1500, remaining=1500):
    """Stores the switch as the page does, and an imported timer, while nothing runs."""
    server.stop()
    edit_documents(server.data / "sleep-inducer.sqlite", "person", lambda person: person["focus"].update(
        timer={"state": "idle", "total": total, "remaining": remaining}, shieldsWhileFocusing=True), number=1)
    server.start()


def test_focus_holds_back_the_restricted_apps_and_says_so(server, sleeper):
    program = Program(server)
    program.call("PUT", "/selections/restricted", {"apps": ["tiktok"], "categories": [], "domains": []})
    shield(server)
    # Windows block nothing, because none were saved.
    assert server.addresses("tiktok.com") != ["127.0.0.1"]
    started = program.call("POST", "/focus")
    assert started.status_code == 201
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 1)
    said = json.loads(server.command("explain", "--json", "tiktok.com").stdout)
    assert said["layer"] == "focus" and said["until"] == started.json()["endsAt"]
    assert server.command("upcoming").stdout.startswith("Focusing until ")
    later = json.loads(server.command("explain", "--json", "--at", "2031-01-01T00:00:00Z", "tiktok.com").stdout)
    assert later["verdict"] == "allowed"
    assert program.call("POST", "/focus").status_code == 409
    assert program.call("POST", "/focus/pause").json()["state"] == "paused"
    eventually(lambda: server.addresses("tiktok.com") != ["127.0.0.1"], 1)
    assert not server.command("upcoming").stdout.startswith("Focusing")
    assert server.command("upcoming", "--json").stdout.strip() == "[]"


def test_an_end_that_fell_into_a_power_cut_is_written_once_at_its_instant(server, sleeper):
    program = Program(server)
    shield(server, total=60, remaining=3)
    ends = program.call("POST", "/focus").json()["endsAt"]
    server.kill()
    time.sleep(4)
    for _ in range(3):
        server.start()
        sessions = program.call("GET", "/focus/sessions").json()["sessions"]
        assert [session["end"] for session in sessions] == [ends]
        assert sessions[0]["completed"] and sessions[0]["durationSeconds"] == 60
        assert program.call("GET", "/focus").json()["state"] == "idle"
        server.kill()
    server.start()
    exported = json.loads(server.command("export").stdout)["focus"][0]
    assert [set(entry) for entry in exported["sessions.json"]] == [
        {"id", "start", "durationSeconds", "presetLabel", "completed"}]
    assert exported["timer-state.json"] == {"total": 60, "remaining": 60, "running": False, "paused": False}


def test_the_end_comes_with_no_page_open(server, sleeper):
    program = Program(server)
    shield(server, total=60, remaining=2)
    ends = datetime.fromisoformat(program.call("POST", "/focus").json()["endsAt"])
    eventually(lambda: program.call("GET", "/focus/sessions").json()["sessions"], 4)
    session = program.call("GET", "/focus/sessions").json()["sessions"][0]
    assert session["completed"] and datetime.fromisoformat(session["end"]) == ends
