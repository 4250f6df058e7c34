"""Cached answers over TLS and HTTPS, beside unbound, per second of CPU."""

import base64
import re
import subprocess
from pathlib import Path

import dns.message

import house
from answers import Running, answers_on
from household import Upstream, free_port
from measure import Process, alternate, until

SECONDS = 4


def over_tls(port: int, work: Path, seconds: int) -> tuple[float, float]:
    """dnsperf over eight connections, 25 questions each: answers, and how many were lost."""
    output = subprocess.run(
        ["dnsperf", "-m", "dot", "-s", "127.0.0.1", "-p", str(port), "-d", work / "questions.txt", "-l", str(seconds), "-c", "8",
         "-q", "200"], capture_output=True, text=True, timeout=seconds + 60).stdout
    number = lambda label: float(re.search(rf"{label}:\s+([\d.]+)", output).group(1))  # noqa: E731
    return number("Queries completed"), number("Queries lost")


def over_https(port: int, work: Path, seconds: int) -> tuple[float, float]:
    """The same with h2load: dnsperf misses answers that share a TLS record."""
    targets = work / f"targets-{port}.txt"
    if not targets.exists():
        lines = (work / "questions.txt").read_text().split("\n")
        queries = [dns.message.make_query(line.split()[0], "A", id=0).to_wire() for line in lines if line]
        targets.write_text("".join(
            f"https://127.0.0.1:{port}/dns-query?dns={base64.urlsafe_b64encode(query).rstrip(b'=').decode()}\n" for query in queries))
    output = subprocess.run(
        ["h2load", "-D", str(seconds), "-c", "8", "-m", "25", "-i", targets], capture_output=True, text=True, timeout=seconds + 60).stdout
    figures = re.search(r"(\d+) succeeded, (\d+) failed", output)
    return float(figures.group(1)), float(figures.group(2))


def cost(ask, process, port: int, work: Path) -> dict:
    before = process.cpu
    answered, lost = ask(port, work, SECONDS)
    spent = max(0.01, process.cpu - before)
    return {
        "answers/s": answered / SECONDS, "answers per CPU second": answered / spent,
        "CPU µs/answer": spent * 1e6 / max(1, answered), "lost": lost,
    }


def unbound_rules(work: Path, plain: int, dot: int, doh: int, upstream: int) -> Path:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", work / "key.pem",
         "-out", work / "cert.pem", "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
    rules = work / "unbound.conf"
    rules.write_text(f"""
server:
    interface: 127.0.0.1@{plain}
    interface: 127.0.0.1@{dot}
    interface: 127.0.0.1@{doh}
    tls-port: {dot}
    https-port: {doh}
    tls-service-key: "{work}/key.pem"
    tls-service-pem: "{work}/cert.pem"
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
    forward-addr: 127.0.0.1@{upstream}
remote-control:
    control-enable: no
""")
    return rules


def run(work: Path, rounds: int, transport: str) -> dict:
    """A thousand names that both servers have cached."""
    questions = work / "questions.txt"
    questions.write_text("".join(f"name{number}.example A\n" for number in range(1000)))
    upstream = Upstream()
    plain, dot, doh = (free_port() for _ in range(3))
    server = house.household.Server(work / "encrypted", upstream)
    house.household.Browser(server).log_in().enroll()
    try:
        with Process("unbound", "-d", "-c", unbound_rules(work, plain, dot, doh, upstream.port)) as unbound:
            until(lambda: answers_on(plain), 30)
            ours = Running(server.process.pid)
            ask, own, their = {
                "TLS": (over_tls, server.dot_port, dot), "HTTPS": (over_https, server.https_port, doh),
            }[transport]
            for port in (own, their):
                ask(port, work, 1)
            return alternate({
                "sleep-inducer": lambda: cost(ask, ours, own, work), "unbound": lambda: cost(ask, unbound, their, work),
            }, rounds)
    finally:
        server.stop()
        upstream.close()
