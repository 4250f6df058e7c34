"""Docs/metrics.md lists all of /metrics and /healthz, and all that it says is true."""

import re

import requests
import yaml

from household import ROOT

TEXT = (ROOT / "Docs/metrics.md").read_text()


def metrics(server):
    """Every metric with its type and its help, as Prometheus would read them."""
    token = server.command("token", "--name", "prometheus").stdout.split()[-1]
    reply = requests.get(f"{server.url}/metrics", headers={"Authorization": f"Bearer {token}"}, timeout=10)
    assert reply.status_code == 200 and reply.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    found = {}
    for line in reply.text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            found[name] = kind
        elif not line.startswith("#"):
            name, value = re.fullmatch(r'(\w+)(?:\{code="\dxx"\})? (\S+)', line).groups()
            assert name in found and float(value) >= 0
    return found


def test_every_metric_is_documented_and_every_documented_one_exists(server):
    found = metrics(server)
    alone = [name for name in re.findall(r"^\| `(\w+)` \|", TEXT, re.M) if "_cluster_" not in name]
    assert sorted(alone) == sorted(found)
    assert all((kind == "counter") == name.endswith("_total") for name, kind in found.items())


def test_the_alert_speaks_of_metrics_that_exist(server):
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.S)]
    assert blocks[0]["scrape_configs"][0]["job_name"] == "sleep-inducer"
    named = {name for rule in blocks[1]["groups"][0]["rules"] for name in re.findall(r"sleep_inducer_\w+", rule["expr"])}
    assert named and named <= set(metrics(server))


def test_health_is_told_without_a_login(server):
    told = re.search(r"^\{.*\}$", TEXT, re.M).group()
    reply = requests.get(f"{server.url}/healthz", timeout=10)
    assert reply.status_code == 200 and reply.text == told
