"""A family whose week is stepped through: who they are, what they do when, and the same told to the oracle.

Each of `EVENTS` is done as a parent or a child would, over the API or a page, and then told to the oracle in the words of
the documents. Days count from the Thursday before the night in which the clock is changed.
"""

import datetime

import requests

from household import Browser, Server, eventually
from pictures import API, known
from week_oracle import DAYS, DateException, Device, Person, Window, Zone

ZONE = Zone("Europe/Berlin")
# A service name of a game is no use of it, so looking at it is none either.
GAME, LEFT_OUT, VIDEO, FILM = "metrics.roblox.com", "www.minecraft.net", "www.tiktok.com", "www.netflix.com"
CHAT, MAP, SITE = "web.whatsapp.com", "www.openstreetmap.org", "www.example.org"
CHECK, RESOLVER = "captive.apple.com", "dns.google"
NAMES = (GAME, LEFT_OUT, VIDEO, FILM, CHAT, MAP, SITE, CHECK, RESOLVER)
ALWAYS, HELPED = {CHECK}, {CHAT, MAP}
USE = ("www.roblox.com", "apis.roblox.com")

ADA, BEN, MIA, TOM = 1, 2, 3, 4
PHONES = {"127.0.0.2": ("Ada's phone", ADA), "127.0.0.3": ("Ben's phone", BEN), "127.0.0.4": ("Mia's tablet", MIA),
          "127.0.0.5": ("Mia's phone", MIA), "127.0.0.6": ("Tom's phone", TOM)}
TABLET, TOMS, TELEVISION, STRANGER = "127.0.0.4", "127.0.0.6", "127.0.0.7", "127.0.0.8"

WEEKEND = ("fri", "sat")
FREE = ("sat", "sun")
SCHOOL = DAYS[:5]
# Bedtime and wake time, and other ones on some days.
NIGHTS = {
    ADA: (("22:30", "06:30"), [(("sat",), "22:30", "02:30")]),
    MIA: (("20:00", "07:00"), [(WEEKEND, "21:30", "08:30")]),
    TOM: (("20:30", "06:45"), [(WEEKEND, "22:00", "08:00")]),
}
VIDEOS = [Window("15:00", "16:30", SCHOOL), Window("10:00", "12:00", FREE), Window("23:00", "02:30", WEEKEND)]
FILMS = [Window("17:00", "19:30", ("sun", *DAYS[:4])), Window("17:00", "00:30", WEEKEND)]
MINUTES = {day: 90 if day in FREE else 45 for day in DAYS}


def text_of(windows):
    return [{"start": one.start, "end": one.end, "days": list(one.days)} for one in windows]


