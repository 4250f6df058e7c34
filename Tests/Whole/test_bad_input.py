"""Bad input from people and strangers: the error appears where it belongs, the input is kept, nothing is lost."""

import html

import pytest

from household import Upstream, eventually


@pytest.fixture
def visitor(open_house):
    """A person who enters refused input, one after the other into the same server."""
    return open_house[1]


@pytest.mark.parametrize("fields", [
    {"durationMinutes": "45", "strictness": "strict"}, {"durationMinutes": "-30", "strictness": "strict"},
    {"durationMinutes": "99999999999999999999", "strictness": "strict"}, {"durationMinutes": "60", "strictness": "lenient"},
    {"strictness": "strict"}, {"durationMinutes": "60"}, {"durationMinutes": "sixty", "strictness": "strict"},
    [("durationMinutes", "60"), ("durationMinutes", "30"), ("strictness", "strict")],
])
def test_a_session_of_another_kind_is_refused(visitor, fields):
    reply = visitor.post("/session", fields)
    assert reply.status_code == 422 and visitor.state()["session"] is None


@pytest.mark.parametrize("start, end", [
    ("25:61", "07:00"), ("22:00", "22:00"), ("22", "07:00"), ("", "07:00"), ("22:00:00", "07:00"), ("٢٢:٠٠", "07:00"), ("-1:00", "07:00"),
])
def test_times_that_are_none_come_back_with_a_reason(visitor, start, end):
    reply = visitor.post("/schedule", [("isEnabled", "on"), ("start", start), ("end", end), ("strictness", "strict")])
    assert reply.status_code == 422
    if start == "22:00":
        assert 'value="22:00"' in reply.text or "value=22:00" in reply.text, "the input is kept"
    assert visitor.state()["schedule"]["isEnabled"] is False


def test_no_weekday_is_no_schedule(visitor):
    fields = [("isEnabled", "on"), ("start", "22:00"), ("end", "07:00"), ("strictness", "strict"), ("days", "")]
    assert visitor.post("/schedule", fields).status_code == 422
    fields = [("isEnabled", "on"), ("start", "22:00"), ("end", "07:00"), ("strictness", "strict"), ("days", "someday")]
    assert visitor.post("/schedule", fields).status_code == 422


@pytest.mark.parametrize("domain", ["not a name", "com", "-x.com", "1.2.3.4", "a" * 64 + ".com", "x.com/<script>", "\u202eevil.com"])
def test_domains_that_are_none(visitor, domain):
    reply = visitor.post("/allowed-apps", [("app", "whatsapp"), ("domain", domain)])
    if reply.status_code != 422:
        assert "<script" not in visitor.get("/allowed-apps").text.replace("<script src", "")
    else:
        assert html.escape(domain, quote=True)[:20] in reply.text or domain[:5] in reply.text


@pytest.mark.parametrize("name", ['"\u0301 onfocus=alert(1) x="', "<script>alert(1)</script>", "😴" * 20, "a\u0000b", "' OR 1=1 --"])
def test_names_from_strangers_are_only_text(visitor, name):
    device = visitor.state()
    page = visitor.get("/devices").text
    reply = visitor.post("/settings", {"addPerson": name}, page="/settings")
    assert reply.status_code < 500
    for path in ("/", "/devices", "/settings"):
        text = visitor.get(path).text
        assert "<script>alert" not in text and " onfocus=alert" not in text.replace("&quot;", '"').split("onfocus")[0]
    assert device and page


def test_unknown_apps_are_refused_and_nothing_is_lost(sleeper):
    assert sleeper.post("/allowed-apps", [("app", "whatsapp")]).status_code == 303
    assert sleeper.post("/allowed-apps", [("app", "no-such-app")]).status_code == 422
    assert "whatsapp" in sleeper.get("/allowed-apps").text


def test_a_dead_upstream_hangs_nobody(server, sleeper, upstream):
    upstream.silent = True
    import dns.rcode

    reply = server.ask("quiet.example", timeout=12)
    assert reply.rcode() == dns.rcode.SERVFAIL
    sleeper.start_session(60)
    eventually(lambda: server.addresses("tiktok.com") == ["127.0.0.1"], 1)
    upstream.silent = False
    eventually(lambda: server.addresses("other.example", source="127.0.0.9") == [Upstream.ADDRESS], 5)
