"""A name server for tests: names.py ADDRESS answers every A question on port 53 with its own address.

Names below `inside.example` get a private address.
"""

import socket
import sys

import dns.message
import dns.rdatatype
import dns.rrset


def names(address):
    door = socket.socket(type=socket.SOCK_DGRAM)
    door.bind((address, 53))
    while True:
        data, peer = door.recvfrom(4096)
        query = dns.message.from_wire(data)
        reply = dns.message.make_response(query)
        question = query.question[0]
        if question.rdtype == dns.rdatatype.A:
            inside = str(question.name).lower().endswith("inside.example.")
            reply.answer.append(
                dns.rrset.from_text(question.name, 300, "IN", "A", "10.79.0.2" if inside else address))
        door.sendto(reply.to_wire(), peer)


if __name__ == "__main__":
    names(sys.argv[1])
