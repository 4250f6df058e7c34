"""A family's week over a change of the clock, stepped through minute by minute: DNS and an independent oracle agree."""

import collections
import datetime
import itertools
import random
import select
import socket
import struct
import time

import dns.message
import pytest

from household import PATIENCE, Server, Upstream, prepared
from stepped_time import SteppedTime
from week_family import ALWAYS, EVENTS, MIA, NAMES, PLAYS, TABLET, USE, ZONE, Family
from week_oracle import MINUTE

OPEN, BLOCKED = socket.inet_aton(Upstream.ADDRESS), {socket.inet_aton(address) for address in ("127.0.0.1", "0.0.0.0")}
# How long a look waits for the server to follow, in seconds: much longer than it needs, on a machine that does more beside
# it. For what was still different at the last look, that is in vain. The last look before a change is so early.
PATIENT, IN_VAIN, BEFORE = 10 * PATIENCE, 0.3, 15 * PATIENCE


class Asker:
    """Asks many names from many addresses at once."""

    def __init__(self, port: int):
        self.port, self.sockets = port, {}
        self.queries = {name: dns.message.make_query(name, "A", id=0).to_wire()[2:] for name in (*NAMES, *USE)}
        self.numbers = itertools.cycle(range(1, 65_536))

    def connected(self, address: str) -> socket.socket:
        if address not in self.sockets:
            self.sockets[address] = socket.socket(type=socket.SOCK_DGRAM)
            self.sockets[address].bind((address, 0))
            self.sockets[address].connect(("127.0.0.1", self.port))
        return self.sockets[address]

    def ask(self, questions) -> dict:
        """Whether each (address, name) is open, by its answer."""
        asked = {}
        for address, name in questions:
            number = next(self.numbers)
            asked[address, number] = (address, name)
            self.connected(address).send(struct.pack("!H", number) + self.queries[name])
        answers, until = {}, time.monotonic() + 5 * PATIENCE
        owners = {self.connected(address): address for address, _ in questions}
        while asked and time.monotonic() < until:
            for one in select.select(owners, [], [], 0.5)[0]:
                reply = one.recv(4096)
                question = asked.pop((owners[one], struct.unpack_from("!H", reply)[0]), None)
                if question:
                    answers[question] = is_open(reply)
        assert not asked, f"no answer to {list(asked.values())[:5]}"
        return answers

    def close(self):
        for one in self.sockets.values():
            one.close()
        self.sockets = {}


def is_open(reply: bytes) -> bool:
    address = reply[-4:]
    assert address == OPEN or address in BLOCKED, dns.message.from_wire(reply).to_text()
    return address == OPEN


