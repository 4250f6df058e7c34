"""The examples of Docs/home-assistant.md, run as Home Assistant runs them: YAML, its template language, HTTP."""

import json
import re

import jinja2
import pytest
import requests
import yaml

from household import ROOT, Browser

TEXT = (ROOT / "Docs/home-assistant.md").read_text()


class Secret(str):
    """The name of a value that `!secret` replaces."""


class Loader(yaml.SafeLoader):
    pass


Loader.add_constructor("!secret", lambda loader, node: Secret(loader.construct_scalar(node)))
BLOCKS = {key: value for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.S)
          for key, value in yaml.load(block, Loader).items()}


class Assistant:
    """Plays Home Assistant: templates over an answer, requests by a command."""

    def __init__(self, server):
        self.server = server
        token = server.command("token", "--name", "home-assistant").stdout.split()[-1]
        self.secrets = {"sleep_inducer": BLOCKS["sleep_inducer"].split()[0] + " " + token}

    def request(self, method, url, headers, body=None, kind=None):
        headers = {name: self.secrets[value] if isinstance(value, Secret) else value for name, value in headers.items()}
        if kind:
            headers["Content-Type"] = kind
        url = url.replace("http://192.168.1.5", self.server.url)
        return requests.request(method, url, headers=headers, data=body, timeout=10)

    def sensors(self) -> dict:
        """The state of every sensor; None: unavailable."""
        [resource] = BLOCKS["rest"]
        reply = self.request("GET", resource["resource"], resource["headers"])
        assert reply.status_code == 200
        states = {}
        for sensor in resource["binary_sensor"] + resource["sensor"]:
            values = {"value": reply.text, "value_json": reply.json()}
            if render(sensor.get("availability", "True"), values) == "True":
                states[sensor["name"]] = render(sensor["value_template"], values)
            else:
                states[sensor["name"]] = None
        return states

    def call(self, command, **data):
        wanted = BLOCKS["rest_command"][command]
        body = render(wanted["payload"], data) if "payload" in wanted else None
        return self.request(wanted["method"].upper(), wanted["url"], wanted["headers"], body, wanted.get("content_type"))


def render(template, values):
    return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(template).render(values)


@pytest.fixture
def assistant(server):
    Browser(server).log_in().enroll()
    return Assistant(server)


def test_sensors_follow_what_the_commands_do(assistant):
    before = assistant.sensors()
    assert before["Asleep"] == "False" and before["Back at"] is None and before["Focus"] == "idle"
    script = BLOCKS["script"]["story_time"]["sequence"][0]
    assert assistant.call(script["action"].removeprefix("rest_command."), **script["data"]).status_code == 201
    during = assistant.sensors()
    assert during["Asleep"] == "True"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", during["Back at"])
    assert assistant.call("sleep_now").status_code == 409
    assert assistant.call("cancel_sleep").status_code == 200
    assert assistant.call("keep_sleeping").status_code == 200
    assert assistant.call("focus").status_code == 201
    assert assistant.sensors()["Focus"] == "running"
    assert assistant.call("stop_focus").status_code == 200
    assert assistant.sensors()["Focus"] == "idle"


def test_the_next_bedtime_is_known_when_there_is_one(assistant):
    assert assistant.sensors()["Next bedtime"] is None
    url = "http://192.168.1.5/api/v1/schedule"
    headers = BLOCKS["rest"][0]["headers"]
    schedule = assistant.request("GET", url, headers).json() | {"isEnabled": True}
    schedule.pop("nextStart", None)
    reply = assistant.request("PUT", url, headers, json.dumps(schedule), "application/json")
    assert reply.status_code == 200, reply.text
    assert assistant.sensors()["Next bedtime"].endswith("Z")


def test_restricted_apps_are_told(assistant):
    assert assistant.sensors()["Restricted apps"] in ("allowed", "blocked")


def test_the_automation_knows_a_bedtime_from_other_events():
    text = (ROOT / "Docs/webhooks.md").read_text()
    sample = json.loads(re.search(r'^\{"at".*?\}$', text, re.M | re.S).group().replace("\n", ""))
    [automation] = yaml.load(re.search(r"```yaml\n(.*?)```", text, re.S).group(1), Loader)
    condition = automation["conditions"][0]["value_template"]
    assert render(condition, {"trigger": {"json": sample}}) == "True"
    assert render(condition, {"trigger": {"json": sample | {"event": "sleep.ended"}}}) == "False"
