"""Network namespaces: machines of their own on one machine, for what crosses a network."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest
from playwright.sync_api import sync_playwright


def machine(name):
    """What a machine is called: no other worker, and no other checkout, calls one of its own the same."""
    return f"si-{os.getpid()}-{name}"


def clear_away():
    """Takes away the machines of runs that were killed before they could."""
    for folder in (pathlib.Path("/run/netns"), pathlib.Path("/etc/netns")):
        for left in folder.glob("si-*"):
            whose = re.match(r"si-(\d+)-", left.name)
            if not whose or os.path.exists(f"/proc/{whose[1]}"):
                continue
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                ip_quietly("netns", "del", left.name)


def ip_quietly(*words):
    subprocess.run(["ip", *words], capture_output=True)


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def at(place, *words, **options):
    """Runs a command on a machine."""
    return subprocess.run(["ip", "netns", "exec", place, *words], capture_output=True, text=True, timeout=30, **options)


def begin(place, *words, **options):
    """Starts a command on a machine, to be ended by whoever asked for it."""
    return subprocess.Popen(["ip", "netns", "exec", place, *words], **options)


@contextlib.contextmanager
def machines(*places):
    """Machines without any cable, gone at the end; skipped where namespaces may not be made."""
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    for place in places:
        ip_quietly("netns", "del", place)
    try:
        for place in places:
            ip("netns", "add", place)
            ip("-n", place, "link", "set", "lo", "up")
    except subprocess.CalledProcessError:
        pytest.skip("this machine makes no network namespaces")
    try:
        yield
    finally:
        for place in places:
            ip_quietly("netns", "del", place)


def cable(near, port, far, port_there, *, address=None, bridge=None):
    """Joins two machines: `near` by a port of its own or of its bridge, `far` with an address."""
    ip("link", "add", port, "netns", near, "type", "veth", "peer", "name", port_there, "netns", far)
    ip("-n", near, "link", "set", port, *(["master", bridge] if bridge else []), "up")
    for text in [address] if isinstance(address, str) else address or []:
        family = ["-6"] if ":" in text else []
        ip("-n", far, *family, "addr", "add", text, "dev", port_there, *(["nodad"] if family else []))
    ip("-n", far, "link", "set", port_there, "up")


@contextlib.contextmanager
def browser_at(place, resolver, folder):
    """Chromium on a machine, with the machine's own resolver."""
    # An address that comes later, as a link's own does while it is still tried (RFC 4862, 5.4), is a changed network to
    # Chromium, which then gives up what it was loading.
    while "tentative" in at(place, "ip", "-6", "addr").stdout:
        time.sleep(0.1)
    own = pathlib.Path(f"/etc/netns/{place}")
    own.mkdir(parents=True, exist_ok=True)
    (own / "resolv.conf").write_text(f"nameserver {resolver}\n")
    start = folder / "chromium"
    start.write_text(f'#!/bin/sh\nexec ip netns exec {place} /usr/bin/chromium "$@"\n')
    start.chmod(0o755)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(start), args=["--no-sandbox"])
            yield browser.new_context(ignore_https_errors=True)
            browser.close()
    finally:
        (own / "resolv.conf").unlink()
        own.rmdir()
