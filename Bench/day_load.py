"""The load of a household's day: questions by the hour, bedtimes looked at when they come, dashboards that are open."""

import random
import select
import socket
import struct
import threading
import time

import dns.message

QUESTIONS = 80_000
# How busy each hour is, from midnight on; phones ask at night too.
BUSY = [3, 2, 2, 2, 2, 3, 8, 20, 16, 14, 14, 15, 18, 18, 17, 20, 25, 30, 34, 36, 34, 28, 18, 8]
APPS = [
    ["www.youtube.com", "i.ytimg.com", "youtubei.googleapis.com", "rr3---sn-4g5e6nez.googlevideo.com"],
    ["www.tiktok.com", "webcast.tiktok.com", "v16m.tiktokcdn.com", "p16-sign-va.tiktokcdn-us.com"],
    ["i.instagram.com", "www.instagram.com", "graph.instagram.com", "edge-mqtt.instagram.com"],
    ["g.whatsapp.net", "mmg.whatsapp.net", "web.whatsapp.com"], ["spclient.wg.spotify.com", "open.spotify.com"],
    ["www.netflix.com", "api-global.netflix.com", "occ-0-2433-2430.1.nflxso.net"],
]
# Minutes that a person stays with an app; how many such times there are in all, and the seconds between two questions.
STAY, TIMES, PACE = 12, 150, 20
SHIELD = b"\x7f\0\0\1"


def questions(hours: int, devices: list[str]) -> list[tuple[float, str, str]]:
    """The hour since noon, the device's address and the name of each question, in order; the same in every run."""
    chance = random.Random(21)
    asked = [(hour, chance.choice(devices), name(chance)) for hour in moments(chance, QUESTIONS)]
    for begin in moments(chance, TIMES):
        device, names = chance.choice(devices), chance.choice(APPS)
        asked += [(begin + second / 3600, device, chance.choice(names)) for second in range(0, STAY * 60, PACE)]
    return sorted(one for one in asked if one[0] < hours)


def moments(chance: random.Random, count: int) -> list[float]:
    """Hours since noon, more of them where it is busy."""
    busy = [BUSY[(hour + 12) % 24] for hour in range(24)]
    return [hour + chance.random() for hour in chance.choices(range(24), busy, k=count)]


def name(chance: random.Random) -> str:
    """A few names are asked for often, and many once."""
    if chance.random() < 0.15:
        return f"once{chance.getrandbits(40)}.example"
    return f"site{int(chance.paretovariate(0.8)) % 2000}.example"


class Thread:
    """Works beside the others until it is told to stop; a fault in it is a fault of the run."""

    def __enter__(self):
        self.stopping, self.fault = threading.Event(), None
        self.thread = threading.Thread(target=self.try_to_work)
        self.thread.start()
        return self

    def try_to_work(self):
        try:
            self.work()
        except Exception as fault:
            self.fault = fault

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
        if self.fault:
            raise self.fault


class Asking(Thread):
    """Asks each question at its hour, from the device's own address."""

    def __init__(self, port: int, clock, questions: list[tuple[float, str, str]]):
        self.clock, self.questions = clock, questions
        self.sockets = {address: connected(address, port) for _, address, _ in questions}
        self.sent = self.blocked = 0
        self.open = set()

    def work(self):
        for hour, address, name in self.questions:
            while (left := self.clock.until(hour)) and not self.stopping.is_set():
                self.receive(min(left, 0.5))
            if self.stopping.is_set():
                break
            ident = self.sent % 65_536
            self.open.add(ident)
            self.sockets[address].send(struct.pack("!H", ident) + dns.message.make_query(name, "A", id=0).to_wire()[2:])
            self.sent += 1
        for _ in range(20):
            self.receive(0.1)

    def receive(self, seconds: float):
        for one in select.select(self.sockets.values(), [], [], seconds)[0]:
            reply = one.recv(4096)
            self.open.discard(struct.unpack_from("!H", reply)[0])
            self.blocked += reply.endswith(SHIELD)

    @property
    def lost(self) -> int:
        return len(self.open)


class Bedtimes(Thread):
    """Asks around each bedtime and each wake time, and notes how late the first right answer came, in seconds of the day."""

    BEFORE, MOST = 20 / 3600, 600 / 3600

    def __init__(self, port: int, clock, nights: list[tuple[float, str, bool]]):
        self.port, self.clock, self.nights = port, clock, nights
        self.late: list[float] = []

    def work(self):
        for hour, address, is_begin in self.nights:
            while self.clock.hour < hour - self.BEFORE:
                if self.stopping.wait(0.05):
                    return
            with connected(address, self.port) as device:
                device.settimeout(2)
                while is_blocked(device) != is_begin:
                    assert self.clock.hour < hour + self.MOST, f"the night of {address} did not change at {hour:.2f} h"
                    time.sleep(0.004)
            late = (self.clock.hour - hour) * 3600
            assert late >= 0, f"the night of {address} changed {-late:.1f} s early"
            self.late.append(late)


class Streams(Thread):
    """A display on the wall all day, and four dashboards from five to half past ten in the evening."""

    DASHBOARDS, FROM, TO = 4, 5, 10.5

    def __init__(self, server, owner, clock):
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in owner.session.cookies)
        self.request = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nCookie: {cookies}\r\n\r\n"
        self.port, self.clock, self.ticks = server.http_port, clock, 0

    def work(self):
        open_ = [self.opened()]
        while not self.stopping.is_set():
            wanted = 1 + self.DASHBOARDS * (self.FROM <= self.clock.hour < self.TO)
            while len(open_) < wanted:
                open_.append(self.opened())
            while len(open_) > wanted:
                open_.pop().close()
            for one in select.select(open_, [], [], 0.2)[0]:
                told = one.recv(65_536)
                assert told, "a dashboard was dropped"
                self.ticks += told.count(b"event: tick")
        for one in open_:
            one.close()

    def opened(self) -> socket.socket:
        one = socket.create_connection(("127.0.0.1", self.port))
        one.sendall(self.request.encode())
        assert one.recv(65_536).startswith(b"HTTP/1.1 200"), "a dashboard was refused"
        return one


def connected(address: str, port: int) -> socket.socket:
    one = socket.socket(type=socket.SOCK_DGRAM)
    one.bind((address, 0))
    one.connect(("127.0.0.1", port))
    return one


def is_blocked(device: socket.socket) -> bool:
    device.send(dns.message.make_query("night.example", "A").to_wire())
    return device.recv(4096).endswith(SHIELD)
