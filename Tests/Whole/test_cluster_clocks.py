"""A focus timer in a household on two machines whose clocks differ, and which no time source sets."""

import time

import pytest

from cluster import Etcd, Nodes, linked
from household import eventually
from test_clock_jumps import MachineTime

MINUTE = 60


class House:
    def __init__(self, folder, upstream, ahead):
        """`ahead`: by how many seconds the second machine's clock is ahead."""
        self.etcd = Etcd(folder, members=1)
        self.nodes = Nodes(folder, upstream, self.etcd, 2)
        for number, seconds in enumerate((0, ahead)):
            place = folder / f"clock-{number}"
            place.mkdir()
            clock, node = MachineTime(place), self.nodes.all[number]
            clock.set(seconds)
            node.stop()
            node.environment = clock.environment
            node.start()
        for node in self.nodes.all:
            linked(node)
        self.people = [1, self.call(0, "POST", "/people", json={"name": "Kim"})["id"]]

    def call(self, number, method, path, **options):
        reply = self.nodes.api(self.nodes.all[number], method, path, **options)
        assert reply.ok, reply.text
        return reply.json()

    def focus(self, number, person):
        return self.call(number, "GET", f"/focus?person={person}")

    def history(self, number, person):
        return self.call(number, "GET", f"/focus/sessions?person={person}")["sessions"]

    def begin(self, number, person, minutes=1):
        self.call(number, "POST", f"/focus?person={person}", json={"minutes": minutes})
        return time.monotonic()

    def close(self):
        self.nodes.close()
        self.etcd.close()


@pytest.fixture
def house(tmp_path, upstream, request):
    house = House(tmp_path, upstream, request.param)
    yield house
    house.close()


@pytest.mark.parametrize("house", [-20, 1_800, -1_800], indirect=True)
def test_a_focus_timer_has_its_whole_time_on_machines_whose_clocks_differ(house):
    begun = [house.begin(number, person) for number, person in enumerate(house.people)]
    # The other machine hears of it with the next change, and of the clocks within a second of its start.
    eventually(lambda: house.focus(1, 1)["state"] == house.focus(0, house.people[1])["state"] == "running")
    while time.monotonic() < min(begun) + MINUTE - 3:
        for person, start in zip(house.people, begun):
            left = MINUTE - (time.monotonic() - start)
            for number in (0, 1):
                shown = house.focus(number, person)
                assert shown["state"] == "running" and abs(shown["remainingSeconds"] - left) < 4, (number, left, shown)
                assert house.history(number, person) == []
        time.sleep(2)
    for person, start in zip(house.people, begun):
        eventually(lambda: all(house.focus(number, person)["state"] == "idle" for number in (0, 1)), 10)
        assert MINUTE - 1 < time.monotonic() - start < MINUTE + 8
        eventually(lambda: house.history(1, person) == house.history(0, person))
        assert [(one["durationSeconds"], one["completed"]) for one in house.history(0, person)] == [(MINUTE, True)]


@pytest.mark.parametrize("house", [1_800], indirect=True)
def test_the_other_machine_pauses_a_timer_and_ends_one_whose_machine_is_gone(house):
    first, second = house.people
    house.begin(0, first, minutes=25)
    begun = house.begin(0, second)
    eventually(lambda: house.focus(1, second)["state"] == house.focus(1, first)["state"] == "running")
    house.call(1, "POST", f"/focus/pause?person={first}")
    paused = house.focus(1, first)
    assert paused["state"] == "paused" and 1_490 <= paused["remainingSeconds"] <= 1_500, paused
    eventually(lambda: house.focus(0, first) | {"finished": None} == paused | {"finished": None})
    house.nodes.all[0].kill()
    while time.monotonic() < begun + 2 * MINUTE - 3:
        assert house.focus(1, second)["state"] == "running" and house.history(1, second) == []
        time.sleep(2)
    eventually(lambda: house.focus(1, second)["state"] == "idle", 15)
    assert [(one["durationSeconds"], one["completed"]) for one in house.history(1, second)] == [(MINUTE, True)]
    # Its machine comes back, finds it ended, and nobody has it twice.
    house.nodes.all[0].start()
    linked(house.nodes.all[0])
    eventually(lambda: house.focus(0, second)["state"] == "idle")
    eventually(lambda: house.history(0, second) == house.history(1, second), 10)
    house.call(0, "POST", f"/focus/resume?person={first}")
    left = house.focus(0, first)["remainingSeconds"]
    assert abs(left - paused["remainingSeconds"]) <= 2
    eventually(lambda: abs(house.focus(1, first)["remainingSeconds"] - left) < 4)