class Family:
    """The household in the server, and the same family in the oracle."""

    def __init__(self, server: Server, clock, monday: datetime.date):
        self.server, self.clock, self.api = server, clock, API(server)
        self.now = clock.now  # the instant at which something is done
        self.first = monday - datetime.timedelta(days=4)
        self.people = {number: Person(ZONE) for number in (ADA, BEN, MIA, TOM)}
        self.devices = {address: Device(address, [self.people[person]]) for address, (_, person) in PHONES.items()}
        children = [self.people[MIA], self.people[TOM]]
        # Their times hold on the family's device and on a new one. A limit is a matter of whose minutes count: nobody's.
        self.devices[TELEVISION] = Device(TELEVISION, children, with_limits=False)
        self.stranger = Device(STRANGER, children, with_limits=False)

    def date(self, day: int) -> datetime.date:
        return self.first + datetime.timedelta(days=day)

    def instant(self, day: int, text: str) -> float:
        return ZONE.instant(self.date(day), text)

    def send(self, method, path, members=None, **query):
        return self.api.send(method, path, members, **query)

    def refuses(self, method, path, members, **query) -> str:
        """The code of the problem that it answers."""
        reply = self.api.session.request(method, self.api.url + path, json=members, params=query, timeout=20)
        assert reply.status_code == 409, f"{method} {path}: {reply.status_code} {reply.text[:300]}"
        return reply.json()["code"]

    def set_up(self):
        self.send("PATCH", f"/people/{ADA}", {"name": "Ada"})
        for number, name, role in ((BEN, "Ben", "adult"), (MIA, "Mia", "child"), (TOM, "Tom", "child")):
            assert self.send("POST", "/people", {"name": name, "role": role})["id"] == number
        for number in NIGHTS:
            self.save_schedule(number, "flexible")
        self.allow(ADA, CHAT, "whatsapp")
        self.allow(MIA, CHAT, "whatsapp")
        for number in (BEN, TOM):
            self.allow(number)
        self.set_up_mia()
        self.set_up_devices()

    def save_schedule(self, number: int, strictness: str):
        (start, end), others = NIGHTS[number]
        exceptions = [{"days": list(days), "start": begin, "end": wake} for days, begin, wake in others]
        self.send("PUT", "/schedule", {"isEnabled": True, "start": start, "end": end, "strictness": strictness,
                                       "exceptions": exceptions}, person=number)
        self.people[number].nights = {day: (start, end) for day in DAYS} | {
            day: (begin, wake) for days, begin, wake in others for day in days}

    def allow(self, number: int, *names_and_app):
        self.send("PUT", "/selections/allowed", {"apps": list(names_and_app[1:]), "categories": [], "domains": []},
                  person=number)
        self.people[number].allowed = set(names_and_app[:1])

    def set_up_mia(self):
        mia = self.people[MIA]
        self.send("PUT", "/selections/restricted", {"apps": ["tiktok"], "categories": [], "domains": []}, person=MIA)
        self.send("PUT", "/windows", {"windows": text_of(VIDEOS)}, person=MIA)
        self.send("PUT", "/window-sets", {"sets": [
            {"name": "Films", "apps": [], "categories": ["video"], "windows": text_of(FILMS)}]}, person=MIA)
        mia.sets = [({VIDEO}, VIDEOS), ({FILM}, FILMS)]
        by_day = {day: minutes for day, minutes in MINUTES.items() if minutes != 45}
        self.send("PUT", "/limits", {"limits": [
            {"category": "games", "minutes": 45, "minutesByDay": by_day, "leavesOut": ["minecraft"]}]}, person=MIA)
        mia.limited, mia.minutes, mia.ways_out = {GAME}, MINUTES, {RESOLVER}

    def set_up_devices(self):
        for address in self.devices:
            self.server.ask(SITE, source=address)
        found = eventually(lambda: known(self.api, set(self.devices)))
        for address, (name, person) in PHONES.items():
            kind = "tablet" if address == TABLET else "phone"
            self.send("PATCH", f"/devices/{found[address]}", {"name": name, "kind": kind, "person": person})
        self.send("PATCH", f"/devices/{found[TELEVISION]}", {
            "name": "Television", "kind": "television", "family": {"times": "anyChild"}})
        reply = Browser(self.server).log_in().post("/settings/new-devices", {"newDevices": "children"})
        assert reply.status_code == 303, reply.text[:500]

    # What happens in the week.

    def plan_holidays(self):
        """School holidays from Monday to Wednesday, entered the week before."""
        self.add_exception(4, 6, {"instead": "weekday", "weekday": "sat"}, (MIA, TOM), "sat")

    def stay_in_bed(self):
        """Mia is ill on Friday: no bedtime, no windows, no limits."""
        self.add_exception(1, 1, {"instead": "nothing"}, (MIA,), None)

    def add_exception(self, first, last, instead, numbers, weekday):
        self.send("POST", "/dates", {"first": f"{self.date(first)}", "last": f"{self.date(last)}", "people": list(numbers),
                                     **instead})
        for number in numbers:
            self.people[number].exceptions.append(DateException(self.date(first), self.date(last), weekday))

    def give_bonus(self):
        self.send("POST", f"/people/{MIA}/bonus", {"minutes": 30})
        self.people[MIA].give(30, self.now)

    def later(self, number):
        """30 minutes later tonight."""
        self.send("POST", f"/people/{number}/later", {})
        start = self.people[number].night(self.today)[0] + 30 * 60
        self.people[number].tonight[self.today] = f"{datetime.datetime.fromtimestamp(start, ZONE.zone):%H:%M}"

    def skip(self, number):
        self.send("POST", f"/people/{number}/skip", {})
        self.people[number].tonight[self.today] = None

    def sleep_over(self):
        """Tom's friend is here: another bedtime today."""
        self.send("POST", f"/people/{TOM}/at", {"time": "23:30"})
        self.people[TOM].tonight[self.today] = "23:30"

    def eat(self):
        self.send("POST", "/override", {"person": MIA})
        self.people[MIA].overrides.append((self.now, self.now + 45 * 60))

    def rest(self):
        """Ben rests for an hour, strictly."""
        self.send("POST", "/session", {"durationMinutes": 60, "strictness": "strict", "person": BEN})
        self.people[BEN].sessions.append((self.now, self.now + 60 * 60))

    def put_children_to_bed(self):
        """Bedtime now, to the end of tonight's schedule."""
        assert self.send("POST", "/people/bedtime", {"group": "children"})["people"] == [MIA, TOM]
        for number in (MIA, TOM):
            person = self.people[number]
            person.sessions.append((self.now, person.night(self.today)[1]))

    def wake_mia(self):
        """At six, for seven o'clock."""
        self.send("POST", f"/people/{MIA}/wake-at", {"time": "07:00"})
        self.people[MIA].woken[self.today - datetime.timedelta(days=1)] = ZONE.instant(self.today, "07:00")

    def try_to_wake_tom(self):
        """Neither a parent nor the passcode ends a strict night."""
        self.refuses("POST", f"/people/{TOM}/wake-at", {"time": "07:00"})
        self.refuses("POST", "/session/cancel", {"person": TOM})

    def press_help(self):
        """Calls, messages, maps and health, for 15 minutes on the device that asks."""
        phone = requests.Session()
        phone.mount("http://", Browser(self.server, TOMS).session.get_adapter("http://"))
        assert phone.post(self.server.url + "/help", allow_redirects=False, timeout=20).headers["Location"] == "/help"
        self.devices[TOMS].help.append((self.now, self.now + 15 * 60, HELPED))

    def meet_stranger(self):
        """A new device: the children's rules hold until somebody says whose it is."""
        self.server.ask(SITE, source=STRANGER)
        eventually(lambda: known(self.api, {STRANGER}))
        self.devices[STRANGER] = self.stranger

    def give_stranger_to_ben(self):
        number = known(self.api, {STRANGER})[STRANGER]
        self.send("PATCH", f"/devices/{number}", {"name": "Ben's new phone", "kind": "phone", "person": BEN})
        self.devices[STRANGER] = Device(STRANGER, [self.people[BEN]])

    @property
    def today(self) -> datetime.date:
        return ZONE.date(self.now)


