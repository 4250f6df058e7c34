"""The first night as a household meets it: a laptop and a phone, from the code on the terminal to the first bedtime."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from household import BINARY, PASSCODE, eventually, free_port
from test_check import AGENTS, ELSEWHERE, HOME, PHONE, lan  # noqa: F401
from test_look import SHOTS, violations


def browser(playwright, lan, place, **options):  # noqa: F811
    """A browser on a machine of the network, and its page."""
    door = lan.folder / f"chromium-on-{place}"
    door.write_text(f'#!/bin/sh\nexec ip netns exec {place} /usr/bin/chromium-headless-shell "$@"\n')
    door.chmod(0o755)
    chromium = playwright.chromium.launch(executable_path=str(door), args=["--no-sandbox"])
    return chromium, chromium.new_context(**options).new_page()


def read_code(picture: Path) -> str:
    """What a phone's camera reads from a picture; empty while it sees no code."""
    return subprocess.run(
        ["zbarimg", "--quiet", "--nodbus", "--raw", str(picture)], capture_output=True, text=True,
        timeout=60).stdout.strip()


def read_lines(text: str, picture: Path) -> str:
    """The same from the lines of a terminal, which are drawn first."""
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.split("\r\n") if line.startswith("\x1b[")]
    assert max(map(len, rows)) <= 80
    light = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
    pixels = [[light[cell][half] for cell in row] for row in rows for half in (0, 1)]
    scale = 4
    image = [value for row in pixels for _ in range(scale) for value in row for _ in range(scale)]
    picture.write_bytes(b"P5 %d %d 255\n" % (scale * len(pixels[0]), scale * len(pixels)) + bytes(image))
    return read_code(picture)


def scan(screen, picture: Path) -> str:
    """What a camera reads that is held before a screen until it sees a code: a page fades in first."""

    def look():
        screen.screenshot(path=picture)
        return read_code(picture)

    return eventually(look, 10)


@pytest.fixture
def house(lan):  # noqa: F811
    """A server that nobody has set up, the laptop's page and the phone's page."""
    log = lan.serve(unattended=False)
    lan.resolvers("10.78.0.254")
    code = eventually(lambda: re.search(r"setup\?code=(\S+)", log.read_text()), 10).group(1)
    with sync_playwright() as playwright:
        browsers = [
            browser(playwright, lan, ELSEWHERE, viewport={"width": 1440, "height": 900}, user_agent=AGENTS["windows"]),
            browser(playwright, lan, PHONE, viewport={"width": 390, "height": 844}, user_agent=AGENTS["ios"])]
        yield lan, code, *(page for _, page in browsers)
        for chromium, _ in browsers:
            chromium.close()


def pass_the_gate(laptop, code):
    laptop.goto(f"http://{HOME}/setup?code={code}")
    expect(laptop.locator("#passcode")).to_be_focused()
    laptop.keyboard.type(PASSCODE)
    laptop.get_by_role("button", name="Continue").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Who sleeps here?")


