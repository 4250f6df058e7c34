"""What a device does, as words: visit ADDRESS ask NAME | fetch PATH | night | upstream"""

import sys
import threading
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Whole"))

import dns.message
import dns.query
import requests

from household import Browser, Upstream


def main():
    address, task, *words = sys.argv[1:]
    if task == "ask":
        reply = dns.query.udp(dns.message.make_query(words[0], "A"), address, timeout=30)
        print(*(record.to_text() for rrset in reply.answer for record in rrset))
    if task == "fetch":
        print(requests.get(f"http://{address}{words[0]}", timeout=60).text)
    if task == "night":
        Browser(SimpleNamespace(url=f"http://{address}")).log_in().enroll().start_session(480, "strict")
    if task == "upstream":
        Upstream(5399, address)
        threading.Event().wait()


main()
