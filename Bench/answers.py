"""DNS answers: blocked names beside dnsmasq and a bare loop, cached names beside dnsmasq and unbound."""

import socket
import subprocess
from pathlib import Path

import dns.message
import dns.query

import house
from household import Upstream, free_port
from measure import Process, alternate, dnsperf, until

NAMES = 50_000


def answers_on(port: int) -> bool:
    try:
        return bool(dns.query.udp(dns.message.make_query("site1.example", "A"), "127.0.0.1", port=port, timeout=0.3))
    except (dns.exception.Timeout, socket.error):
        return False


def cost(pid_of, port: int, questions: Path, sockets: int = 8) -> dict:
    """Microseconds of CPU per answer over one run."""
    before = pid_of.cpu
    figures = dnsperf(port, questions, sockets=sockets)
    spent = pid_of.cpu - before
    return {"answers/s": figures["rate"], "CPU µs/answer": spent * 1e6 / max(1, figures["answered"]), "lost": figures["lost"]}


class Running:
    """A server started elsewhere, seen as a process."""

    def __init__(self, pid: int):
        self.pid = pid

    @property
    def cpu(self):
        from measure import cpu_seconds

        return cpu_seconds(self.pid)


def bare_loop(work: Path) -> Path:
    binary = work / "bare"
    subprocess.run(["gcc", "-O2", "-o", binary, house.ROOT / "Bench/dns/bare.c"], check=True)
    return binary


def blocked(work: Path, rounds: int) -> dict:
    """Each server blocks the same 50,000 names."""
    questions = work / "blocked.txt"
    questions.write_text("".join(f"site{number * 7 % NAMES}.example A\n" for number in range(20_000)))
    rules = work / "dnsmasq.conf"
    port = free_port()
    rules.write_text(
        f"port={port}\nlisten-address=127.0.0.1\nbind-interfaces\nno-resolv\nno-hosts\nuser=root\n"
        + "".join(f"address=/site{number}.example/127.0.0.1\n" for number in range(NAMES)))
    loop_port = free_port()
    server = house.sleeping(work / "blocked", allowed_domains=NAMES)
    try:
        with Process("dnsmasq", "-k", "-C", rules) as dnsmasq, Process(bare_loop(work), loop_port) as bare:
            until(lambda: answers_on(port) and answers_on(loop_port), 60)
            ours = Running(server.process.pid)
            return alternate({
                "sleep-inducer": lambda: cost(ours, server.dns_port, questions),
                "dnsmasq": lambda: cost(dnsmasq, port, questions),
                "bare recvmmsg loop": lambda: cost(bare, loop_port, questions),
            }, rounds)
    finally:
        server.stop()


def forwards(work: Path, rounds: int) -> dict:
    """A thousand names that each server has cached, asked by an enrolled client that is awake."""
    questions = work / "forwards.txt"
    questions.write_text("".join(f"name{number}.example A\n" for number in range(1000)))
    upstream = Upstream()
    dnsmasq_port, unbound_port = free_port(), free_port()
    unbound_rules = work / "unbound.conf"
    unbound_rules.write_text(f"""
server:
    interface: 127.0.0.1
    port: {unbound_port}
    num-threads: 2
    so-reuseport: yes
    do-daemonize: no
    chroot: ""
    username: ""
    directory: "{work}"
    pidfile: ""
    use-syslog: no
    logfile: "{work}/unbound.log"
    module-config: "iterator"
    do-not-query-localhost: no
    access-control: 127.0.0.0/8 allow
forward-zone:
    name: "."
    forward-addr: 127.0.0.1@{upstream.port}
remote-control:
    control-enable: no
""")
    server = house.household.Server(work / "forwards", upstream)
    house.household.Browser(server).log_in().enroll()
    try:
        with Process(
            "dnsmasq", "-k", "-C", "/dev/null", "-p", dnsmasq_port, "--listen-address=127.0.0.1", "--bind-interfaces",
            "--no-resolv", "--no-hosts", "-u", "root", "-c", "10000", f"--server=127.0.0.1#{upstream.port}",
        ) as dnsmasq, Process("unbound", "-d", "-c", unbound_rules) as unbound:
            until(lambda: answers_on(dnsmasq_port) and answers_on(unbound_port), 30)
            contenders = {
                "sleep-inducer": (Running(server.process.pid), server.dns_port),
                "unbound": (unbound, unbound_port),
                "dnsmasq": (dnsmasq, dnsmasq_port),
            }
            for _, port in contenders.values():
                for _ in range(3):
                    subprocess.run(
                        ["dnsperf", "-s", "127.0.0.1", "-p", str(port), "-d", questions, "-n", "1", "-q", "20"],
                        capture_output=True)
            return alternate(
                {name: (lambda who=who, port=port: cost(who, port, questions)) for name, (who, port) in contenders.items()},
                rounds)
    finally:
        server.stop()
        upstream.close()