class Week:
    """The week as it goes on: what is done, what is asked, and where the answers differ from the oracle's."""

    def __init__(self, family: Family):
        self.family, self.clock = family, family.clock
        self.asker = Asker(family.server.dns_port)
        self.chance = random.Random(37)
        self.compared = collections.Counter()
        self.differences, self.differing = [], set()
        self.events = sorted(((family.instant(day, text), act) for day, text, act in EVENTS), key=lambda event: event[0])
        self.plays = [(family.instant(day, start), family.instant(day, end)) for day, start, end in PLAYS]

    @property
    def is_up(self) -> bool:
        return self.family.server.process.poll() is None

    def expected(self, instant: float) -> dict:
        return {(address, name): device.is_open(name, instant, ALWAYS)
                for address, device in self.family.devices.items() for name in NAMES}

    def run(self, start: float, end: float):
        last = self.expected(start)
        for instant in range(int(start), int(end), MINUTE):
            if self.expected(instant) != last and self.clock.now < instant - BEFORE:
                self.clock.step_to(instant - BEFORE)
                self.look(instant - BEFORE)
            self.clock.step_to(instant)
            while self.events and self.events[0][0] <= instant:
                self.family.now, act = self.events.pop(0)
                act(self.family)
            last = self.expected(instant)
            self.look(instant)
            self.play(instant)

    def play(self, instant: float):
        """A game's own pages, three times in the minute and at no regular beat, which would be a machine's. Where they are
        answered, it is a minute of use."""
        if not self.is_up or not any(start <= instant < end for start, end in self.plays):
            return
        self.let_it_count(instant)
        answers = self.asker.ask([(TABLET, name) for name in USE])
        for second in (self.chance.randint(5, 25), self.chance.randint(30, 50)):
            time.sleep(0.05)
            self.clock.step_to(instant + second)
            self.asker.ask([(TABLET, self.chance.choice(USE))])
        if all(answers.values()):
            self.family.people[MIA].used.setdefault(ZONE.date(instant), []).append(instant)

    def let_it_count(self, instant: float):
        """The server counts look-ups within a second after them. So the next minute does not come before that."""
        over, began = len(self.family.people[MIA].minutes_over(instant)), time.monotonic()
        while time.monotonic() < began + 2 * PATIENCE:
            (limit,) = self.family.send("GET", "/limits", person=MIA)["limits"]
            if limit["usedMinutes"] >= over - 1:
                break
            time.sleep(0.05)

    def look(self, instant: float):
        """Asks what the oracle has an answer to; what differs is asked again until the server had time to follow."""
        if not self.is_up:
            self.asker.close()
            return
        time.sleep(0.01)
        expected = {question: verdict for question, verdict in self.expected(instant).items() if verdict is not None}
        wrong, began = expected, time.monotonic()
        while True:
            answers = self.asker.ask(wrong)
            wrong = {question: verdict for question, verdict in wrong.items() if answers[question] != verdict}
            if time.monotonic() > began + (IN_VAIN if wrong.keys() <= self.differing else PATIENT) or not wrong:
                break
            time.sleep(0.02)
        self.differing = set(wrong)
        self.compared.update(expected.values())
        self.differences += [(instant, *question, verdict) for question, verdict in wrong.items()]

    def told(self) -> str:
        """The differences, with the first and the last minute of each."""
        spans = {}
        for instant, address, name, verdict in self.differences:
            spans.setdefault((address, name, verdict, int(instant) // 43_200), []).append(instant)
        return "\n".join(
            f"{address} {name}: {'blocked' if verdict else 'open'}, should be {'open' if verdict else 'blocked'}, "
            f"{len(found)} looks from {clock_text(found[0])} to {clock_text(found[-1])}"
            for (address, name, verdict, _), found in spans.items())


def clock_text(instant: float) -> str:
    return f"{datetime.datetime.fromtimestamp(instant, ZONE.zone):%a %d %b %H:%M:%S %Z}"


def last_sunday(month: int) -> datetime.date:
    """Of the next such month that is not over."""
    today = datetime.date.today()
    year = today.year + (today.month >= month)
    day = datetime.date(year, month, 31)
    return day - datetime.timedelta(days=(day.weekday() + 1) % 7)


@pytest.mark.nightly
@pytest.mark.parametrize("month", [3, 10])
def test_every_minute_of_a_familys_week_is_as_the_documents_say(tmp_path, month):
    """UR-011 to UR-024 in one week, from Thursday noon to Thursday noon; in its middle the clock is changed."""
    prepared()
    upstream = Upstream()
    monday = last_sunday(month) + datetime.timedelta(days=1)
    clock = SteppedTime(tmp_path, datetime.datetime.combine(
        monday - datetime.timedelta(days=4), datetime.time(11), ZONE.zone))
    server = Server(tmp_path / "data", upstream, environment=clock.environment)
    week = None
    try:
        family = Family(server, clock, monday)
        family.set_up()
        week = Week(family)
        week.run(family.instant(0, "12:00"), family.instant(7, "12:00"))
    finally:
        if week:
            week.asker.close()
        server.stop()
        upstream.close()
    assert len(family.people[MIA].used[family.date(1)]) == 120, "the day in bed has no limits"
    assert week.compared[True] > 100_000 and week.compared[False] > 100_000, week.compared
    print(f"\n{week.compared.total():,} answers compared, {week.compared[False]:,} of them blocked")
    assert not week.differences, week.told()