def test_a_family_is_set_up_in_one_way(house, tmp_path):
    lan, code, laptop, phone = house  # noqa: F811
    pass_the_gate(laptop, code)
    assert violations(laptop) == []
    laptop.get_by_label("Who else?").fill("Mia")
    laptop.get_by_role("button", name="Add child").click()
    expect(laptop.get_by_label("Who else?")).to_be_focused()
    laptop.get_by_role("button", name="Continue").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Connect a phone")
    assert violations(laptop) == []

    expect(laptop.get_by_text("My computer is known. One step is left on it: its DNS.")).to_be_visible()
    expect(laptop.get_by_text("Waiting for a phone")).to_be_visible()

    # The camera reads the code from the screen; what it opens asks for no passcode.
    address = scan(laptop, tmp_path / "screen.png")
    assert address.startswith(f"http://{HOME}/setup/device?key="), address
    phone.goto(address)
    assert violations(phone) == []
    phone.get_by_role("button", name="Mia").click()
    expect(phone.locator(".chip.on")).to_have_text("This is the device of Mia")
    assert phone.locator("details[open] summary").inner_text() == "iPhone and iPad"
    assert phone.locator("details summary").first.inner_text() == "iPhone and iPad"
    expect(laptop.get_by_text("Mia’s phone is known. One step is left on it: its DNS.")).to_be_visible()
    # The code worked once: the laptop shows the next one, and the old one says so on another phone.
    expect(laptop.get_by_text("Waiting for a phone")).to_have_count(0)
    eventually(lambda: scan(laptop, tmp_path / "next.png") != address, 5)
    assert scan(laptop, tmp_path / "next.png").startswith(f"http://{HOME}/setup/device?key=")
    late = lan.fetch(address, place=ELSEWHERE)
    assert "This code was used already" in late.stdout and "Mia" not in late.stdout
    phone.goto(address)
    expect(phone.locator(".chip.on")).to_have_text("This is the device of Mia")
    lan.resolvers(HOME)  # the taps in the phone's own settings
    assert lan.ask("example.org")
    arrived = laptop.get_by_role("status").get_by_text("Mia’s phone just arrived.")
    expect(arrived).to_be_visible(timeout=5_000)
    # The computer itself arrives like the others.
    assert lan.ask("example.org", place=ELSEWHERE)
    expect(laptop.get_by_role("status").get_by_text("My computer just arrived.")).to_be_visible(timeout=5_000)
    assert violations(laptop) == []

    # Left and found again, over a restart.
    server = lan.children[-1]
    server.terminate()
    server.wait(15)
    lan.serve(unattended=False)
    laptop.goto(f"http://{HOME}/setup")
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Add a device")
    laptop.get_by_role("button", name="Continue").click()

    expect(laptop.get_by_role("heading", level=1)).to_have_text("When is bedtime?")
    assert violations(laptop) == []
    expect(laptop.get_by_text("Phone and Messages").first).to_be_visible()
    expect(laptop.get_by_role("heading", name=re.compile("Open all night for"))).not_to_have_count(0)
    # Left and found again, from home.
    laptop.get_by_role("button", name="Finish later").click()
    expect(laptop.get_by_text("Set-up is not finished.")).to_be_visible()
    assert violations(laptop) == []
    laptop.get_by_role("link", name="Continue").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("When is bedtime?")
    # Hours that hold now wherever the clock stands: the page asks, and Escape changes nothing.
    for person in 1, 2:
        laptop.locator(f"#start-{person}").fill("00:00")
        laptop.locator(f"#end-{person}").fill("23:59")
    laptop.get_by_role("button", name="Continue").click()
    expect(laptop.get_by_role("button", name="From tomorrow")).to_be_visible()
    expect(laptop.locator("main bdi")).to_have_text(["Mia and you"] * 2)
    assert violations(laptop) == []
    laptop.keyboard.press("Escape")
    expect(laptop.locator("#start-1")).to_have_value("00:00")
    assert lan.ask("whatsapp.com") == ["203.0.113.9"]
    # The Return key continues, and does not lead to the apps of the first person.
    laptop.locator("#end-2").press("Enter")
    laptop.get_by_role("button", name="From tomorrow").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("See it for two minutes")
    # What stays open, on the way back: the saved times stay.
    laptop.get_by_role("link", name="Back", exact=True).click()
    laptop.get_by_role("button", name="Change for Mia").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Allowed Apps")
    laptop.get_by_role("link", name="Back to set-up").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("When is bedtime?")
    expect(laptop.locator("#end-2")).to_have_value("23:59")
    laptop.get_by_role("button", name="Continue").click()

    expect(laptop.get_by_role("heading", level=1)).to_have_text("See it for two minutes")
    assert violations(laptop) == []
    assert lan.ask("whatsapp.com") == ["203.0.113.9"], "tonight nothing begins"
    laptop.get_by_role("button", name="See it on Mia’s phone").click()
    expect(laptop.get_by_text("Rests until")).to_be_visible()
    eventually(lambda: lan.ask("whatsapp.com") == [HOME], 5)
    # The code on the laptop opens a page on the phone that surely shows the shield.
    phone.goto(scan(laptop.locator(".qr-code"), tmp_path / "try.png"))
    expect(phone.get_by_role("heading", level=1)).to_have_text("Sleep Mode Active")
    assert violations(laptop) == []
    laptop.screenshot(path=SHOTS / "setup-try-running-laptop.png", full_page=True)
    for name, (width, height) in {"phone": (390, 844), "bedside": (800, 480)}.items():
        laptop.set_viewport_size({"width": width, "height": height})
        laptop.screenshot(path=SHOTS / f"setup-try-running-{name}.png", full_page=True)
    laptop.set_viewport_size({"width": 1440, "height": 900})
    laptop.get_by_role("link", name="What the shield looks like").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Sleep Mode Active")
    laptop.go_back()
    laptop.get_by_role("button", name="End it now on Mia’s phone").click()
    eventually(lambda: lan.ask("whatsapp.com") == ["203.0.113.9"], 5)
    laptop.get_by_role("button", name="Finish", exact=True).click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Sleep Inducer")
    expect(laptop.get_by_text("Set-up is not finished.")).to_have_count(0)


@pytest.mark.parametrize("asks_already", [False, True])
def test_an_adult_says_yes_on_the_screen_that_showed_the_code(house, tmp_path, asks_already):
    lan, code, laptop, phone = house  # noqa: F811
    pass_the_gate(laptop, code)
    laptop.get_by_label("Name of Me").fill("Anna")
    laptop.get_by_role("button", name="Continue").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Connect a phone")
    address = scan(laptop, tmp_path / "screen.png")
    if asks_already:
        assert lan.ask("example.org")
    phone.goto(address)
    phone.get_by_role("button", name="Anna").click()
    expect(phone.get_by_text("Tap Yes on the other screen")).to_be_visible()
    assert violations(phone) == []
    # Also before it asked anything.
    expect(laptop.get_by_text("Is it Anna’s?")).to_be_visible(timeout=5_000)
    assert violations(laptop) == []
    laptop.get_by_role("button", name="Yes").click()
    expect(phone.locator(".chip.on")).to_have_text("This is the device of Anna", timeout=10_000)
    expect(phone.get_by_text("Tap Yes on the other screen")).to_have_count(0)
    expect(laptop.get_by_text("Is it Anna’s?")).to_have_count(0)


