"""Upstreams of other people's networks, and clients that speak no TCP: every name resolves all the same."""

import contextlib
import socket
import ssl
import subprocess
import time

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest

from household import PATIENCE, Server
from odd_upstreams import ADDRESS, EDNS_FAILURES, OddUpstream, right


@pytest.fixture
def asking(tmp_path):
    """Starts a server that asks these upstreams, in their order."""
    with contextlib.ExitStack() as stack:
        def start(*upstreams):
            flags = [word for one in upstreams for word in ("--upstream", f"127.0.0.1:{one.port}")]
            server = Server(tmp_path / "data", None, *flags)
            stack.callback(server.stop)
            for one in upstreams:
                stack.callback(one.close)
            return server

        yield start


def timed(server, name):
    began = time.monotonic()
    return server.addresses(name), time.monotonic() - began


@pytest.mark.parametrize("failure", EDNS_FAILURES)
def test_an_old_router_that_fails_edns_is_asked_without(asking, failure):
    router = OddUpstream(lambda query, _: right(query) if query.edns < 0 else EDNS_FAILURES[failure](query), has_tcp=False)
    server = asking(router)
    addresses, seconds = timed(server, "first.example")
    assert addresses == [ADDRESS] and seconds < 1 * PATIENCE
    for number in range(3):
        addresses, seconds = timed(server, f"later{number}.example")
        assert addresses == [ADDRESS] and seconds < 0.3 * PATIENCE
    assert [edns for name, edns in router.asked if name.startswith("later")] == [-1] * 3


@pytest.mark.parametrize("chain", [["edge.test"], ["a.test", "b.test"], []], ids=["one alias", "two aliases", "nothing"])
def test_a_dead_end_is_not_kept(asking, chain):
    """The first upstream answers with an alias for a day and no end, until it knows better."""
    knows = []

    def answer(query, _):
        name = query.question[0].name
        if knows or name == dns.name.root:
            return right(query)
        reply = dns.message.make_response(query)
        for target in chain:
            reply.answer.append(dns.rrset.from_text(name, 86400, "IN", "CNAME", f"{target}."))
            name = dns.name.from_text(target)
        return reply

    server = asking(OddUpstream(answer))
    assert len(server.ask("www.example").answer) == len(chain)
    knows.append(True)
    assert server.addresses("www.example") == [ADDRESS]


def test_the_next_upstream_is_asked_past_a_dead_end(asking):
    def answer(query, _):
        reply = dns.message.make_response(query)
        reply.answer.append(dns.rrset.from_text(query.question[0].name, 86400, "IN", "CNAME", "edge.test."))
        return reply

    server = asking(OddUpstream(answer), OddUpstream(lambda query, _: right(query)))
    assert server.addresses("www.example") == [ADDRESS]


def many(query, count):
    reply = dns.message.make_response(query)
    addresses = [f"203.0.{number >> 8}.{number & 255}" for number in range(count)]
    reply.answer.append(dns.rrset.from_text(query.question[0].name, 300, "IN", "A", *addresses))
    return reply


@pytest.mark.parametrize("count, has_tcp, expected", [(180, True, 180), (180, False, 180), (600, True, 600), (600, False, 250)])
def test_a_datagram_larger_than_advertised(asking, count, has_tcp, expected):
    def answer(query, over_tcp):
        return right(query) if query.question[0].name == dns.name.root else many(query, count)

    server = asking(OddUpstream(answer, has_tcp=has_tcp))
    reply = server.ask("big.example", tcp=True)
    assert expected <= sum(len(rrset) for rrset in reply.answer) <= expected + 5


@pytest.mark.parametrize("has_tcp", [True, False], ids=["cut over TCP too", "no TCP"])
def test_what_came_of_a_cut_answer_is_used(asking, has_tcp):
    def answer(query, _):
        reply = many(query, 5)
        reply.flags |= dns.flags.TC
        return reply

    server = asking(OddUpstream(answer, has_tcp=has_tcp))
    reply = server.ask("cut.example")
    assert sum(len(rrset) for rrset in reply.answer) == 5 and not reply.flags & dns.flags.TC


