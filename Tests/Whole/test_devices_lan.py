"""A home with a router that knows names: devices with new hardware addresses, and forwarders that ask for all
devices."""

import json
import subprocess
import sys
import time

from device_lan import (
    DOORBELL, GATEWAY, NEW, OLD, PHONE, RESPONDER, ROUTER, SERVER, SHIELD, curl, dig, join)
from household import BINARY, eventually
from lan import at, ip


def test_a_phone_comes_back_with_a_new_hardware_address(home):
    home.serve()
    dig(PHONE, "example.org")
    dig(DOORBELL, "example.org")
    # The router's reverse DNS names both devices; of a malicious name only letters are left.
    phone = home.named(OLD[1], "adas-iphone")
    home.named("10.78.0.3", "scriptdoorbell")

    assert home.post("/settings/people", page="/settings", name="Ada", role="child")[0] == 303
    ada = next(person["id"] for person in json.loads(subprocess.run(
        [BINARY, "export", "--data", str(home.folder / "data")], capture_output=True, text=True).stdout)["people"]
        if person["name"] == "Ada")
    assert home.post(f"/devices/{phone['id']}", name="Ada's phone", kind="phone", owner=ada)[0] == 303
    assert home.post(f"/session?person={ada}", page=f"/session?person={ada}", person=ada, durationMinutes=60,
                     strictness="strict")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)

    # A device that comes within the second in which a session began may have been there before it.
    time.sleep(1.2)
    # Ada has her phone make up another address: it is an unknown device, and nothing happens by itself.
    join(PHONE, *NEW)
    eventually(lambda: dig(PHONE, "tiktok.com") == ["203.0.113.9"], 5)
    stranger = home.named(NEW[1], "Adas-iPhone")
    page = home.page("/devices")
    assert f'action="/devices/{stranger["id"]}/merge"' in page and "Is this <bdi>Ada's phone</bdi>?" in page
    assert "Some devices made up their own Wi-Fi address" in page
    eventually(lambda: "A new device may be “Ada's phone” with a new Wi-Fi address." in home.page("/health"), 20)
    assert dig(PHONE, "tiktok.com") == ["203.0.113.9"]

    # One tap during the strict session: it only blocks more.
    assert home.post(f"/devices/{stranger['id']}/merge", known=phone["id"])[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    merged = home.device(NEW[1])
    assert (merged["id"], merged["name"], merged["kind"], merged["person"]) == (phone["id"], "Ada's phone", "phone", ada)
    assert merged["hardwareAddress"] == NEW[0] and merged["formerHardwareAddresses"] == [OLD[0]]
    assert len(home.devices()) == 3 and "/merge" not in home.page("/devices")
    # With its old address it is the same phone, without a question.
    join(PHONE, *OLD)
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    assert dig(DOORBELL, "tiktok.com") == ["203.0.113.9"]
    refused = home.post(f"/devices/{phone['id']}", owner="")
    assert refused[0] == 409 and "Ada has a strict session running" in refused[1], json.dumps([refused, home.devices()])

    # It was another child's phone after all. The undo works even tonight, because the device came during the session.
    # Each device is blocked or open as before, and the question is back.
    undone = home.post(f"/devices/{phone['id']}/unmerge")
    assert undone[0] == 303, undone
    assert len(home.devices()) == 4 and f'action="/devices/{stranger["id"]}/merge"' in home.page("/devices")
    assert home.device(OLD[1])["person"] == ada and home.device(NEW[1])["id"] == stranger["id"]
    assert home.device(OLD[1])["hardwareAddress"] == OLD[0] and "person" not in home.device(NEW[1])
    assert dig(PHONE, "tiktok.com") == [SHIELD]
    join(PHONE, *NEW)
    eventually(lambda: dig(PHONE, "tiktok.com") == ["203.0.113.9"], 5)

    asked = (home.folder / "router").read_text().lower().split("\n")
    assert asked and all(line.startswith("ptr ") and line.endswith("78.10.in-addr.arpa.") for line in asked if line)
    assert len(asked) < 20, "at first sight, and not with every question"
    assert "PTR" not in (home.folder / "asked").read_text()


def test_a_new_address_is_no_way_around(home):
    home.serve()
    dig(PHONE, "example.org")
    dig(DOORBELL, "example.org")
    phone = eventually(lambda: home.device(OLD[1]), 10)
    assert home.post(f"/devices/{phone['id']}", name="My phone", kind="phone", owner="1")[0] == 303
    assert home.post("/session", page="/session", durationMinutes=60, strictness="strict")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    for number in range(100, 110):
        for place, answer in ((PHONE, [SHIELD]), (DOORBELL, ["203.0.113.9"])):
            address = f"10.78.0.{number + (50 if place == DOORBELL else 0)}"
            ip("-n", place, "addr", "add", f"{address}/24", "dev", "wlan0")
            assert dig(place, "tiktok.com", "A", "-b", address) == answer, "with its first question"
    # Not even without TCP, with two questions at once, as every phone asks.
    two = """
import socket, sys
import dns.message
door = socket.socket(type=socket.SOCK_DGRAM)
door.bind((sys.argv[1], 0))
door.settimeout(3)
for kind in ("AAAA", "A", "A", "A"):
    door.sendto(dns.message.make_query("api.tiktok.com", kind).to_wire(), (sys.argv[2], 53))
print("".join(dns.message.from_wire(door.recv(4096)).to_text() for _ in range(4)))
"""
    for number in range(120, 130):
        ip("-n", PHONE, "addr", "add", f"10.78.0.{number}/24", "dev", "wlan0")
        told = at(PHONE, sys.executable, "-c", two, f"10.78.0.{number}", SHIELD).stdout
        assert "QUESTION" in told and "203.0.113.9" not in told, told


def test_a_lease_names_before_the_router_and_a_person_before_both(home):
    (home.leases / "dnsmasq.leases").write_text(
        f"1795262400 {OLD[0]} 10.78.0.77 Kims-Pixel *\n1 {'x' * 5000}\n\0\n1 nonsense\n")
    home.serve()
    dig(PHONE, "example.org")
    phone = home.named(OLD[1], "Kims-Pixel")
    page = home.page("/devices")
    assert "Your network calls it that." in page and '<option value="phone" selected>' in page
    assert phone["kind"] == "other", "a guess decides nothing"
    assert home.post(f"/devices/{phone['id']}", name="Kim's")[0] == 303
    # After a restart its name is looked up again, but Kim's name for it stays.
    (home.leases / "dnsmasq.leases").write_text(f"1795262400 {OLD[0]} {OLD[1]} Other *\n")
    home.children.pop().terminate()
    time.sleep(1)
    home.serve()
    dig(PHONE, "two.example")
    eventually(lambda: home.device(OLD[1])["networkName"] == "Other", 30)
    assert home.device(OLD[1])["name"] == "Kim's"


def test_a_device_that_nobody_knows_says_its_name_itself(home):
    join(DOORBELL, "3c:78:00:00:00:30", "10.78.0.30")
    home.children.append(subprocess.Popen(
        ["ip", "netns", "exec", DOORBELL, sys.executable, "-c", RESPONDER, "10.78.0.30", "Kims-Tablet.local."]))
    home.serve()
    dig(DOORBELL, "example.org")
    home.named("10.78.0.30", "Kims-Tablet")


def test_a_router_that_asks_for_everybody_is_never_enrolled_by_a_rule(home):
    home.serve("--new-devices", "me")
    dig(ROUTER, "example.org")
    dig(PHONE, "example.org")
    phone = home.named(OLD[1], "adas-iphone")
    router = home.named(GATEWAY, "box")
    assert phone["person"] and not router.get("person")
    assert home.post("/session", page="/session", durationMinutes=60, strictness="flexible")[0] == 303
    eventually(lambda: dig(PHONE, "tiktok.com") == [SHIELD], 5)
    assert dig(ROUTER, "tiktok.com") == ["203.0.113.9"], "the doorbell behind it"
    assert "This is your router. Everything behind it asks as one device" in home.page("/devices")
    status, page = home.post(f"/devices/{router['id']}", name="Box", owner="1")
    assert status == 422 and "doorbells too" in page and not home.device(GATEWAY).get("person")
    assert home.post(f"/devices/{router['id']}", owner="1", confirm="router")[0] == 303
    eventually(lambda: dig(ROUTER, "tiktok.com") == [SHIELD], 5)


def test_set_up_is_refused_from_elsewhere(home):
    home.serve(passcode=False)
    ip("-n", DOORBELL, "addr", "add", "198.51.100.7/32", "dev", "wlan0")
    ip("-n", SERVER, "route", "add", "198.51.100.7/32", "dev", "br0")
    code = ["-w", "%{http_code}"]
    assert curl(*code, f"http://{SHIELD}/setup", place=PHONE).stdout.endswith("200")
    away = curl(*code, "--interface", "198.51.100.7", f"http://{SHIELD}/setup", place=DOORBELL).stdout
    assert away.endswith("403") and "You ask from 198.51.100.7" in away
    posted = curl(*code, "--interface", "198.51.100.7", "-d", "code=1", f"http://{SHIELD}/setup", place=DOORBELL).stdout
    assert posted.endswith("403")
