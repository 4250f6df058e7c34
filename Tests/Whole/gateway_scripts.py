"""Programs in the namespaces of a routed home: an internet, and devices that download, call and connect."""

import json
import subprocess
import sys
import time

from household import eventually

WORLD = r"""
import asyncio, json, socket, sys
import dns.message, dns.rrset, dns.rdatatype, dns.flags
settings = json.loads(sys.argv[1])
hosts, names = settings["hosts"], settings["names"]
BLOCK = b"x" * 4096

async def stream(reader, writer):
    # A page is a page, and anything else that is asked for never ends.
    try:
        line = await reader.readline()
        if line.startswith(b"GET /page"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-store\r\n"
                         b"Connection: close\r\nContent-Length: 16\r\n\r\n<title>x</title>")
            await writer.drain()
            return writer.close()
        if line.startswith(b"LATER"):
            await asyncio.sleep(3)
        if b"HTTP" in line:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n")
        while True:
            writer.write(BLOCK)
            await writer.drain()
            await asyncio.sleep(0.005)
    except OSError:
        writer.close()

def answer(data, strange):
    query = dns.message.from_wire(data)
    question = query.question[0]
    reply = dns.message.make_response(query)
    reply.flags |= dns.flags.RA
    family = {dns.rdatatype.A: "v4", dns.rdatatype.AAAA: "v6"}.get(question.rdtype)
    name = question.name.to_text(omit_final_dot=True).lower()
    host = names.get(name)
    address = family and (settings["strange"][family] if strange else hosts[host][family] if host else None)
    if address:
        reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", question.rdtype, address))
    return reply.to_wire()

class Datagrams(asyncio.DatagramProtocol):
    def __init__(self, reply): self.reply = reply
    def connection_made(self, transport): self.transport = transport
    def datagram_received(self, data, peer): self.transport.sendto(self.reply(data), peer)

def over_tcp(strange):
    async def serve(reader, writer):
        size = int.from_bytes(await reader.readexactly(2), "big")
        reply = answer(await reader.readexactly(size), strange)
        writer.write(len(reply).to_bytes(2, "big") + reply)
        await writer.drain()
        writer.close()
    return serve

async def main():
    loop = asyncio.get_running_loop()
    for place, strange in [(settings["upstream"], False)] + [(a, True) for a in settings["elsewhere"].values()]:
        await loop.create_datagram_endpoint(lambda s=strange: Datagrams(lambda d: answer(d, s)), local_addr=(place, 53))
        await asyncio.start_server(over_tcp(strange), place, 53)
    for addresses in hosts.values():
        for address in addresses.values():
            await asyncio.start_server(stream, address, 80)
            for port in (443, 5000):
                await loop.create_datagram_endpoint(lambda: Datagrams(lambda d: d), local_addr=(address, port))
    for addresses, port in ((settings["dot"], 853), (settings["doh"], 443)):
        for address in addresses.values():
            await asyncio.start_server(stream, address, port)
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""

DOWNLOAD = r"""
import json, os, socket, sys, time
address, *request, path = sys.argv[1:]
state = {"bytes": 0, "last": None, "end": None}
def tell():
    with open(path + ".new", "w") as file: json.dump(state, file)
    os.rename(path + ".new", path)
line = socket.create_connection((address, 80), timeout=20)
line.sendall((request or ["GET /"])[0].encode() + b"\r\n")
tell()
told = 0
while True:
    try:
        data = line.recv(65536)
    except OSError as error:
        state["end"] = type(error).__name__
    else:
        state["end"] = None if data else "closed"
        state["bytes"] += len(data)
        if data: state["last"] = time.monotonic()
    if state["end"] or time.monotonic() - told > 0.02:
        told = time.monotonic()
        tell()
    if state["end"]:
        break
"""

CALL = r"""
import json, os, socket, sys, time
address, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
state = {"heard": 0, "last": None, "errors": 0}
line = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
line.connect((address, port))
line.settimeout(0.05)
while True:
    try:
        line.send(b"hello")
        line.recv(100)
        state["heard"] += 1
        state["last"] = time.monotonic()
    except OSError as error:
        state["errors"] += 0 if isinstance(error, TimeoutError) else 1
    with open(path + ".new", "w") as file: json.dump(state, file)
    os.rename(path + ".new", path)
    time.sleep(0.02)
"""

# Opens connections again and again; prints when it made each attempt that received a byte or failed.
KNOCK = r"""
import socket, sys, time
address, path = sys.argv[1:]
log = open(path, "w", buffering=1)
while True:
    try:
        line = socket.create_connection((address, 80), timeout=1)
        line.sendall(b"GET /\r\n")
        said = "open" if line.recv(1) else "closed"
        line.close()
    except OSError as error:
        said = type(error).__name__
    print(time.monotonic(), said, file=log)
    time.sleep(0.005)
"""


class Watched:
    """A script in a device's namespace that keeps writing down its state."""

    def __init__(self, home, place, script, *words):
        self.path = home.folder / f"watched-{time.monotonic_ns()}"
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", place, sys.executable, "-c", script, *map(str, words), str(self.path)],
            stderr=subprocess.DEVNULL)
        home.children.append(self.process)

    def state(self):
        return json.loads(self.path.read_text())

    def lines(self):
        return [(float(line.split()[0]), line.split()[1]) for line in self.path.read_text().splitlines()]

    def begun(self, key):
        eventually(lambda: self.path.exists() and self.state()[key] > 3, 10)
        return self

    def ends(self, seconds=5):
        """Its last state, once it has ended by itself."""
        self.process.wait(seconds)
        return self.state()

    def goes_on(self, key):
        before = self.state()[key]
        eventually(lambda: self.state()[key] > before, 2)
