"""The shortest path through the whole program: Start, blocked, shield, countdown, kill -9, still blocked, let go."""

import json
import time

import dns.edns
import dns.rcode

from household import Browser, Upstream, eventually


def is_blocked(server, name="tiktok.com"):
    return server.addresses(name) == ["127.0.0.1"]


def test_nobody_enrolled_is_forwarded_untouched(server):
    assert server.addresses("tiktok.com") == [Upstream.ADDRESS]
    assert server.ask("tiktok.com").answer[0].ttl == 300


def test_start_blocks_everything_but_the_allowed_apps(server, sleeper, upstream):
    sleeper.post("/allowed-apps", [("app", "whatsapp")])
    sleeper.start_session(60)
    eventually(lambda: is_blocked(server), 1)
    upstream.asked.clear()

    page = server.ask("www.tiktok.com", edns=True)
    assert [str(r) for r in page.answer[0]] == ["127.0.0.1"] and page.answer[0].ttl == 10
    error = next(option for option in page.options if option.otype == dns.edns.EDE)
    assert error.code == 17 and error.text.startswith("asleep until ")
    assert server.addresses("api16-core.tiktokv.com") == ["0.0.0.0"]
    assert server.addresses("api16-core.tiktokv.com", "AAAA") == ["::"]
    https = server.ask("www.tiktok.com", "HTTPS")
    assert https.rcode() == dns.rcode.NOERROR and not https.answer and https.authority[0].ttl == 10
    assert server.ask("use-application-dns.net").rcode() == dns.rcode.NXDOMAIN
    assert server.addresses("dns.google") == ["0.0.0.0"]
    assert upstream.asked == [], "a blocked name is never sent upstream"

    assert server.addresses("web.whatsapp.com") == [Upstream.ADDRESS]
    assert server.ask("web.whatsapp.com").answer[0].ttl <= 60
    assert server.addresses("captive.apple.com") == [Upstream.ADDRESS]
    assert server.addresses("nottiktok.example.org", source="127.0.0.9") == [Upstream.ADDRESS]


def test_the_shield_meets_every_foreign_host(server, sleeper):
    sleeper.start_session(60)
    eventually(lambda: is_blocked(server), 1)
    for path in ["/", "/video/1?x=<b>", "/settings", "/api/v1/state", "/events", "/login"]:
        reply, body = server.get_as("tiktok.com", path)
        assert reply.status == 403 and "Sleep Mode Active" in body, path
        assert reply.headers["Cache-Control"] == "no-store" and "Set-Cookie" not in reply.headers
    reply, _ = server.get_as("tiktok.com", "/session", method="POST")
    assert reply.status == 403
    reply, body = server.get_as("tiktok.com", "/", source="127.0.0.9")
    assert reply.status == 503 and reply.headers["Retry-After"] == "10", "not enrolled: nothing is blocked there"


def test_kill_and_restart_keep_the_block(server, sleeper):
    sleeper.start_session(120, "strict")
    eventually(lambda: is_blocked(server), 1)
    before = sleeper.state()["session"]
    server.kill()
    server.start()
    assert is_blocked(server), "the first answer after the restart follows the rules"
    after = sleeper.state()["session"]
    assert after["id"] == before["id"] and after["endsAt"] == before["endsAt"]


def test_strict_cannot_be_cancelled_but_reset(server, sleeper):
    sleeper.start_session(30, "strict")
    assert sleeper.post("/session/cancel", page="/settings").status_code == 409
    unsure = sleeper.post("/settings/reset", page="/settings")
    assert unsure.status_code in (200, 303, 422) and sleeper.state()["session"], "the second step is missing"
    assert sleeper.post("/settings/reset", {"confirm": "reset"}, page="/settings").status_code == 303
    assert sleeper.state()["session"] is None
    eventually(lambda: server.addresses("tiktok.com") == [Upstream.ADDRESS], 1)


def test_cancel_takes_thirty_seconds_on_the_server_and_keep_sleeping_takes_it_back(server, sleeper):
    sleeper.start_session(30, "flexible")
    assert sleeper.post("/session/cancel", page="/").status_code == 303
    assert sleeper.state()["session"]["cancelsAt"]
    assert "Cancelling in" in sleeper.get("/").text
    assert sleeper.post("/session/keep", page="/").status_code == 303
    assert sleeper.state()["session"]["cancelsAt"] is None
    assert is_blocked(server)


def test_events_tick_once_a_second(server, sleeper):
    sleeper.start_session(30)
    remaining = []
    with sleeper.session.get(f"{server.url}/events", stream=True, timeout=10) as stream:
        event = ""
        for line in stream.iter_lines(decode_unicode=True):
            if line.startswith("event:"):
                event = line[6:].strip()
            if line.startswith("data:") and event == "tick":
                remaining.append(json.loads(line[5:])["remaining"])
                if len(remaining) == 3:
                    break
    assert remaining[0] - remaining[2] == 2 and 1790 < remaining[0] <= 1800


def test_own_names_answer_with_the_server(server):
    assert server.addresses("sleep.home.arpa") == ["127.0.0.1"]
    assert server.addresses("sleep.home.arpa", "AAAA") == [], "nothing listens on ::1"
    assert server.ask("1.0.0.127.in-addr.arpa", "PTR").answer[0][0].to_text() == "sleep.home.arpa."
    assert server.ask("printer.home.arpa").rcode() == dns.rcode.NXDOMAIN


def test_sigterm_ends_it_with_open_streams(server, sleeper):
    stream = sleeper.session.get(f"{server.url}/events", stream=True, timeout=10)
    next(stream.iter_lines())
    begun = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - begun < 5
