"""A house of forty devices, three of them enrolled: the other thirty-seven get the upstream's own answers."""

import json
import socket
import struct
import threading

import dns.edns
import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest

from household import Browser, Server, eventually

ZONE = {
    "tiktok.com": ["A 203.0.113.7", "A 203.0.113.8", "AAAA 2001:db8::7", "HTTPS 1 . alpn=h2,h3 ipv4hint=203.0.113.7"],
    "www.instagram.com": ["CNAME edge.cdn.example.", "A@edge.cdn.example. 203.0.113.9"],
    "use-application-dns.net": ["A 203.0.113.10"],
    "mask.icloud.com": ["A 203.0.113.11"],
    "dns.google": ["A 8.8.8.8", "AAAA 2001:4860:4860::8888"],
    "mail.example": ["MX 10 mx.mail.example.", "TXT " + " ".join(f'"{"x" * 200}"' for _ in range(3))],
    "_sip._tcp.example": ["SRV 1 2 5060 sip.example."],
    "odd.example": [r"TYPE65280 \# 4 00ff1020"],
}
QUESTIONS = [
    *[(name, kind) for name in ZONE for kind in ("A", "AAAA", "HTTPS", "TXT", "MX", "SRV")],
    ("odd.example", "TYPE65280"), ("missing.example", "A"), ("broken.example", "A"), ("bogus.example", "A"),
    ("TikTok.COM", "A"),
]


class Resolver:
    """A recursive resolver with a small zone: aliases, services, long texts, unknown types, errors, DNSSEC."""

    def __init__(self):
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                data, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            query = dns.message.from_wire(data)
            reply, room = answer(query), query.payload or 512
            self.socket.sendto(reply.to_wire() if len(reply.to_wire()) <= room else cut_short(reply), peer)


def cut_short(reply):
    reply.answer.clear()
    reply.flags |= dns.flags.TC
    return reply.to_wire()


def answer(query):
    question = query.question[0]
    name = question.name.to_text(omit_final_dot=True).lower()
    reply = dns.message.make_response(query, recursion_available=True, our_payload=1232)
    if query.edns == 0:
        reply.ednsflags = query.ednsflags & dns.flags.DO  # RFC 3225 has it copied
    if name in ("broken.example", "bogus.example"):
        reply.set_rcode(dns.rcode.SERVFAIL)
        if name == "bogus.example" and query.edns == 0:
            reply.use_edns(0, reply.ednsflags, 1232, options=[dns.edns.EDEOption(dns.edns.EDECode.DNSSEC_BOGUS)])
        return reply
    wanted = dns.rdatatype.to_text(question.rdtype)
    for line in ZONE.get(name, []):
        head, text = line.split(" ", 1)
        kind, _, owner = head.partition("@")
        if kind in (wanted, "CNAME"):
            reply.answer.append(dns.rrset.from_text(owner or question.name, 300, "IN", kind, text))
    if reply.answer and query.ednsflags & dns.flags.DO:
        signature = f"{wanted} 13 2 300 20300101000000 20200101000000 1 example. {'A' * 86}=="
        reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", "RRSIG", signature))
    if not reply.answer:
        reply.set_rcode(dns.rcode.NOERROR if name in ZONE else dns.rcode.NXDOMAIN)
        soa = "ns.example. host.example. 1 7200 900 1209600 300"
        reply.authority.append(dns.rrset.from_text("example.", 300, "IN", "SOA", soa))
    return reply


def bare(wire):
    """A message without the parts that a cache may change: its ID, and the TTLs of its records (an OPT's are flags)."""
    out = bytearray(wire)
    out[0:2] = bytes(2)
    counts = struct.unpack_from("!4H", out, 4)

    def past(place):
        while out[place] and out[place] < 0xC0:
            place += out[place] + 1
        return place + (2 if out[place] else 1)

    place = 12
    for _ in range(counts[0]):
        place = past(place) + 4
    for _ in range(sum(counts[1:])):
        place = past(place)
        kind, _, _, length = struct.unpack_from("!HHIH", out, place)
        if kind != dns.rdatatype.OPT:
            out[place + 4:place + 8] = bytes(4)
        place += 10 + length
    assert place == len(out)
    return bytes(out)


def ask(query, port, source):
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.bind((source, 0))
        client.settimeout(5)
        client.sendto(query, ("127.0.0.1", port))
        return client.recv(4096)


def enroll(owner, address):
    """Waits until a device was seen, and gives it to the first person."""
    owner.server.ask("example.org", source=address)

    def seen():
        devices = json.loads(owner.server.command("export").stdout)["devices"]
        return next((device["id"] for device in devices if address in device["addresses"]), None)

    fields = {"device": str(eventually(seen)), "person": "1"}
    assert owner.post("/devices/enroll", fields, page="/devices").status_code == 303


@pytest.fixture
def house(tmp_path):
    upstream = Resolver()
    server = Server(tmp_path / "data", None, "--upstream", f"127.0.0.1:{upstream.port}")
    server.upstream = upstream
    yield server
    server.stop()
    upstream.socket.close()


def devices_asleep(house, devices):
    return [device for device in devices if house.addresses("tiktok.com", source=device) == ["127.0.0.1"]]


@pytest.mark.parametrize("form", ["plain", "edns", "dnssec"])
def test_thirty_seven_never_see_a_difference(house, form):
    devices = [f"127.0.1.{number}" for number in range(1, 41)]
    owner = Browser(house).log_in()
    for device in devices[:3]:
        enroll(owner, device)
    owner.start_session(60, "strict")
    eventually(lambda: devices_asleep(house, devices) == devices[:3])
    different = []
    for number, (name, kind) in enumerate(QUESTIONS):
        options = {"plain": {}, "edns": {"use_edns": 0, "payload": 1232}, "dnssec": {"want_dnssec": True, "payload": 1232}}
        query = dns.message.make_query(name, kind, id=number + 1, **options[form]).to_wire()
        expected = bare(ask(query, house.upstream.port, "127.0.0.1"))
        for device in devices[3:]:
            wire = ask(query, house.dns_port, device)
            assert wire[:2] == query[:2]
            if bare(wire) != expected:
                different.append((name, kind, device, dns.message.from_wire(wire).to_text()))
                break
    assert different == []
    assert devices_asleep(house, devices) == devices[:3]
