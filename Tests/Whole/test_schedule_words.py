"""The nightly schedule in one line: server and script write the same, and neither calls two schedules "every night"."""

import re

from playwright.sync_api import expect

from test_look import Visitor, chromium, house, reset  # noqa: F401 (fixtures)

FIELDS = [("start", "22:30"), ("end", "06:45"), ("strictness", "flexible")]
LATER = [("exceptionStart0", "23:30"), ("exceptionEnd0", "08:00"), ("exceptionDays0", "fri"), ("exceptionDays0", "sat")]
SAID = "Sunday to Thursday 22:30–06:45 · 8 h 15 min; Friday and Saturday 23:30–08:00 · 8 h 30 min"


def test_other_times_on_some_nights_are_said(chromium, house):
    owner = reset(house)
    # It is saved while switched off, so that no night begins; the words are those of an active schedule.
    assert owner.post("/schedule", FIELDS + LATER).status_code == 303
    refused = owner.post("/schedule", [("isEnabled", "on"), *FIELDS, *LATER, ("strictness", "soft")])
    assert refused.status_code == 422
    assert re.search(r"data-summary>([^<]*)<", refused.text).group(1) == SAID
    visitor = Visitor(chromium, house, "phone").log_in()
    page = visitor.page
    page.goto(house.url + "/schedule")
    summary = page.locator("[data-summary]")
    expect(summary).to_have_text("Off")
    page.locator("#isEnabled").check()
    expect(summary).to_have_text(SAID)
    page.locator("label[for=exception-0-fri]").click()
    page.locator("label[for=exception-0-sat]").click()
    expect(summary).to_have_text("Every night 22:30–06:45 · 8 h 15 min")
    page.locator("label[for=exception-1-mon]").click()
    expect(summary).to_have_text(re.compile("; Mon 23:00–08:00 · 9 h$"))
    assert visitor.noise == []
    visitor.close()
    assert owner.post("/schedule", FIELDS).status_code == 303
