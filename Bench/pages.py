"""The dashboard, beside nginx with the same bytes from a file."""

import re
import socket
import subprocess
from pathlib import Path

import house
from household import Browser, Server, free_port
from measure import Process, alternate, cpu_seconds, until
from viewers import children


def load(pids, url: str, cookie: str) -> dict:
    before = sum(cpu_seconds(pid) for pid in pids)
    output = subprocess.run(
        ["wrk", "-t1", "-c16", "-d4s", "--latency", "-H", f"Cookie: {cookie}", url], capture_output=True, text=True).stdout
    spent = sum(cpu_seconds(pid) for pid in pids) - before
    count = int(re.search(r"(\d+) requests in", output).group(1))
    assert "Non-2xx" not in output, output
    slow = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    scale = {"us": 0.001, "ms": 1, "s": 1000}[slow.group(2)]
    return {"pages/s": count / 4, "CPU µs/page": spent * 1e6 / count, "p99 ms": float(slow.group(1)) * scale}


def run(work: Path, rounds: int) -> dict:
    server = Server(work / "pages", None)
    owner = Browser(server).log_in().enroll()
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in owner.session.cookies)
    site = work / "site"
    site.mkdir()
    (site / "index.html").write_text(owner.get("/").text)
    port = free_port()
    rules = work / "site.conf"
    rules.write_text(f"""
daemon off; worker_processes 1; pid {work}/site.pid; error_log {work}/site.log; user root;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {work}; proxy_temp_path {work}; fastcgi_temp_path {work}; uwsgi_temp_path {work};
  scgi_temp_path {work}; server {{ listen 127.0.0.1:{port}; root {site}; }} }}
""")
    try:
        with Process("nginx", "-c", rules) as nginx:
            until(lambda: socket.create_connection(("127.0.0.1", port), 1))
            return alternate({
                "sleep-inducer": lambda: load([server.process.pid], f"{server.url}/", cookie),
                "nginx, a file": lambda: load(children(nginx.pid), f"http://127.0.0.1:{port}/", cookie),
            }, rounds)
    finally:
        server.stop()
