"""The machine with etcd is gone, and a person lets another one lead: real machines, each in a namespace of its own."""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from failing import log_lines
from household import BINARY, PASSCODE, Browser, eventually
from lan import at, begin, cable, ip, machine, machines
from test_lan import UPSTREAM

FIRST, SECOND, THIRD, PHONE, SWITCH = PLACES = [
    machine(f"l-{name}") for name in ("first", "second", "third", "phone", "switch")]
ADDRESSES = {FIRST: "192.168.1.11", SECOND: "192.168.1.12", THIRD: "192.168.1.13", PHONE: "192.168.1.50"}
NEW_NETWORK = 0x40000000  # CLONE_NEWNET
OPEN = ["203.0.113.9"]


@contextlib.contextmanager
def within(place):
    """Sockets that this thread opens are that machine's."""
    libc = ctypes.CDLL(None, use_errno=True)
    home, there = os.open("/proc/thread-self/ns/net", os.O_RDONLY), os.open(f"/run/netns/{place}", os.O_RDONLY)
    try:
        assert libc.setns(there, NEW_NETWORK) == 0, os.strerror(ctypes.get_errno())
        yield
    finally:
        libc.setns(home, NEW_NETWORK)
        os.close(there)
        os.close(home)


class Box:
    """A machine with its server and, perhaps, its etcd."""

    def __init__(self, place, folder: Path):
        self.place, self.data, self.log = place, folder / place, folder / f"{place}.log"
        self.url, self.process, self.upstream = f"http://{ADDRESSES[place]}", None, None

    def command(self, *words, check=True):
        done = at(self.place, str(BINARY), *words, "--data", str(self.data), timeout=120)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def start(self, *flags):
        log = open(self.log, "ab")
        self.process = begin(
            self.place, str(BINARY), "serve", "--data", str(self.data), "--upstream", "127.0.0.1:5399", *flags,
            stdout=log, stderr=log)
        eventually(lambda: at(self.place, "curl", "-sf", "-m", "2", "http://127.0.0.1/healthz").returncode == 0, 40)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)

    @property
    def etcd(self) -> int | None:
        """The number of its etcd's process."""
        found = subprocess.run(
            ["pgrep", "-f", f"{self.data}/etcd/etcd.yml"], capture_output=True, text=True).stdout.split()
        return next((int(one) for one in found if Path(f"/proc/{one}/exe").resolve().name == "etcd"), None)

    def die(self):
        """Its power is cut."""
        self.process.kill()
        self.process.wait()
        if (etcd := self.etcd) is not None:
            os.kill(etcd, signal.SIGKILL)

    def boot(self):
        """Power is back: what systemd would start by itself."""
        if (self.data / "etcd/etcd.yml").exists():
            log = open(self.data.parent / f"{self.place}-etcd.log", "ab")
            script = 'echo $$ > "$0/pid"; exec env ETCD_UNSUPPORTED_ARCH=arm64 etcd --config-file "$0/etcd.yml"'
            begin(self.place, "sh", "-c", script, str(self.data / "etcd"), stdout=log, stderr=log, start_new_session=True)
        self.start()

    def call(self, method, path, **options):
        with within(PHONE):
            return requests.request(
                method, f"{self.url}/api/v1{path}", headers={"Authorization": f"Bearer {self.token}"}, timeout=20,
                **options)

    token = ""

    @property
    def health(self):
        with within(PHONE):
            return requests.get(f"{self.url}/healthz", timeout=5).json()

    @property
    def is_cut_off(self):
        return self.health.get("cutOff", False)

    @property
    def name(self):
        return self.call("GET", "/people").json()[0]["name"]

    @property
    def roles(self):
        return {one["name"]: one["role"] for one in self.call("GET", "/machines").json()["machines"]}

    @property
    def reign(self):
        return json.loads((self.data / "cluster.json").read_text()).get("reign", {}).get("number", 0)

    @property
    def log_kinds(self):
        return [line[0] for line in log_lines(self)]

    def is_blocked(self, name="tiktok.com"):
        words = ["dig", "+short", "+timeout=2", f"@{ADDRESSES[self.place]}", name]
        return at(PHONE, *words).stdout.split() != OPEN


