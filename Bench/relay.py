"""Relayed connections, beside nginx's ssl_preread, in network namespaces."""

import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import house
from measure import Process, alternate, cpu_seconds, memory_kib, until

from lan import begin, cable, ip, machines

SERVER, CLIENT, WORLD = "sib-server", "sib-client", "sib-world"
OWN, HOST = "10.80.0.1", "198.51.100.9"
NGINX_PORT = 9443
CONNECTIONS, BYTES = 4, 500_000_000
IDLE = 2000


def hello(name: str) -> bytes:
    """A ClientHello with little more than a name. Two that are equal at the same time would be a loop for the server."""
    counted = lambda data, width=2: len(data).to_bytes(width) + data  # noqa: E731
    sni = b"\0\0" + counted(counted(b"\0" + counted(name.encode())))
    body = b"\3\3" + os.urandom(32) + b"\0" + counted(b"\x13\x01") + counted(b"\0", 1) + counted(sni)
    return b"\x16\x03\x01" + counted(b"\1" + counted(body, 3))


def source():
    """Answers every ClientHello with as many bytes as its name asks for: idle.example gets one, and stays open."""
    door = socket.create_server((HOST, 443), backlog=4096)
    part = memoryview(bytearray(1 << 20))
    held = []
    while True:
        caller, _ = door.accept()
        if b"idle.example" in caller.recv(4096):
            caller.send(b"x")
            held.append(caller)
        elif os.fork() == 0:
            left = BYTES
            while left > 0:
                left -= caller.send(part[:min(left, len(part))])
            os._exit(0)
        else:
            caller.close()


def sink(port: int):
    """Receives over several connections at once, with a process for each; prints the seconds that it took."""
    begun = time.monotonic()
    children = []
    for _ in range(CONNECTIONS):
        child = os.fork()
        if child:
            children.append(child)
            continue
        caller = socket.create_connection((OWN, port))
        caller.sendall(hello("film.example"))
        buffer, taken = bytearray(1 << 20), 0
        while size := caller.recv_into(buffer):
            taken += size
        os._exit(0 if taken == BYTES else 1)
    worst = max(os.waitpid(child, 0)[1] for child in children)
    print(time.monotonic() - begun if worst == 0 else "broken")


def hold(port: int):
    """Holds silent connections from three addresses until its input ends."""
    held, reached = [], 0
    for number in range(IDLE):
        caller = socket.create_connection((OWN, port), source_address=(f"10.80.0.{2 + number % 3}", 0))
        caller.sendall(hello("idle.example"))
        held.append(caller)
        # At most as many connections wait at a time as the server grants to one address.
        if len(held) % 50 == 0:
            reached += sum(caller.recv(1) == b"x" for caller in held[-50:])
    print(reached, flush=True)
    sys.stdin.read()


def inside(place: str, *words) -> tuple:
    return ("ip", "netns", "exec", place, sys.executable, __file__, *map(str, words))


def family_cpu(pid: int) -> float:
    """CPU seconds of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return cpu_seconds(pid) + sum(cpu_seconds(int(child)) for child in children)


def family_memory(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return memory_kib(pid) + sum(memory_kib(int(child)) for child in children)


def run_one(pid: int, port: int) -> dict:
    before = family_cpu(pid)
    output = subprocess.run(inside(CLIENT, "sink", port), capture_output=True, text=True, timeout=120).stdout
    seconds, gigabytes = float(output), CONNECTIONS * BYTES / 1e9
    return {"MB/s": gigabytes * 1000 / seconds, "CPU s/GB": (family_cpu(pid) - before) / gigabytes}


def idle_memory(pid: int, port: int) -> int:
    """KiB that all idle connections take together."""
    before = family_memory(pid)
    holder = subprocess.Popen(inside(CLIENT, "hold", port), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline().strip() == str(IDLE), "every connection reached its host"
    time.sleep(1)
    after = family_memory(pid)
    holder.communicate("", timeout=30)
    return after - before


def nginx_rules(work: Path) -> Path:
    rules = work / "nginx.conf"
    rules.write_text(f"""
load_module modules/ngx_stream_module.so;
worker_processes 2;
worker_rlimit_nofile 20000;
daemon off;
pid {work}/nginx.pid;
error_log {work}/nginx.log;
events {{ worker_connections 9000; }}
stream {{
    map $ssl_preread_server_name $there {{ default {HOST}:443; }}
    server {{ listen {OWN}:{NGINX_PORT} backlog=4096; ssl_preread on; proxy_pass $there; }}
}}
""")
    return rules


def run(work: Path, rounds: int) -> dict:
    with machines(SERVER, CLIENT, WORLD):
        ip("-n", SERVER, "link", "add", "br0", "type", "bridge")
        ip("-n", SERVER, "addr", "add", f"{OWN}/24", "dev", "br0")
        ip("-n", SERVER, "link", "set", "br0", "up")
        cable(SERVER, "port2", CLIENT, "eth0", address=[f"10.80.0.{n}/24" for n in (2, 3, 4)], bridge="br0")
        cable(SERVER, "world0", WORLD, "eth0", address="203.0.113.9/24")
        ip("-n", WORLD, "addr", "add", f"{HOST}/32", "dev", "lo")
        ip("-n", SERVER, "addr", "add", "203.0.113.1/24", "dev", "world0")
        ip("-n", SERVER, "route", "add", "198.51.100.0/24", "via", "203.0.113.9")
        names = Path(house.ROOT / "Tests/Whole/names.py")
        server = ("ip", "netns", "exec", SERVER)
        with Process(*inside(WORLD, "source")), \
                Process("ip", "netns", "exec", WORLD, sys.executable, names, HOST), \
                Process(*server, "nginx", "-c", nginx_rules(work)) as nginx, \
                Process(*server, house.household.BINARY, "serve", "--data", work / "relay", "--upstream", HOST,
                        "--passcode", "a passcode", "--time-zone", "UTC") as ours:
            # The server relays only for devices that have asked for a name.
            for number in (2, 3, 4):
                until(lambda number=number: asks(f"10.80.0.{number}"), 30)
            for port in (443, NGINX_PORT):
                until(lambda port=port: answers(port), 30)
            figures = alternate({
                "sleep-inducer": lambda: run_one(ours.pid, 443),
                "nginx, ssl_preread": lambda: run_one(nginx.pid, NGINX_PORT),
            }, rounds)
            for name, pid, port in (("sleep-inducer", ours.pid, 443), ("nginx, ssl_preread", nginx.pid, NGINX_PORT)):
                figures[name][f"MiB for {IDLE} idle"] = round(idle_memory(pid, port) / 1024, 1)
            return figures


def asks(address: str) -> bool:
    return subprocess.run(
        ["ip", "netns", "exec", CLIENT, "dig", "-b", address, "+short", "+timeout=1", "+tries=1", f"@{OWN}", "film.example"],
        capture_output=True).stdout.strip() == HOST.encode()


def answers(port: int) -> bool:
    """Whether a name is relayed by now."""
    probe = ("import socket; import relay; c = socket.create_connection(('%s', %d), 2); c.settimeout(2);"
             "c.sendall(relay.hello('idle.example')); exit(c.recv(1) != b'x')" % (OWN, port))
    return subprocess.run(
        ["ip", "netns", "exec", CLIENT, sys.executable, "-c", probe], cwd=Path(__file__).parent,
        capture_output=True).returncode == 0


if __name__ == "__main__":
    {"source": source, "sink": lambda: sink(int(sys.argv[2])), "hold": lambda: hold(int(sys.argv[2]))}[sys.argv[1]]()
