"""A bedtime at its true instant. This test needs up to a minute of real time, because it waits for a bedtime."""

import datetime
import time
from zoneinfo import ZoneInfo

import pytest

from household import Upstream, eventually


@pytest.mark.alone
def test_bedtime_takes_effect_at_its_instant_and_a_reset_night_stays_away(server, sleeper):
    now = datetime.datetime.now(ZoneInfo("Europe/Berlin"))
    bedtime = (now + datetime.timedelta(minutes=1, seconds=5)).replace(second=0, microsecond=0)
    wake = bedtime + datetime.timedelta(hours=8)
    fields = [("isEnabled", "on"), ("start", f"{bedtime:%H:%M}"), ("end", f"{wake:%H:%M}"), ("strictness", "strict")]
    assert sleeper.post("/schedule", fields).status_code == 303
    assert server.addresses("tiktok.com") == [Upstream.ADDRESS]
    assert server.ask("tiktok.com").answer[0].ttl <= 15, "near a bedtime answers are short"
    while datetime.datetime.now(ZoneInfo("Europe/Berlin")) < bedtime - datetime.timedelta(seconds=0.3):
        time.sleep(0.05)
    while server.addresses("tiktok.com") != ["127.0.0.1"]:
        time.sleep(0.005)
    late = (datetime.datetime.now(ZoneInfo("Europe/Berlin")) - bedtime).total_seconds()
    print(f"bedtime took effect {late * 1000:.0f} ms after its instant")
    assert 0 <= late < 0.1
    session = sleeper.state()["session"]
    assert session["mode"] == {"recurring": session["mode"]["recurring"]} if isinstance(session["mode"], dict) else session["mode"] == "recurring"
    assert session["strictness"] == "strict"
    sleeper.post("/settings/reset", {"confirm": "reset"}, page="/settings")
    eventually(lambda: server.addresses("tiktok.com") == [Upstream.ADDRESS], 1)
    time.sleep(2.5)
    assert sleeper.state()["session"] is None, "C-12: it does not come back before the next bedtime"
