"""Who may reach what, minute by minute, as the documents say it. It is written from them, and asks the program nothing."""

import dataclasses
import datetime
import functools
import zoneinfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MINUTE = 60
# So many minutes around a limit's end, either answer is right: use is an estimate.
LEEWAY = 2


class Zone:
    """The household's wall clock."""

    def __init__(self, name: str):
        self.zone = zoneinfo.ZoneInfo(name)

    @functools.cache
    def date(self, instant: float) -> datetime.date:
        return datetime.datetime.fromtimestamp(instant, self.zone).date()

    @functools.cache
    def instant(self, date: datetime.date, text: str) -> float:
        """A repeated time means its first occurrence, a skipped one the first instant after the gap."""
        hour, minute = map(int, text.split(":"))
        wall = datetime.datetime.combine(date, datetime.time(hour, minute), self.zone)
        late, early = wall.timestamp(), wall.replace(fold=1).timestamp()
        if early >= late:
            return late
        offset = wall.replace(fold=1).utcoffset()
        while datetime.datetime.fromtimestamp(early, self.zone).utcoffset() != offset:
            early += MINUTE
        return early

    def span(self, date: datetime.date, start: str, end: str) -> tuple[float, float]:
        """An end that is not after the start is on the next day."""
        later = date if end > start else date + datetime.timedelta(days=1)
        return self.instant(date, start), self.instant(later, end)


@dataclasses.dataclass
class DateException:
    first: datetime.date
    last: datetime.date
    weekday: str | None  # whose rules hold; none: no rules


@dataclasses.dataclass
class Window:
    start: str
    end: str
    days: tuple = DAYS


@dataclasses.dataclass
class Person:
    zone: Zone
    nights: dict = dataclasses.field(default_factory=dict)  # bedtime and wake time by weekday
    allowed: set = dataclasses.field(default_factory=set)  # what stays open while asleep
    sets: list = dataclasses.field(default_factory=list)  # the names of each set, and its windows
    limited: set = dataclasses.field(default_factory=set)
    minutes: dict = dataclasses.field(default_factory=dict)  # of the limit, by weekday
    ways_out: set = dataclasses.field(default_factory=set)  # what is closed by day too
    exceptions: list = dataclasses.field(default_factory=list)
    tonight: dict = dataclasses.field(default_factory=dict)  # by date: another bedtime, or none
    woken: dict = dataclasses.field(default_factory=dict)  # by date: when its night ended early
    sessions: list = dataclasses.field(default_factory=list)
    overrides: list = dataclasses.field(default_factory=list)
    budgets: dict = dataclasses.field(default_factory=dict)  # by date: minutes after a bonus
    used: dict = dataclasses.field(default_factory=dict)  # by date: the instants of minutes

    def weekday(self, date: datetime.date) -> str | None:
        """By which weekday's rules a date goes: the last exception that is about it says so."""
        for one in reversed(self.exceptions):
            if one.first <= date <= one.last:
                return one.weekday
        return DAYS[date.weekday()]

    def night(self, date: datetime.date) -> tuple[float, float] | None:
        """The night whose bedtime is on that date."""
        times = self.nights.get(self.weekday(date))
        if not times or self.tonight.get(date, "") is None:
            return None
        start, end = self.zone.span(date, *times)
        if date in self.tonight:
            start = self.zone.instant(date, self.tonight[date])
        end = min(end, self.woken.get(date, end))
        return (start, end) if start < end else None

    def is_asleep(self, instant: float) -> bool:
        date = self.zone.date(instant)
        nights = [self.night(date), self.night(date - datetime.timedelta(days=1))]
        return any(one and one[0] <= instant < one[1] for one in nights + self.sessions)

    def is_shut(self, windows: list, instant: float) -> bool:
        """Outside every window. A window goes by the date on which it begins."""
        today = self.zone.date(instant)
        if self.weekday(today) is None or any(start <= instant < end for start, end in self.overrides):
            return False
        for date in (today, today - datetime.timedelta(days=1)):
            for window in windows:
                start, end = self.zone.span(date, window.start, window.end)
                if self.weekday(date) in window.days and start <= instant < end:
                    return False
        return True

    def minutes_over(self, instant: float) -> list:
        """When each minute of the day's use was over: that is when it counts."""
        used = self.used.get(self.zone.date(instant), ())
        return [minute + MINUTE for minute in used if minute + MINUTE <= instant]

    def budget(self, date: datetime.date) -> int:
        return self.budgets.get(date, self.minutes[self.weekday(date)])

    def give(self, minutes: int, instant: float):
        """More minutes today, from now on."""
        date = self.zone.date(instant)
        self.budgets[date] = max(self.budget(date), len(self.minutes_over(instant))) + minutes

    def limit(self, instant: float) -> bool | None:
        """Whether the limit is reached; none where either answer is right."""
        date = self.zone.date(instant)
        if self.weekday(date) is None or not self.minutes:
            return False
        budget, over = self.budget(date), self.minutes_over(instant)
        if len(over) < budget:
            return None if over and len(over) >= budget - LEEWAY else False
        return None if instant < over[budget - 1] + LEEWAY * MINUTE else True

    def blocks(self, name: str, instant: float, with_limits: bool) -> bool | None:
        if self.is_asleep(instant) and name not in self.allowed:
            return True
        if name in self.ways_out or any(name in names and self.is_shut(windows, instant) for names, windows in self.sets):
            return True
        return self.limit(instant) if with_limits and name in self.limited else False


@dataclasses.dataclass
class Device:
    """The people whose rules hold on it; whether their limits do; and what Help opens on it, from when until when."""

    address: str
    people: list
    with_limits: bool = True
    help: list = dataclasses.field(default_factory=list)

    def is_open(self, name: str, instant: float, always: set) -> bool | None:
        """None where either answer is right. A name is closed where the rules of one of them close it."""
        if name in always or any(name in names and start <= instant < end for start, end, names in self.help):
            return True
        blocked = [person.blocks(name, instant, self.with_limits) for person in self.people]
        return False if True in blocked else None if None in blocked else True
