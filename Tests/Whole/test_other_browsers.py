"""How Firefox reacts to a block's start and end; skipped without Firefox (`apt-get install firefox-esr`)."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from household import PASSCODE, eventually
from lan import begin
from relay_lan import PHONE, SHIELD, Owner, curl, lan, open_way  # noqa: F401

pytestmark = pytest.mark.skipif(not shutil.which("firefox-esr"), reason="there is no Firefox")
PORT = 2838
# Marionette listens on loopback, and each machine has its own loopback: a pipe out of the namespace, for one caller.
PIPE = f"""
import os, socket, sys, threading
door = socket.create_connection(("127.0.0.1", {PORT}))
def out():
    while data := door.recv(65536):
        os.write(1, data)
threading.Thread(target=out, daemon=True).start()
while data := os.read(0, 65536):
    door.sendall(data)
"""


class Firefox:
    """Firefox on the phone, driven by Marionette."""

    def __init__(self, home):
        (home / "user.js").write_text(f'user_pref("marionette.port", {PORT});\n')
        self.number, self.heard = 0, b""
        self.process = begin(
            PHONE, "firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(home),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(home)})
        eventually(lambda: begin(PHONE, sys.executable, "-c", f"import socket; socket.create_connection(('127.0.0.1', {PORT}))",
                                 stderr=subprocess.DEVNULL).wait() == 0, 60)
        self.pipe = begin(PHONE, sys.executable, "-c", PIPE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.receive()
        self.ask("WebDriver:NewSession")

    def receive(self):
        def more():
            data = self.pipe.stdout.read(65536)
            assert data, "Firefox has gone"
            self.heard += data

        while b":" not in self.heard:
            more()
        length, self.heard = self.heard.split(b":", 1)
        while len(self.heard) < int(length):
            more()
        text, self.heard = self.heard[:int(length)], self.heard[int(length):]
        return json.loads(text)

    def ask(self, command, **values):
        self.number += 1
        text = json.dumps([0, self.number, command, values]).encode()
        self.pipe.stdin.write(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        assert not error, error
        return result

    def open(self, url):
        self.ask("WebDriver:Navigate", url=url)

    def run(self, script):
        return self.ask("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def until(self, script, seconds=10):
        try:
            eventually(lambda: self.run(f"return {script}"), seconds)
        except AssertionError:
            raise AssertionError(self.run("return location.href + ': ' + document.title + ': ' + document.body.innerText"))

    def close(self):
        self.pipe.terminate()
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture
def firefox(lan):  # noqa: F811
    home = lan / "home"
    home.mkdir()
    Owner(lan / "jar").post("/trust/authority", page="/trust")
    curl("-o", str(home / "ca.crt"), f"http://{SHIELD}/trust/certificate.crt")
    # Like Firefox's own Import… button.
    for words in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "sleep-inducer", "-i", str(home / "ca.crt")]):
        subprocess.run(["certutil", "-d", f"sql:{home}", *words], check=True)
    own = Path(f"/etc/netns/{PHONE}")
    own.mkdir(parents=True, exist_ok=True)
    (own / "resolv.conf").write_text(f"nameserver {SHIELD}\n")
    firefox = Firefox(home)
    yield firefox
    firefox.close()
    (own / "resolv.conf").unlink()
    own.rmdir()


def test_firefox_meets_the_shield_and_is_let_go(lan, firefox):  # noqa: F811
    """Over HTTPS too, and repeatedly: Firefox opens connections ahead, and some of them are from the time of the
    block."""
    owner = Owner(lan / "jar")
    open_way()
    firefox.open(f"http://{SHIELD}/trust/check")
    firefox.until("location.pathname === '/trust/result'", 30)
    assert firefox.run("return document.querySelector('h1').innerText") == "This device trusts the shield"
    for url in ("http://tiktok.com/a", *(f"https://{name}.com/b" for name in ("www.tiktok", "instagram", "youtube", "reddit"))):
        owner.start()
        firefox.open(url)
        assert firefox.run("return document.querySelector('h1').innerText") == "Sleep Mode Active", url
        time.sleep(1.2)
        owner.post("/settings/reset", page="/settings", confirm="reset")
        begun = time.time()
        # Nobody certifies the world's own certificate: Firefox's warning about it shows that the world was reached.
        firefox.until("document.title === 'world' || document.title.startsWith('Warning: ')")
        print(f"\n{url}: from the release to the page {(time.time() - begun) * 1000:.0f} ms")


def test_a_night_in_firefox(firefox):
    firefox.open(f"http://{SHIELD}/login")
    firefox.run(f"document.querySelector('[name=passcode]').value = '{PASSCODE}'; document.querySelector('main form').requestSubmit()")
    firefox.until("location.pathname === '/'")
    firefox.open(f"http://{SHIELD}/session")
    firefox.run("document.querySelector('.session-form, form[action=\"/session\"]').requestSubmit()")
    firefox.until("document.querySelector('h1').innerText === 'Sleep Mode Active'")
    first = firefox.run("return document.querySelector('[role=timer]').innerText")
    firefox.until(f"document.querySelector('[role=timer]').innerText !== {json.dumps(first)}")
    # Back to an earlier page: it must be loaded again.
    firefox.open(f"http://{SHIELD}/help")
    firefox.ask("WebDriver:Back")
    firefox.until("document.querySelector('h1').innerText === 'Sleep Mode Active'")
