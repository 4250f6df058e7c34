"""Browsers that are not Chromium: WebKit by W3C WebDriver over plain HTTP, Firefox by Marionette, which has the same
commands over a socket."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import requests

from household import PASSCODE, eventually, free_port

# What an element is called in answers (W3C WebDriver, 11).
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Marionette's names of commands, and their places in W3C WebDriver.
PLACES = {
    "NewSession": ("POST", ""), "DeleteSession": ("DELETE", ""), "Navigate": ("POST", "/url"), "Back": ("POST", "/back"),
    "Refresh": ("POST", "/refresh"), "ExecuteScript": ("POST", "/execute/sync"), "FindElement": ("POST", "/element"),
    "ElementClick": ("POST", "/element/{id}/click"), "ElementSendKeys": ("POST", "/element/{id}/value"),
    "SetWindowRect": ("POST", "/window/rect"), "TakeScreenshot": ("GET", "/screenshot"),
}


class Engine:
    """A window of a browser. Subclasses start it and carry its commands."""

    # Whether the window can have another size.
    turns = True

    def ask(self, command, **values):
        raise NotImplementedError

    def open(self, url):
        self.ask("Navigate", url=url)

    def back(self):
        self.ask("Back")

    def run(self, script):
        return self.ask("ExecuteScript", script=script, args=[])

    def until(self, script, seconds=10):
        """Waits until the script's expression is true. A page that is being left answers nothing."""
        def look():
            try:
                return self.run(f"return {script}")
            except EngineError:
                return None

        try:
            return eventually(look, seconds)
        except AssertionError:
            shown = self.run("return location.href + ': ' + document.title + ': ' + document.body.innerText")
            raise AssertionError(f"{script} stayed untrue on {shown}") from None

    def find(self, selector):
        return self.ask("FindElement", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        """A press by hand. It misses what lies under something else, such as the bar of places."""
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{ block: 'center' }})")
        self.ask("ElementClick", id=self.find(selector))

    def type(self, selector, text):
        self.ask("ElementSendKeys", id=self.find(selector), text=text)

    def size(self, width, height):
        """Gives the page itself this width and height, in CSS pixels: the window is larger by its frame."""
        wide, high = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.ask("SetWindowRect", width=width + wide, height=height + high)
        self.until(f"innerWidth === {width} && innerHeight === {height}")

    def overflow(self):
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def shot(self, path):
        Path(path).write_bytes(base64.b64decode(self.ask("TakeScreenshot")))

    def log_in(self, url):
        self.open(url + "/login")
        if not self.run("return !!document.querySelector('[name=passcode]')"):
            return
        # Not by hand: a scaled page takes no presses from WebKit's driver.
        self.run(f"document.querySelector('[name=passcode]').value = {PASSCODE!r}; document.querySelector('main form button').click()")
        self.until("!location.pathname.startsWith('/login') && document.readyState === 'complete'")


class EngineError(Exception):
    """What the browser said instead of an answer."""


class WebDriver(Engine):
    """A browser behind a driver that speaks W3C WebDriver."""

    def __init__(self, driver, capabilities, environment=None):
        port = free_port()
        self.process = subprocess.Popen(
            [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})})
        self.session = requests.Session()
        self.session.trust_env = False
        self.place = f"http://127.0.0.1:{port}/session"
        eventually(self.answers, 30)
        self.place += "/" + self.ask("NewSession", capabilities={"alwaysMatch": capabilities})["sessionId"]

    def answers(self):
        try:
            return self.session.get(self.place.replace("/session", "/status"), timeout=10)
        except requests.ConnectionError:
            return None

    def ask(self, command, **values):
        method, path = PLACES[command]
        body = json.dumps(values) if method == "POST" else None
        reply = self.session.request(method, self.place + path.format(**values), data=body, timeout=60).json()["value"]
        if isinstance(reply, dict) and "error" in reply:
            raise EngineError(f"{command}: {reply['error']}: {reply.get('message')}")
        return reply

    def close(self):
        try:
            self.ask("DeleteSession")
        finally:
            self.process.terminate()
            self.process.wait(20)


class WPE(WebDriver):
    """WPE WebKit without a screen. Its window is 800 × 600; `scale` makes the page smaller by as much."""

    turns = False

    def __init__(self, scale=1):
        super().__init__("WPEWebDriver", {"wpe:browserOptions": {
            "binary": "/usr/bin/cog", "args": ["--automation", "--platform=headless", f"--scale={scale}"]}})


# GTK leaves no window narrower than its bar's buttons; without a bar's buttons a page is as narrow as a phone.
NARROW = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; } headerbar, headerbar * { font-size: 1px; -gtk-icon-size: 1px; }"


class WebKitGTK(WebDriver):
    """WebKitGTK's MiniBrowser on a screen of its own."""

    def __init__(self, home):
        own = Path(home) / ".config/gtk-3.0"
        own.mkdir(parents=True, exist_ok=True)
        (own / "gtk.css").write_text(NARROW)
        reader, writer = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], pass_fds=[writer],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as told:
            display = ":" + told.readline().strip()
        super().__init__("WebKitWebDriver", {"webkitgtk:browserOptions": {
            "binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "args": ["--automation"]}},
            {"DISPLAY": display, "HOME": str(home), "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"})

    def close(self):
        try:
            super().close()
        finally:
            self.screen.terminate()
            self.screen.wait(20)


# A pipe to where Marionette listens, begun on the machine where Firefox is: each machine has its own loopback.
PIPE = """
import os, socket, sys, threading
door = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def out():
    while data := door.recv(65536):
        os.write(1, data)
threading.Thread(target=out, daemon=True).start()
while data := os.read(0, 65536):
    door.sendall(data)
"""
# Firefox leaves no window narrower than 450 px; its page can be.
NARROW_PAGE = "gBrowser.selectedBrowser.style.cssText = `max-width: ${arguments[0]}px; max-height: ${arguments[1]}px`"


class Firefox(Engine):
    """Firefox by Marionette; `begin` starts a process where it shall run, as `subprocess.Popen` does."""

    def __init__(self, home, begin=subprocess.Popen):
        port = free_port()
        (Path(home) / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        self.number, self.heard = 0, b""
        self.process = begin(
            ["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(home)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(home)})
        self.pipe = eventually(lambda: self.connect(begin, port), 60)
        self.ask("NewSession")

    def connect(self, begin, port):
        """The pipe, once Marionette has greeted over it."""
        self.pipe = begin([sys.executable, "-c", PIPE, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, bufsize=0)
        try:
            self.receive()
        except EngineError:
            self.pipe.wait(20)
            return None
        return self.pipe

    def receive(self):
        def more():
            data = self.pipe.stdout.read(65536)
            if not data:
                raise EngineError("Firefox has gone")
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
        name = command if ":" in command else f"WebDriver:{command}"
        text = json.dumps([0, self.number, name, values]).encode()
        self.pipe.stdin.write(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise EngineError(f"{command}: {error}")
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def size(self, width, height):
        self.ask("SetWindowRect", width=max(width, 500), height=height + 200)
        self.ask("Marionette:SetContext", value="chrome")
        try:
            self.ask("ExecuteScript", script=NARROW_PAGE, args=[width, height])
        finally:
            self.ask("Marionette:SetContext", value="content")
        self.until(f"innerWidth === {width} && innerHeight === {height}")

    def close(self):
        self.pipe.terminate()
        self.process.terminate()
        self.process.wait(20)