class Home:
    """Machines that are one household, whose etcd is on the first; and a phone."""

    def __init__(self, folder: Path, *places):
        self.folder, self.children = folder, []
        ip("-n", SWITCH, "link", "add", "br0", "type", "bridge")
        ip("-n", SWITCH, "link", "set", "br0", "up")
        for number, (place, address) in enumerate(ADDRESSES.items()):
            cable(SWITCH, f"port{number}", place, "eth0", address=f"{address}/24", bridge="br0")
            # The address on the router's side is the one of the home.
            ip("-n", place, "route", "add", "default", "via", "192.168.1.1")
        self.boxes = [Box(place, folder) for place in places]
        for place in places:
            log = open(folder / f"upstream-{place}.log", "ab")
            self.children.append(begin(place, sys.executable, "-c", UPSTREAM, stdout=log, stderr=log))
        self.found()

    def found(self):
        first, *others = self.boxes
        first.start("--passcode", PASSCODE, "--time-zone", "Europe/Berlin")
        token = first.command("token").stdout.strip()
        first.stop()
        first.command("cluster", "start", "--name", "n0")
        first.start()
        eventually(lambda: not first.is_cut_off, 30)
        for number, box in enumerate(others, 1):
            code = first.command("cluster", "invite").stdout.splitlines()[-1]
            box.command("cluster", "join", code, "--name", f"n{number}")
            box.start()
        for box in self.boxes:
            box.token = token
            eventually(lambda box=box: not box.is_cut_off, 30)
        for box in self.boxes:
            eventually(lambda box=box: len(box.roles) == len(self.boxes), 30)

    def cut(self, box, is_down=True):
        """Pulls a machine's cable, or puts it back."""
        port = f"port{list(ADDRESSES).index(box.place)}"
        ip("-n", SWITCH, "link", "set", port, "down" if is_down else "up")

    def close(self):
        for box in self.boxes:
            if box.process and box.process.poll() is None:
                box.process.kill()
                box.process.wait()
            if (etcd := box.etcd) is not None:
                os.kill(etcd, signal.SIGKILL)
        for child in self.children:
            child.kill()
            child.wait()


@pytest.fixture
def home(tmp_path, request):
    with machines(*PLACES):
        home = Home(tmp_path, *getattr(request, "param", (FIRST, SECOND)))
        try:
            yield home
        finally:
            home.close()


class Phone(Browser):
    """A browser in the home."""

    def get(self, path, **options):
        with within(PHONE):
            return super().get(path, **options)

    def post(self, path, fields=None, page=None, **options):
        with within(PHONE):
            # `get` enters once more, and comes back to the same place.
            return super().post(path, fields, page, **options)

    def lead(self, passcode):
        """It waits until the new etcd takes changes, which on a busy machine takes a while."""
        with within(PHONE):
            fields = {"passcode": passcode, "csrf": super().csrf("/machines/lead")}
            return self.session.post(
                f"{self.server.url}/machines/lead", data=fields, timeout=120, allow_redirects=False)

    def log_in(self, passcode=PASSCODE):
        with within(PHONE):
            return super().log_in(passcode)


def rename(box, name):
    return box.call("PATCH", "/people/1", json={"name": name})


def test_another_machine_leads_and_the_first_one_joins_it_when_it_is_back(home):
    first, second = home.boxes
    eventually(lambda: first.roles == {"n0": "leads", "n1": "follows"}, 20)
    Phone(first).log_in().enroll().start_session(60, "strict")
    eventually(second.is_blocked, 10)
    first.die()
    eventually(lambda: second.is_cut_off, 20)
    # What is refused names the way out; nothing leads by itself.
    refused = rename(second, "Ada")
    assert (refused.status_code, refused.json()["code"]) == (503, "machines-unreachable")
    assert "More, Machines" in refused.json()["title"] + refused.json().get("detail", "")
    phone = Phone(second).log_in()
    for page in ("/", "/settings"):
        assert 'href="/machines' in phone.get(page).text
    assert "This machine leads now" in phone.get("/machines").text
    said = second.command("doctor", "--json", check=False).stdout
    assert "let this one lead" in said
    # Ways out go on, and the strict session stays.
    assert phone.post("/help", page="/help").status_code == 303
    assert phone.post("/session/cancel", page="/").status_code in (409, 503)
    assert second.is_blocked()
    wrong = phone.lead("not this one")
    assert wrong.status_code == 422 and second.is_cut_off and second.reign == 0
    led = phone.lead(PASSCODE)
    assert (led.status_code, led.headers.get("location")) == (303, "/machines?done=leads"), led.text[-2000:]
    assert not second.is_cut_off and second.reign == 1
    assert second.is_blocked() and phone.post("/session/cancel", page="/").status_code == 409
    assert rename(second, "Ada").ok
    eventually(lambda: second.roles == {"n0": "follows", "n1": "leads"}, 20)
    # The first one is back, with its own etcd and what it knew. It hears that its reign is over.
    first.boot()
    eventually(lambda: first.reign == 1 and not first.is_cut_off, 40)
    eventually(lambda: first.name == "Ada", 20)
    assert first.etcd is None and not (first.data / "etcd/etcd.yml").exists()
    assert first.is_blocked()
    eventually(lambda: "helpUsed" in first.log_kinds, 20)
    assert rename(first, "Grace").ok
    eventually(lambda: second.name == "Grace", 10)
    # And the other way round, by the command.
    second.die()
    eventually(lambda: first.is_cut_off, 20)
    assert "leads now" in first.command("cluster", "lead").stdout
    assert rename(first, "Lin").ok and first.reign == 2
    second.boot()
    eventually(lambda: second.reign == 2 and second.name == "Lin", 40)
    assert second.is_blocked() and first.is_blocked()


