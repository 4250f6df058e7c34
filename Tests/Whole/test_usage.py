"""Minutes of use from real questions: a limit that is reached in real minutes. This test needs three of them."""

import sqlite3
import time

import pytest

from household import Upstream, eventually

TIKTOK = ["www.tiktok.com", "webcast.tiktok.com", "v16m.tiktokcdn.com", "p16-sign-va.tiktokcdn-us.com"]
BLOCKED = ["127.0.0.1", "0.0.0.0"]


class Phone:
    """Asks like a phone: keeps answers for their TTL."""

    def __init__(self, server):
        self.server = server
        self.cache = {}

    def request(self, name):
        held = self.cache.get(name)
        if held and time.monotonic() < held[0]:
            return held[1]
        record = self.server.ask(name).answer[0]
        self.server.ask(name, "AAAA")
        self.cache[name] = (time.monotonic() + record.ttl, record[0].to_text())
        return record[0].to_text()


def stored(server, query):
    with sqlite3.connect(f"file:{server.data}/sleep-inducer.sqlite?mode=ro", uri=True) as database:
        return database.execute(query).fetchall()


@pytest.mark.nightly
def test_two_minutes_of_an_app_are_two_minutes_and_chatter_is_none(server, sleeper):
    for app, minutes in [("tiktok", "2"), ("instagram", "1")]:
        assert sleeper.post("/limits", {"app": app, "minutes": minutes}).status_code == 303
    # Begins just after a full minute, so that the use is whole minutes.
    time.sleep(61 - time.time() % 60)
    phone, began, beat = Phone(server), time.monotonic(), 0
    while time.monotonic() - began < 200:
        name = TIKTOK[beat % len(TIKTOK)]
        answer = phone.request(name)
        # Push and telemetry, and one refresh: this is no use by a person.
        phone.request("edge-mqtt.instagram.com")
        if beat == 3:
            phone.request("graph.instagram.com")
        if answer in BLOCKED:
            break
        beat += 1
        time.sleep(3)
    took = time.monotonic() - began
    print(f"a limit of 2 minutes held after {took:.0f} s of use")
    assert answer in BLOCKED and 60 <= took <= 180, "within a minute of the truth"
    assert server.addresses("www.tiktok.com") == ["127.0.0.1"], "a page gets the shield"
    assert server.addresses("instagram.com") == [Upstream.ADDRESS], "chatter uses nothing up"

    # Attempts are counted apart, once a minute at most.
    time.sleep(1.5)
    server.kill()
    server.start()
    eventually(lambda: server.addresses("www.tiktok.com") == ["127.0.0.1"], 5)
    assert server.addresses("instagram.com") == [Upstream.ADDRESS]
    time.sleep(1.5)
    assert server.stop() == 0
    hours = stored(server, "SELECT a.id, h.minutes FROM usage_hour h JOIN usage_app a ON a.number = h.app")
    assert {app for app, _ in hours} == {"tiktok"}
    assert 1 <= sum(bin(mask).count("1") for _, mask in hours) <= 3, "a kill loses one at most"
    attempts = stored(server, "SELECT a.id, t.count FROM usage_attempt t JOIN usage_app a ON a.number = t.app")
    assert len(attempts) == 1 and attempts[0][0] == "tiktok" and 1 <= attempts[0][1] <= 2
