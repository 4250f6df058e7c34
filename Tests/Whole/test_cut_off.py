"""A machine that cannot ask the others: what the pages say where somebody presses a button, and what they keep."""

import json
import re
import signal
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import requests

from cluster import cut_off, linked
from failing import agree, log_lines
from household import ROOT, Browser, eventually
from test_look import Visitor, chromium  # noqa: F401 (a fixture)

SENTENCE = "This was not saved, because this machine cannot ask the household's other machines"


def is_above(page, text, button):
    """Whether a text stands right above a button."""
    above, below = page.get_by_text(text).bounding_box(), button.bounding_box()
    return 0 <= below["y"] - (above["y"] + above["height"]) < 60


@pytest.mark.parametrize("script", [True, False])
def test_a_refused_change_is_told_beside_its_button_and_the_input_stays(nodes, etcd, chromium, script):  # noqa: F811
    node = nodes.all[1]
    # Not within its own hours, or the page would ask whether to start now.
    now = datetime.now(ZoneInfo("Europe/Berlin"))
    start, end = (f"{now + timedelta(hours=hours):%H:%M}" for hours in (2, 10))
    visitor = Visitor(chromium, node, "phone", script=script).log_in()
    page = visitor.page
    page.goto(f"{node.url}/schedule")
    page.locator("#isEnabled").check(force=True)
    page.locator("#start").fill(start)
    page.locator("#end").fill(end)
    etcd.pause()
    eventually(lambda: cut_off(node), 20)
    save = page.get_by_role("button", name="Save Schedule")
    save.click()
    page.get_by_text(SENTENCE).wait_for()
    assert is_above(page, SENTENCE, save)
    assert (page.locator("#start").input_value(), page.locator("#end").input_value()) == (start, end)
    assert page.locator("#isEnabled").is_checked()
    etcd.resume()
    linked(node, 40)
    save.click()
    page.wait_for_url(lambda url: "/schedule" not in url)
    def saved(one):
        schedule = nodes.api(one, "GET", "/schedule").json()
        return (schedule["start"], schedule["end"]) == (start, end)
    for one in nodes.all:
        eventually(lambda one=one: saved(one), 20)


def test_any_other_form_is_kept_to_be_sent_again(nodes, etcd, chromium):  # noqa: F811
    node = nodes.all[1]
    page = Visitor(chromium, node, "phone", script=False).log_in().page
    page.goto(f"{node.url}/settings/people")
    page.locator("#person-new").fill("Grace \"&<Hopper>")
    etcd.pause()
    eventually(lambda: cut_off(node), 20)
    page.locator("#add button").click()
    page.get_by_text(SENTENCE).wait_for()
    again = page.get_by_role("button", name="Try again")
    again.click()
    page.get_by_text(SENTENCE).wait_for()
    etcd.resume()
    linked(node, 40)
    again.click()
    page.wait_for_url(lambda url: "/settings" in url)
    for one in nodes.all:
        eventually(lambda one=one: any(
            person["name"] == "Grace \"&<Hopper>" for person in nodes.api(one, "GET", "/people").json()), 20)


def test_passcodes_are_not_shown_again(nodes, etcd):
    node = nodes.all[1]
    browser = Browser(node).log_in()
    browser.get("/settings/passcode")
    etcd.pause()
    eventually(lambda: cut_off(node), 20)
    reply = browser.post(
        "/settings/passcode", {"current": "correct horse battery", "passcode": "another passcode", "repeat": "x"},
        page="/settings/passcode")
    assert reply.status_code >= 400
    assert "another passcode" not in reply.text and "horse" not in reply.text


def test_help_works_when_cut_off_and_is_in_every_log_afterwards(nodes, etcd):
    node = nodes.all[1]
    browser = Browser(node).log_in().enroll().start_session(60, "strict")
    agree(nodes.all)
    etcd.pause()
    eventually(lambda: cut_off(node), 20)
    assert browser.post("/help", page="/help").status_code == 303
    eventually(lambda: node.addresses("maps.google.com") == [node.upstream.ADDRESS], 5)
    assert nodes.all[0].addresses("maps.google.com") != [node.upstream.ADDRESS]
    assert browser.post("/settings/reset", {"confirm": "reset"}).status_code == 303
    eventually(lambda: node.addresses("tiktok.com") == [node.upstream.ADDRESS], 5)
    etcd.resume()
    for one in nodes.all:
        linked(one, 40)
    for one in nodes.all:
        for kind in ("helpUsed", "sessionReset"):
            eventually(lambda one=one, kind=kind: sum(line[0] == kind for line in log_lines(one)) == 1, 20)
    eventually(lambda: sorted(log_lines(nodes.all[0])) == sorted(log_lines(nodes.all[1])), 20)


def test_every_machine_is_seen_with_its_version_and_how_far_behind_it_is(nodes, etcd):
    first, second = nodes.all
    Browser(first).log_in().enroll()
    assert nodes.api(second, "PATCH", "/people/1", json={"name": "Ada"}).ok
    agree(nodes.all)
    told = metrics(nodes, first)
    text = (ROOT / "Docs/metrics.md").read_text()
    named = {name for name in re.findall(r"^\| `(\w+)` \|", text, re.M) if "_cluster_" in name}
    assert named == {name for name in told if "_cluster_" in name}
    assert (told["sleep_inducer_cluster_linked"], told["sleep_inducer_cluster_machines"]) == (1, 2)
    # A machine says that it is there a second or so after it heard the others.
    eventually(lambda: {metrics(nodes, first)[f"sleep_inducer_cluster_{name}"] for name in (
        "machines_silent", "behind")} == {0}, 20)
    assert told["sleep_inducer_cluster_revision"] > 1 and told["sleep_inducer_cluster_delay_seconds"] < 5
    version = first.command("--version").stdout.split()[0]
    browser = Browser(first).log_in()
    def says(*words):
        lines = [line["text"] for line in json.loads(first.command("doctor", "--json").stdout)]
        page = browser.get("/health").text
        return any(all(word in line for word in words) and line[:20] in page for line in lines)
    eventually(lambda: says("n0: version", version, "this machine"), 10)
    eventually(lambda: says("n1: version", version, "heard", "ago"), 20)
    # It falls silent: at once where it is stopped, and after its lease where it is frozen.
    second.process.send_signal(signal.SIGSTOP)
    eventually(lambda: says("n1: version", "silent for"), 40)
    assert metrics(nodes, first)["sleep_inducer_cluster_machines_silent"] == 1
    second.process.send_signal(signal.SIGCONT)
    linked(second, 40)
    eventually(lambda: metrics(nodes, first)["sleep_inducer_cluster_machines_silent"] == 0, 20)
    etcd.pause()
    eventually(lambda: metrics(nodes, first)["sleep_inducer_cluster_linked"] == 0, 20)
    reply = requests.get(f"{first.url}/healthz", timeout=5).json()
    assert (reply["node"], reply["cutOff"]) == ("n0", True)


def metrics(nodes, node):
    """Figures without labels."""
    reply = requests.get(f"{node.url}/metrics", headers={"Authorization": f"Bearer {nodes.token}"}, timeout=10)
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", reply.text, re.M)}
