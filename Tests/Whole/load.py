"""A steady load of questions: none is repeated, and missing and wrong answers are remembered."""

import json
import selectors
import socket
import struct
import sys
import threading
import time


class Load:
    """Queries over UDP from several devices at a given rate a second, until it is stopped."""

    def __init__(self, port: int, rate: int, names, devices: int | list[str] = 8, server: str = "127.0.0.1"):
        """`names` is a function from a number to a name and its only right address."""
        self.server, self.port, self.rate, self.names = server, port, rate, names
        addresses = device_addresses(devices) if isinstance(devices, int) else devices
        # Two ports each. A single device would get SERVFAIL when 250 of its questions wait for an upstream.
        self.sockets = [self._socket(address) for address in addresses for _ in range(2)]
        self.open: dict[tuple[int, int], tuple[float, str, bytes]] = {}
        self.sent = self.answered = 0
        self.wrong: list[str] = []
        # Seconds from question to answer, by the right address.
        self.waits: dict[str, list[float]] = {}
        self.refused = self.truncated = 0
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=work) for work in (self._send, self._receive)]
        for thread in self.threads:
            thread.start()

    def _socket(self, address):
        one = socket.socket(type=socket.SOCK_DGRAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        one.bind((address, 0))
        one.connect((self.server, self.port))
        one.setblocking(False)
        return one

    def _send(self):
        begun = time.monotonic()
        while not self.stopping.is_set():
            due = int((time.monotonic() - begun) * self.rate)
            while self.sent < due:
                number = self.sent
                name, address = self.names(number)
                which, ident = number % len(self.sockets), number // len(self.sockets) % 65536
                packet = struct.pack("!6H", ident, 0x0100, 1, 0, 0, 0) + wire(name) + b"\0\1\0\1"
                self.open[(which, ident)] = (time.monotonic(), name, socket.inet_aton(address))
                try:
                    self.sockets[which].send(packet)
                except ConnectionRefusedError:
                    # Nobody had the port when an earlier packet arrived; this one was not sent.
                    self.refused += 1
                    self.sockets[which].send(packet)
                self.sent += 1
            time.sleep(0.001)

    def _receive(self):
        selector = selectors.DefaultSelector()
        for which, one in enumerate(self.sockets):
            selector.register(one, selectors.EVENT_READ, which)
        quiet = 0
        while quiet < 3:
            ready = selector.select(1)
            quiet = 0 if ready or not self.stopping.is_set() else quiet + 1
            for key, _ in ready:
                self._drain(key.fileobj, key.data)
            if self.stopping.is_set() and not self.open:
                return

    def _drain(self, one, which):
        while True:
            try:
                reply = one.recv(4096)
            except BlockingIOError:
                return
            except ConnectionRefusedError:
                self.refused += 1
                continue
            ident = struct.unpack_from("!H", reply)[0]
            asked = self.open.pop((which, ident), None)
            if asked is None:
                self.wrong.append("answered twice")
                continue
            at, name, address = asked
            self.answered += 1
            self.waits.setdefault(socket.inet_ntoa(address), []).append(time.monotonic() - at)
            if reply[2] & 2:
                # A device whose hardware address is not known yet is asked to come again over TCP.
                self.truncated += 1
            elif reply[3] & 15 or not reply.endswith(address):
                self.wrong.append(f"{name}: {reply.hex()}")

    def stop(self) -> dict:
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        for one in self.sockets:
            one.close()
        return {"sent": self.sent, "lost": len(self.open), "refused": self.refused, "truncated": self.truncated,
                "wrong": len(self.wrong),
                "longest wait, ms": round(max(map(max, self.waits.values()), default=0) * 1000)}


def device_addresses(devices: int = 8) -> list[str]:
    return [f"127.0.0.{number}" for number in range(2, 2 + devices)]


def wire(name: str) -> bytes:
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def main(seconds: float, rate: int, server: str = "127.0.0.1", devices: list[str] | None = None):
    """The load of `Packaging/try-deb`, or of devices that sleep, who are all led to the server."""
    from household import Upstream

    def names(number):
        if number % 2:
            return "sleep.home.arpa", server
        if devices:
            return "www.example.net", server
        return ("www.example.net" if number % 20 else f"n{number}.example.net"), Upstream.ADDRESS

    load = Load(53, rate, names, devices or 8, server)
    time.sleep(seconds)
    print(json.dumps(load.stop() | {"first wrong": load.wrong[:3]}))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), *([sys.argv[3], sys.argv[4:]] if sys.argv[3:] else []))