def spread(query, addresses, servers):
    """One answer whose authority and additional sections fill the datagram."""
    name = query.question[0].name
    reply = many(query, addresses)
    for number in range(servers):
        reply.authority.append(dns.rrset.from_text(f"zone{number}.test.", 300, "IN", "NS", f"ns{number}.zone{number}.test."))
        reply.additional.append(dns.rrset.from_text(f"ns{number}.zone{number}.test.", 300, "IN", "A", "203.0.113.9"))
    assert name and len(reply.to_wire(max_size=65535)) > 512
    return reply


def uncompressed(query, count):
    """Addresses whose names are all spelt out."""
    name = query.question[0].name.to_wire()
    head = query.id.to_bytes(2, "big") + bytes([0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0]) + name + bytes([0, 1, 0, 1])
    return head + b"".join(
        name + bytes([0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 203, 0, 113, number]) for number in range(count))


LONG = "a-host-with-a-long-name.of-a-content-network.example"


@pytest.mark.parametrize("shape, count", [
    (lambda query: spread(query, 1, 12), 1), (lambda query: spread(query, 20, 6), 20), (lambda query: uncompressed(query, 8), 8),
], ids=["name servers and glue", "twenty addresses", "not compressed"])
def test_a_client_without_tcp_gets_the_addresses(asking, shape, count):
    server = asking(OddUpstream(lambda query, _: right(query) if query.question[0].name == dns.name.root else shape(query)))
    words = ["dig", "@127.0.0.1", "-p", str(server.dns_port), LONG, "+noedns", "+ignore", "+short", "+tries=1"]
    lines = subprocess.run(words, capture_output=True, text=True, timeout=20).stdout.split()
    assert len(lines) == count and all(line.startswith("203.0.") for line in lines)


def test_an_answer_that_cannot_be_made_small_is_cut_short(asking):
    server = asking(OddUpstream(lambda query, _: many(query, 60)))
    reply = server.ask(LONG)
    assert reply.flags & dns.flags.TC and not reply.answer
    assert sum(len(rrset) for rrset in server.ask(LONG, tcp=True).answer) == 60


def test_a_slow_first_upstream_is_not_paid_for_each_name(asking):
    """Real seconds: the first upstream needs 350 ms for each answer, which is found out with the first names."""
    slow, quick = OddUpstream(lambda query, _: right(query), delay=0.35), OddUpstream(lambda query, _: right(query))
    server = asking(slow, quick)
    seconds = [timed(server, f"name{number}.example")[1] for number in range(12)]
    # Each event loop answers with what all have learnt.
    assert sorted(seconds)[8] < 0.2 * PATIENCE, seconds
    assert len(quick.names()) >= 8


def test_a_client_that_says_farewell_still_gets_its_answer(asking):
    """It ends its side of TLS while its question waits for the upstream."""
    server = asking(OddUpstream(lambda query, _: right(query), delay=0.3))
    context = ssl._create_unverified_context()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing)
    with socket.create_connection(("127.0.0.1", server.dot_port), timeout=10) as line:
        def drive(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    line.sendall(outgoing.read())
                    if not (data := line.recv(65536)):
                        return b""
                    incoming.write(data)

        drive(tls.do_handshake)
        query = dns.message.make_query("late.example", "A").to_wire()
        tls.write(len(query).to_bytes(2, "big") + query)
        with contextlib.suppress(ssl.SSLWantReadError):
            tls.unwrap()
        reply = drive(lambda: tls.read(65536))
    assert dns.message.from_wire(reply[2:]).answer[0][0].to_text() == ADDRESS


def test_head_over_https(asking):
    server = asking(OddUpstream(lambda query, _: right(query)))
    target = f"https://127.0.0.1:{server.https_port}/dns-query?dns=AAABAAABAAAAAAAACWxvY2FsaG9zdAAAAQAB"
    for how in ("--http1.1", "--http2"):
        reply = subprocess.run(["curl", "-sk", how, "-I", target], capture_output=True, text=True, timeout=20).stdout
        assert " 200" in reply.split("\n")[0] and "content-type: application/dns-message" in reply.lower()
