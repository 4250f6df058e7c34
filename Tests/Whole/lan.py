"""Network namespaces: separate machines on one machine, for tests that cross a network."""

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
    """The name of a machine: no other worker or checkout uses the same."""
    return f"si-{os.getpid()}-{name}"


def clear_away():
    """Removes the machines of runs that were killed."""
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


def at(place, *words, timeout=30, **options):
    """Runs a command on a machine."""
    return subprocess.run(["ip", "netns", "exec", place, *words], capture_output=True, text=True, timeout=timeout, **options)


def begin(place, *words, **options):
    """Starts a command on a machine; the caller ends it."""
    return subprocess.Popen(["ip", "netns", "exec", place, *words], **options)


@contextlib.contextmanager
def machines(*places):
    """Machines without cables, removed at the end; skipped if namespaces are not allowed."""
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
    """Joins two machines: `near` by its own port or its bridge's, `far` with an address."""
    ip("link", "add", port, "netns", near, "type", "veth", "peer", "name", port_there, "netns", far)
    ip("-n", near, "link", "set", port, *(["master", bridge] if bridge else []), "up")
    for text in [address] if isinstance(address, str) else address or []:
        family = ["-6"] if ":" in text else []
        ip("-n", far, *family, "addr", "add", text, "dev", port_there, *(["nodad"] if family else []))
    ip("-n", far, "link", "set", port_there, "up")


@contextlib.contextmanager
def browser_at(place, resolver, folder):
    """Chromium on a machine, with the machine's own resolver."""
    # A new address, such as a link-local one that is still tested (RFC 4862, 5.4), is a changed network to Chromium,
    # which then aborts its loads.
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
