"""Upstreams as other people's networks have them: old routers, and servers that answer half."""

import contextlib
import socket
import threading
import time

import dns.edns
import dns.flags
import dns.message
import dns.rcode
import dns.rrset

from household import free_port

ADDRESS = "203.0.113.80"


def right(query):
    """The whole answer; a name server to a probe of the root."""
    reply = dns.message.make_response(query)
    name, kind = query.question[0].name, dns.rdatatype.to_text(query.question[0].rdtype)
    data = {"A": ADDRESS, "AAAA": "2001:db8::80", "NS": "ns.test."}.get(kind)
    if data:
        reply.answer.append(dns.rrset.from_text(name, 300, "IN", kind, data))
    else:
        reply.authority.append(dns.rrset.from_text(name, 300, "IN", "SOA", "ns.test. a.test. 1 2 3 4 60"))
    return reply


def coded(query, code, answer=()):
    reply = dns.message.make_response(query)
    reply.set_rcode(code)
    return reply


def bare(query, code):
    """A header and nothing else."""
    return query.id.to_bytes(2, "big") + bytes([0x81, 0x80 | code]) + bytes(8)


# What old routers do with a question that has EDNS.
EDNS_FAILURES = {
    "formerr": lambda query: coded(query, dns.rcode.FORMERR),
    "bare formerr": lambda query: bare(query, dns.rcode.FORMERR),
    "bare notimp": lambda query: bare(query, dns.rcode.NOTIMP),
    "bare servfail": lambda query: bare(query, dns.rcode.SERVFAIL),
    "notimp": lambda query: coded(query, dns.rcode.NOTIMP),
    "refused": lambda query: coded(query, dns.rcode.REFUSED),
    "servfail": lambda query: coded(query, dns.rcode.SERVFAIL),
    "badvers": lambda query: coded(query, dns.rcode.BADVERS),
    "empty": lambda query: coded(query, dns.rcode.NOERROR),
    "silence": lambda query: None,
}


class OddUpstream:
    """Answers as `answer` says: it takes a question, and whether that came over TCP, and gives a message, bytes, or None
    for silence. Every question is remembered with its EDNS version, -1 for none."""

    def __init__(self, answer, has_tcp=True, delay=0.0, port=None, address="127.0.0.1"):
        self.answer, self.delay, self.asked = answer, delay, []
        self.port = port or free_port()
        self.datagrams = socket.socket(type=socket.SOCK_DGRAM)
        self.datagrams.bind((address, self.port))
        threading.Thread(target=self._answer_datagrams, daemon=True).start()
        self.streams = socket.create_server((address, self.port)) if has_tcp else None
        if has_tcp:
            threading.Thread(target=self._accept, daemon=True).start()

    def names(self):
        return [name for name, _ in self.asked]

    def _reply(self, data, over_tcp):
        query = dns.message.from_wire(data)
        name = query.question[0].name.to_text(omit_final_dot=True).lower()
        if not name.startswith("loop-"):
            self.asked.append((name, query.edns))
        reply = self.answer(query, over_tcp)
        return reply.to_wire(max_size=65535) if isinstance(reply, dns.message.Message) else reply

    def _answer_datagrams(self):
        while True:
            try:
                data, peer = self.datagrams.recvfrom(4096)
            except OSError:
                return
            if not data:
                return
            threading.Thread(target=self._answer_datagram, args=(data, peer), daemon=True).start()

    def _answer_datagram(self, data, peer):
        time.sleep(self.delay)
        reply = self._reply(data, False)
        if reply:
            # A test may be over by now.
            with contextlib.suppress(OSError):
                self.datagrams.sendto(reply, peer)

    def _accept(self):
        while True:
            try:
                stream, _ = self.streams.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(stream,), daemon=True).start()

    def _serve(self, stream):
        with stream, stream.makefile("rwb") as file:
            while size := file.read(2):
                reply = self._reply(file.read(int.from_bytes(size, "big")), True)
                if reply is None:
                    return
                file.write(len(reply).to_bytes(2, "big") + reply)
                file.flush()

    def close(self):
        self.datagrams.close()
        if self.streams:
            self.streams.close()