def test_an_ipad_that_says_that_it_is_a_mac_gets_the_steps_of_an_ipad(house, tmp_path):
    lan, code, laptop, phone = house  # noqa: F811
    pass_the_gate(laptop, code)
    laptop.get_by_role("button", name="Continue").click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("Connect a phone")
    address = scan(laptop, tmp_path / "screen.png")
    mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15"
    ipad = phone.context.browser.new_context(user_agent=mac).new_page()
    ipad.add_init_script("Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 })")
    ipad.goto(address)
    expect(ipad.locator("details[open] summary")).to_have_text(["iPhone and iPad"])
    assert ipad.locator("details summary").first.inner_text() == "iPhone and iPad"
    ipad.get_by_role("button", name="Me").click()
    expect(laptop.get_by_text("My tablet", exact=True)).to_be_visible(timeout=5_000)
    laptop.get_by_role("button", name="Yes").click()
    expect(ipad.locator(".chip.on")).to_have_text("This is the device of Me", timeout=10_000)
    # A Mac stays a Mac.
    other = phone.context.browser.new_context(user_agent=mac).new_page()
    other.goto(f"http://{HOME}/setup/device")
    expect(other.locator("details[open] summary")).to_have_text(["Mac"])


def test_the_way_works_without_script(house):
    lan, code, laptop, _ = house  # noqa: F811
    plain = laptop.context.browser.new_context(java_script_enabled=False, user_agent=AGENTS["windows"])
    page = plain.new_page()
    pass_the_gate(page, code)
    page.get_by_role("button", name="Continue").click()
    lan.resolvers(HOME)
    assert lan.ask("example.org")
    eventually(lambda: page.reload() and "A new device just arrived" in page.content(), 10)
    page.get_by_role("button", name=re.compile("^Me has ")).click()
    assert "My device" in page.locator("[data-fresh=arrivals]").inner_text()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Bedtime", exact=True).fill("00:00")
    page.get_by_label("Wake Up").fill("23:59")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Start now")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("When is bedtime?")
    assert lan.ask("whatsapp.com") == ["203.0.113.9"], "Back leaves everything as it was"
    page.get_by_label("Bedtime", exact=True).fill("00:00")
    page.get_by_label("Wake Up").fill("23:59")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Start now").click()
    eventually(lambda: lan.ask("whatsapp.com") == [HOME], 5)
    page.goto(f"http://{HOME}/setup")
    expect(page.get_by_role("heading", level=1)).to_have_text("See it for two minutes")
    page.get_by_role("button", name="Finish later").click()
    page.goto(f"http://{HOME}/more")
    page.goto(f"http://{HOME}/setup")
    expect(page.get_by_role("heading", level=1)).to_have_text("See it for two minutes")
    plain.close()


def test_done_ends_set_up_without_script(house):
    _, code, laptop, _ = house
    plain = laptop.context.browser.new_context(java_script_enabled=False, user_agent=AGENTS["windows"])
    page = plain.new_page()
    pass_the_gate(page, code)
    page.get_by_role("button", name="Finish later").click()
    expect(page.get_by_text("Set-up is not finished.")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("Set-up is done.")).to_be_visible()
    expect(page.get_by_text("Set-up is not finished.")).to_have_count(0)
    page.goto(f"http://{HOME}/setup")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sleep Inducer")
    plain.close()


def test_the_display_shows_a_code_until_a_phone_is_there(house, tmp_path):
    lan, code, laptop, _ = house  # noqa: F811
    pass_the_gate(laptop, code)
    laptop.goto(f"http://{HOME}/kiosk")
    laptop.get_by_text("Connect a phone").click()
    assert scan(laptop.locator(".qr-code"), tmp_path / "kiosk.png") == f"http://{HOME}/setup/device", "everybody sees it: no invitation"
    assert violations(laptop) == []
    lan.ask("example.org")
    lan.resolvers(HOME)
    eventually(lambda: lan.fetch(f"http://{HOME}/setup/device").returncode == 0)
    laptop.goto(f"http://{HOME}/setup/device")
    laptop.get_by_role("button", name=re.compile("^Me has ")).first.click()
    laptop.goto(f"http://{HOME}/kiosk")
    assert laptop.get_by_text("Connect a phone").count() == 0


def test_a_terminal_shows_the_code_of_set_up(tmp_path):
    """A terminal of 100 columns; what it shows is drawn as a picture and read back."""
    master, slave = os.openpty()
    process = subprocess.Popen(
        [BINARY, "serve", "--data", tmp_path / "data", "--bind", "127.0.0.1", "--http-port", str(free_port()),
         "--https-port", "off", "--dns-port", "off"], stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    try:
        while b"\x1b[0m\r\n\r\n" not in shown:
            shown += os.read(master, 4096)
    finally:
        process.terminate()
        process.wait(15)
        os.close(master)
    text = shown.decode()
    assert read_lines(text, tmp_path / "terminal.pgm") == re.search(r"Set-up  (\S+)", text).group(1)
