"""The code that lets a new machine in, as people carry it: from a page or a terminal, by hand or by a phone."""

import json
import os
import re
import subprocess

import pytest

from cluster import Nodes, linked
from household import BINARY, PASSCODE
from test_first_minutes import read_lines, scan
from test_look import Visitor, chromium, picture  # noqa: F401

GROUPS = r"[0-9a-z]{5}(?:-[0-9a-z]{5}){7}"
COMMAND = f"sudo sleep-inducer cluster join {GROUPS}"


@pytest.fixture
def one(tmp_path, upstream, etcd):
    """A household that is ready for a second machine."""
    nodes = Nodes(tmp_path, upstream, etcd, 1)
    yield nodes
    nodes.close()


def join(code, data, *words):
    return subprocess.run(
        [BINARY, "cluster", "join", code, "--data", data, *words], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("size", [(390, 844), (800, 480), (1440, 900)], ids=["phone", "display", "laptop"])
def test_a_phone_scans_the_whole_command_from_the_page(one, chromium, tmp_path, size):  # noqa: F811
    visitor = Visitor(chromium, one.all[0], "phone").log_in()
    page = visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(one.all[0].url + "/machines/invite")
    page.fill("#passcode", PASSCODE)
    page.click("main form button")
    page.wait_for_selector(".phone-code svg")
    assert visitor.overflow() <= 0 and visitor.noise == []
    shown = page.locator(".command code").inner_text()
    assert re.fullmatch(COMMAND, shown), shown
    picture(page, f"machine-invited-{size[0]}")
    assert scan(page.locator(".phone-code svg"), tmp_path / "code.png") == shown
    # Copy gives what the phone reads, and it lets a machine in.
    assert page.locator(".copy").get_attribute("data-copy") == shown
    assert join(shown.split()[-1], tmp_path / "n1", "--name", "n1").returncode == 0
    visitor.close()


def test_a_phone_scans_it_from_a_terminal_and_a_person_types_it(one, tmp_path):
    master, slave = os.openpty()
    made = subprocess.Popen([BINARY, "cluster", "invite", "--data", one.all[0].data], stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    try:
        while more := os.read(master, 4096):
            shown += more
    except OSError:
        pass  # It has ended.
    os.close(master)
    assert made.wait(20) == 0, shown
    text = shown.decode()
    code = text.split()[-1]
    assert read_lines(text, tmp_path / "terminal.pgm") == f"sudo sleep-inducer cluster join {code}"
    # Into a file goes no picture.
    assert re.fullmatch(f"On the new machine, .*CODE\n{GROUPS}\n", one.all[0].command("cluster", "invite").stdout)
    typed = code.upper().replace("-", " ").replace("0", "O")
    assert join(typed, tmp_path / "n1", "--name", "n1").returncode == 0
    linked(one.all[0])
    status = json.loads(one.all[0].command("cluster", "status", "--json").stdout)
    assert [member["name"] for member in status["members"]] == ["n0", "n1"]
    # It is worth nothing now, and says nothing of the household.
    again = join(code, tmp_path / "n2")
    assert again.returncode == 1 and "was used already" in again.stderr
