"""Guesses of the passcode from many addresses at once, while the household wants to log in."""

import queue
import threading
import time

import pytest

from household import PASSCODE, Browser, Server

# One guess each: every address has its own three tries.
ADDRESSES = [f"127.0.{network}.{host}" for host in range(2, 12) for network in range(20, 40)]
FREE = 40


@pytest.fixture
def server(tmp_path, upstream):
    """With a passcode that takes as long to check as a household's."""
    server = Server(tmp_path / "data", upstream, is_new=True)
    yield server
    server.stop()


@pytest.mark.nightly
def test_two_hundred_addresses_guess_no_faster_than_one(server, owner):
    left, tries = queue.SimpleQueue(), []
    for address in ADDRESSES:
        left.put(address)

    def guess():
        while True:
            try:
                address = left.get_nowait()
            except queue.Empty:
                return
            reply = Browser(server, address).session.post(
                f"{server.url}/login", data={"passcode": "not the passcode"}, allow_redirects=False, timeout=30)
            tries.append(reply.status_code)

    begun = time.monotonic()
    crowd = [threading.Thread(target=guess) for _ in range(3)]
    for one in crowd:
        one.start()
    while len(tries) < FREE:
        time.sleep(0.05)
    # A browser that was once signed in does not count as part of the crowd, although it signed out.
    assert owner.post("/logout", page="/").status_code == 303
    owner.log_in()
    for one in crowd:
        one.join()
    seconds = time.monotonic() - begun
    looked_at = tries.count(422)
    print(f"{len(tries)} tries from as many addresses in {seconds:.1f} s, {looked_at} of them looked at")
    assert set(tries) <= {422, 429, 503} and FREE <= looked_at <= FREE + seconds + 10
    assert tries.count(429) > len(tries) / 3
    # A new browser has to wait, even with the right passcode, and is told how long.
    late = Browser(server, "127.0.90.2").session.post(
        f"{server.url}/login", data={"passcode": PASSCODE}, allow_redirects=False, timeout=30)
    assert late.status_code == 429 and int(late.headers["Retry-After"]) > 0
