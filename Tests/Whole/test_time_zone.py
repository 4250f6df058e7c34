"""The time zone in set-up and settings: the machine's own, under its own name, or the browser's."""

import re

import pytest
from playwright.sync_api import expect

from household import PASSCODE, Server
from test_look import Visitor, chromium  # noqa: F401 (fixture)


@pytest.fixture
def newborn(tmp_path, monkeypatch, request):
    """A server before set-up, on a machine in the zone that the test names."""
    monkeypatch.setenv("TZ", request.param)
    server = Server(tmp_path / "data", None, unattended=False)
    yield server
    server.stop()


def chosen(visitor):
    return visitor.page.locator("select#timeZone")


@pytest.mark.parametrize("newborn", ["Etc/UTC", "US/Eastern", "UTC"], indirect=True)
def test_without_script_the_machines_own_zone_stands_selected(chromium, newborn, request):
    zone = request.node.callspec.params["newborn"]
    visitor = Visitor(chromium, newborn, "phone", script=False, timezone_id="Asia/Kolkata")
    visitor.page.goto(newborn.url + "/setup")
    expect(chosen(visitor)).to_have_value(zone)
    code = re.search(r"setup\?code=(\S+)", newborn.log.read_text()).group(1)
    visitor.page.get_by_label("One-time code").fill(code)
    visitor.page.get_by_label("Choose a passcode").fill(PASSCODE)
    visitor.page.get_by_role("button", name="Continue").click()
    visitor.page.goto(newborn.url + "/settings/time-zone")
    expect(chosen(visitor)).to_have_value(zone)
    visitor.page.get_by_role("button", name="Save time zone").click()
    expect(chosen(visitor)).to_have_value(zone)
    visitor.close()


@pytest.mark.parametrize("newborn", ["Etc/UTC"], indirect=True)
def test_the_browsers_zone_is_proposed_at_set_up(chromium, newborn):
    for zone in ("Asia/Calcutta", "America/Argentina/Buenos_Aires", "Europe/Kiev"):
        visitor = Visitor(chromium, newborn, "phone", timezone_id=zone)
        visitor.page.goto(newborn.url + "/setup")
        told = visitor.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
        assert told != "UTC"
        expect(chosen(visitor)).to_have_value(told)
        assert visitor.noise == []
        visitor.close()
