"""A backup is looked at and restored on a page, while devices go on asking."""

import re
import threading
import time

import dns.exception

from household import PASSCODE, Browser, eventually
from test_look import SHOTS, SIZES, Visitor, chromium  # noqa: F401 (a fixture)


def add(owner, name):
    assert owner.post("/settings/people", {"name": name, "role": "adult"}, page="/settings/people").status_code == 303


def choose(owner, content):
    return owner.session.post(
        f"{owner.server.url}/settings/backups", data={"csrf": owner.csrf("/settings/backups")},
        files={"file": ("a.sqlite", content)}, allow_redirects=False)


def people(owner):
    return owner.get("/settings/people").text


def restore(owner, path):
    name = re.search(r"file=([^&]+)", path).group(1)
    last = owner.post("/settings/backups/restore", {"file": name, "passcode": PASSCODE}, page=path)
    assert last.status_code == 200 and "begins anew" in last.text
    return last


def test_restored_and_taken_back_while_devices_ask(server, sleeper):
    add(sleeper, "Magdalena")
    backup = sleeper.get("/settings/backup").content
    add(sleeper, "Balthasar")

    looked = choose(sleeper, backup)
    assert looked.status_code == 303
    page = sleeper.get(looked.headers["location"]).text
    assert "Balthasar" in page and "Goes, with their rules and history" in page
    assert "Balthasar" in people(sleeper), "nothing is restored yet"

    lost, isOver = [], threading.Event()

    def ask():
        while not isOver.is_set():
            begun = time.monotonic()
            try:
                server.ask("example.org", timeout=5)
            except dns.exception.Timeout:
                lost.append(time.monotonic() - begun)
            time.sleep(0.05)

    asking = threading.Thread(target=ask)
    asking.start()
    restore(sleeper, looked.headers["location"])
    eventually(lambda: server.log.read_text().count("Sleep Inducer 0") == 2, 15)
    eventually(lambda: "Magdalena" in people(sleeper) and "Balthasar" not in people(sleeper), 10)
    isOver.set()
    asking.join()
    assert lost == [], "each question had its answer"
    assert server.process.poll() is None, "the same process goes on"
    Browser(server).log_in()

    page = sleeper.get("/settings/backups").text
    assert "Before a restore" in page and "did not happen" not in page
    back = re.search(r'href="(/settings/backups/look\?file=[^"]*before-restore[^"]*)"', page).group(1)
    assert "Balthasar" in sleeper.get(back.replace("&amp;", "&")).text
    restore(sleeper, back.replace("&amp;", "&"))
    eventually(lambda: server.log.read_text().count("Sleep Inducer 0") == 3, 15)
    eventually(lambda: "Balthasar" in people(sleeper), 10)


def test_a_bad_file_changes_nothing(server, sleeper):
    add(sleeper, "Magdalena")
    backup = sleeper.get("/settings/backup").content
    for content, words in [
        (b"Dear diary", "no backup of Sleep Inducer"), (backup[:8192], "is damaged"),
        (backup[:4096] + b"\xff" * 8192 + backup[12288:], "damaged"),
    ]:
        refused = choose(sleeper, content)
        assert refused.status_code == 422 and words in refused.text, refused.text
        assert str(server.data) not in refused.text
    assert "Magdalena" in people(sleeper)
    assert not list(server.data.glob("*.chosen-*"))


def test_a_strict_session_is_not_restored_away(server, sleeper):
    backup = sleeper.get("/settings/backup").content
    sleeper.start_session(480, "strict")
    looked = choose(sleeper, backup).headers["location"]
    assert "strict session running" in sleeper.get(looked).text
    name = re.search(r"file=([^&]+)", looked).group(1)
    refused = sleeper.post("/settings/backups/restore", {"file": name, "passcode": PASSCODE}, page="/settings/backups")
    assert refused.status_code == 409
    assert server.addresses("tiktok.com") == ["127.0.0.1"]


def test_walked_through_in_a_browser(chromium, server, sleeper, tmp_path):  # noqa: F811
    add(sleeper, "Magdalena")
    (tmp_path / "a.sqlite").write_bytes(sleeper.get("/settings/backup").content)
    add(sleeper, "Balthasar")
    visitor = Visitor(chromium, server, SIZES).log_in()
    page = visitor.page

    def look(name):
        for size in visitor.at_each_size():
            page.screenshot(path=SHOTS / f"{name}-{size}.png", full_page=True)
            assert visitor.overflow() <= 0
            visitor.check_this_size(name)

    page.goto(server.url + "/settings")
    visitor.press(page.get_by_role("link", name="Backups"))
    look("backups")
    page.get_by_label("A backup that you downloaded").set_input_files(tmp_path / "a.sqlite")
    visitor.press(page.get_by_role("button", name="Look at it"))
    assert page.get_by_text("Goes, with their rules and history").count() == 1
    look("backup")
    page.get_by_label("Passcode").fill("wrong one")
    visitor.press(page.get_by_role("button", name="Restore this backup"))
    assert page.get_by_text("This is not the passcode.").count() == 1
    # The browser notes the refused form.
    visitor.noise = [text for text in visitor.noise if "422" not in text]
    page.get_by_label("Passcode").fill(PASSCODE)
    visitor.press(page.get_by_role("button", name="Restore this backup"))
    page.get_by_role("heading", name="Restoring").wait_for()
    page.get_by_role("heading", name="Backups").wait_for(timeout=20_000)
    assert page.get_by_text("Before a restore").count() == 1
    look("backups-after")
    assert visitor.noise == []
    visitor.close()
