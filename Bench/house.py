"""The server under measurement, set up as a household would have it."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Whole"))

import household  # noqa: E402

household.BINARY = Path(os.environ.get("SLEEP_INDUCER_BINARY", ROOT / ".build-release/sleep-inducer"))


def sleeping(data: Path, upstream=None, allowed_domains: int = 0, flags: tuple = ()) -> household.Server:
    """A server on which loopback sleeps for eight hours, with this many domains allowed."""
    server = household.Server(data, upstream, *flags)
    owner = household.Browser(server).log_in().enroll()
    if allowed_domains:
        server.stop()
        domains = sorted(f"allowed{number}.example" for number in range(allowed_domains))
        household.edit_documents(
            data / "sleep-inducer.sqlite", "person", lambda person: person["allowedApps"].update(domains=domains))
        server.start()
    owner.start_session(480, "strict")
    household.eventually(lambda: server.addresses("site0.example") == ["127.0.0.1"], 10)
    server.owner = owner
    return server
