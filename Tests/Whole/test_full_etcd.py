"""An etcd of somebody else's that is full: what is said, and that the commands in the documents mend it."""

import re
import subprocess
from pathlib import Path

import pytest

from cluster import Etcd, Nodes
from failing import agree
from household import Browser, eventually

DOCUMENT = Path(__file__).parents[2] / "Docs/two-machines.md"


@pytest.fixture
def etcd(tmp_path):
    etcd = Etcd(tmp_path, members=1, flags=["--quota-backend-bytes", str(4 << 20)])
    yield etcd
    etcd.close()


def test_a_full_etcd_is_named_and_the_documented_commands_mend_it(nodes: Nodes, etcd):
    first, second = nodes.all
    assert nodes.api(first, "POST", "/session", json={"durationMinutes": 60, "strictness": "strict"}).ok
    agree(nodes.all)
    for _ in range(100):
        filled = etcd.control("put", "fill", check=False, value="x" * 100_000)
        if filled.returncode != 0:
            break
    assert "space exceeded" in filled.stderr, filled.stderr
    refused = nodes.api(first, "PATCH", "/people/1", json={"name": "Nobody"})
    assert refused.status_code == 503 and "etcd is full" in refused.text, refused.text
    owner = Browser(first).log_in()
    for said in (first.command("doctor").stdout, owner.get("/machines").text, owner.get("/health").text):
        assert "etcd is full" in said and "Docs/two-machines.md has the commands" in said, said
    # Ways out go on.
    assert nodes.api(second, "POST", "/reset", json={"confirm": True}).ok
    [commands] = re.findall(r"An etcd that you run takes no changes when it is full.*?```\n(.*?)```", DOCUMENT.read_text(), re.S)
    done = subprocess.run(
        ["sh", "-ec", commands], capture_output=True, text=True, timeout=60,
        env={"ETCDCTL_ENDPOINTS": etcd.endpoints[0], "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    eventually(lambda: nodes.api(first, "PATCH", "/people/1", json={"name": "Ada"}).ok, 10)
    assert agree(nodes.all)[("person", 1)]["name"] == "Ada"
    eventually(lambda: "etcd is full" not in first.command("doctor").stdout, 10)