def test_what_both_took_apart_is_merged(home):
    first, second = home.boxes
    Phone(first).log_in().enroll()
    eventually(lambda: second.call("GET", "/devices").json(), 10)
    home.cut(second)
    with pytest.raises(requests.ConnectionError):
        second.health
    # The first one's etcd lives, so its changes count.
    assert rename(first, "Ada").ok
    child = first.call("POST", "/people", json={"name": "Mia", "role": "child"})
    assert child.status_code == 201, child.text
    cut_off = lambda: json.loads(at(SECOND, "curl", "-s", "http://127.0.0.1/healthz").stdout)["cutOff"]
    eventually(cut_off, 20)
    assert "leads now" in second.command("cluster", "lead").stdout
    made = at(SECOND, "curl", "-sf", "-X", "PUT", "http://127.0.0.1/api/v1/windows", "-H",
              f"Authorization: Bearer {second.token}", "-H", "Content-Type: application/json", "-d",
              json.dumps({"windows": [{"label": "Lunch", "start": "12:30", "end": "13:15"}]}))
    assert made.returncode == 0, made.stdout + made.stderr
    home.cut(second, is_down=False)
    eventually(lambda: first.reign == 1, 40)
    for box in (first, second):
        eventually(lambda box=box: box.name == "Ada", 20)
        eventually(lambda box=box: [one["name"] for one in box.call("GET", "/people").json()] == ["Ada", "Mia"], 20)
        eventually(lambda box=box: "Lunch" in box.call("GET", "/windows").text, 20)
        eventually(lambda box=box: not box.is_cut_off, 20)
    eventually(lambda: sorted(first.log_kinds) == sorted(second.log_kinds), 20)
    assert first.etcd is None and second.etcd is not None


@pytest.mark.parametrize("home", [(FIRST, SECOND, THIRD)], indirect=True)
def test_a_third_machine_follows_the_one_that_leads_and_one_that_joins_later_knows_it(home):
    first, second, third = home.boxes
    first.die()
    for box in (second, third):
        eventually(lambda box=box: box.is_cut_off, 20)
    assert "leads now" in second.command("cluster", "lead").stdout
    eventually(lambda: third.reign == 1 and not third.is_cut_off, 30)
    assert rename(third, "Ada").ok
    eventually(lambda: second.name == "Ada", 10)
    # Who leads already is not pushed aside by a second one that was asked to.
    assert third.command("cluster", "lead", check=False).returncode != 0
    # The machine that is gone for good can be removed; if it is back, nobody believes it, and it hears nothing.
    second.command("cluster", "remove", "n0")
    eventually(lambda: set(third.roles) == {"n1", "n2"}, 20)
    first.boot()
    time.sleep(12)
    assert first.reign == 0 and rename(third, "Grace").ok
    eventually(lambda: second.name == "Grace", 10)
    assert first.name != "Grace"


@pytest.mark.parametrize("home", [(FIRST, SECOND, THIRD)], indirect=True)
def test_a_machine_that_was_off_while_another_was_taken_out_is_told_etcds_new_password(home):
    first, second, third = home.boxes
    third.die()
    first.command("cluster", "remove", "n1")
    assert rename(first, "Ada").ok
    third.boot()
    eventually(lambda: not third.is_cut_off and third.name == "Ada", 40)
    assert rename(third, "Grace").ok
    eventually(lambda: first.name == "Grace", 10)
    # The one that is out hears nothing, and is told what to do.
    assert second.is_cut_off and second.name not in ("Ada", "Grace")
    said = second.command("doctor", check=False).stdout
    assert "does not know this machine any more" in said and "cluster leave --alone" in said, said
    assert "let this one lead" not in said
