"""How Firefox reacts to a block's start and end."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from engines import Firefox
from lan import begin
from relay_lan import PHONE, SHIELD, Owner, curl, lan, open_way  # noqa: F401

pytestmark = pytest.mark.skipif(not shutil.which("firefox-esr"), reason="there is no Firefox")

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
    firefox = Firefox(home, lambda words, **options: begin(PHONE, *words, **options))
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
    firefox.log_in(f"http://{SHIELD}")
    firefox.open(f"http://{SHIELD}/session")
    firefox.run("document.querySelector('.session-form, form[action=\"/session\"]').requestSubmit()")
    firefox.until("document.querySelector('h1').innerText === 'Sleep Mode Active'")
    first = firefox.run("return document.querySelector('[role=timer]').innerText")
    firefox.until(f"document.querySelector('[role=timer]').innerText !== {json.dumps(first)}")
    # Back to an earlier page: it must be loaded again.
    firefox.open(f"http://{SHIELD}/help")
    firefox.back()
    firefox.until("document.querySelector('h1').innerText === 'Sleep Mode Active'")
