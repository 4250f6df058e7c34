"""This evening, with one tap: until the morning from Start Now, waking from Household, and what a child is given."""

import pytest
import requests

from household import Browser, Server, Upstream


@pytest.fixture
def server(tmp_path):
    upstream = Upstream()
    server = Server(tmp_path / "data", upstream)
    yield server
    server.stop()
    upstream.close()


@pytest.fixture
def owner(server):
    return Browser(server).log_in()


def read(owner, server, path):
    return owner.session.get(server.url + path).text


def session(owner, server):
    return owner.session.get(server.url + "/api/v1/state").json()["session"]


def plan_a_night_that_runs(owner):
    """From tomorrow on: the night says when the morning is, and nothing begins by itself."""
    owner.post("/schedule", {
        "isEnabled": "on", "start": "00:00", "end": "23:59", "strictness": "flexible", "begin": "tomorrow"},
        page="/schedule")


def test_start_now_offers_the_morning(server, owner):
    assert "Until " not in read(owner, server, "/session").split("<h1>Start Now</h1>")[1].split("Strictness")[0]
    plan_a_night_that_runs(owner)
    assert "Until 23:59" in read(owner, server, "/session")
    owner.post("/session", {"durationMinutes": "morning", "strictness": "strict"}, page="/session")
    assert session(owner, server)["mode"] == "manual"
    assert session(owner, server)["strictness"] == "strict"
    assert "until 23:59" in read(owner, server, "/session")


def test_household_wakes_and_thinks_again(server, owner):
    owner.post("/session", {"durationMinutes": "60", "strictness": "flexible"}, page="/session")
    page = read(owner, server, "/household")
    assert "Wake in 30 seconds" in page and "30 minutes later" not in page and "Skip tonight" not in page
    owner.post("/household/wake", {"person": "1"}, page="/household")
    assert session(owner, server)["cancelsAt"]
    page = read(owner, server, "/household")
    assert "Keep asleep" in page and "Wake in 30 seconds" not in page
    owner.post("/household/keep", {"person": "1"}, page="/household")
    assert session(owner, server)["cancelsAt"] is None


def test_nobody_wakes_from_a_strict_session(server, owner):
    owner.post("/session", {"durationMinutes": "60", "strictness": "strict"}, page="/session")
    assert "Wake in 30 seconds" not in read(owner, server, "/household")
    owner.post("/household/wake", {"person": "1"}, page="/household")
    assert session(owner, server)["cancelsAt"] is None


def test_a_child_has_few_unlocks_and_no_list_of_ways_around(server, owner):
    owner.post("/setup/people", {
        "name-1": "Me", "role-1": "adult", "new": "Mia", "add": "child"}, page="/setup/people")
    assert "3 times a day in all" in read(owner, server, "/limits/new/app/tiktok?person=2")
    assert "any number of times" in read(owner, server, "/limits/new/app/tiktok")
    assert "For <b><bdi>Mia</bdi></b>" in read(owner, server, "/session?person=2")
    assert "For <b>" not in read(owner, server, "/session")

    def around():
        return requests.get(server.url + "/check/around", allow_redirects=False)

    assert around().status_code == 200
    owner.post("/devices/enroll", {"person": "2"}, page="/devices")
    assert around().headers["Location"] == "/check"
    assert "What can get around" not in requests.get(server.url + "/my-rules").text
    assert owner.session.get(server.url + "/check/around", allow_redirects=False).status_code == 200