EVENTS = [
    (0, "12:10", Family.plan_holidays),
    (0, "16:50", Family.give_bonus),
    (0, "19:40", lambda family: family.later(TOM)),
    (1, "02:00", lambda family: family.server.kill()),
    (1, "02:03", lambda family: family.server.start()),
    (1, "07:45", Family.stay_in_bed),
    (1, "10:00", Family.meet_stranger),
    (1, "12:00", lambda family: family.save_schedule(TOM, "strict")),
    (1, "18:00", lambda family: family.skip(ADA)),
    (2, "12:30", Family.eat),
    (2, "18:00", lambda family: family.skip(MIA)),
    (2, "18:05", Family.sleep_over),
    (3, "06:00", Family.try_to_wake_tom),
    (3, "18:00", lambda family: family.save_schedule(TOM, "flexible")),
    # The power is away over Mia's bedtime and Tom's.
    (3, "19:30", lambda family: family.server.kill()),
    (3, "20:40", lambda family: family.server.start()),
    (3, "22:00", Family.press_help),
    (4, "14:00", Family.rest),
    (4, "20:45", Family.put_children_to_bed),
    (5, "21:00", lambda family: family.later(ADA)),
    (6, "06:00", Family.wake_mia),
    (6, "09:00", Family.give_stranger_to_ben),
]
# Mia plays until her minutes are used up; on the day in bed they are not.
PLAYS = [(0, "16:00", "17:40"), (1, "16:00", "18:00"), (4, "10:00", "11:50"), (7, "07:10", "08:10")]
