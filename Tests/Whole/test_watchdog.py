"""systemd's watchdog hears of the threads that serve: where one of them stands still, it hears nothing any more."""

import contextlib
import ctypes
import ctypes.util
import time
from pathlib import Path

from household import eventually
from test_restart import kept  # noqa: F401 (a fixture)

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)


def threads(process):
    return {int(task.name): (task / "comm").read_text().strip() for task in Path(f"/proc/{process}/task").iterdir()}


@contextlib.contextmanager
def standing_still(numbers):
    """Stops single threads of a process, as a debugger does (ptrace(2)); all others go on."""
    def trace(request, thread):
        if libc.ptrace(request, thread, None, None) != 0:
            raise OSError(ctypes.get_errno(), f"ptrace {request:#x}")
    for number in numbers:
        trace(SEIZE, number)
        trace(INTERRUPT, number)
    eventually(lambda: all(Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "t" for number in numbers))
    yield
    for number in numbers:
        trace(DETACH, number)


# These are real seconds: a sign of life comes every ten, and systemd waits for thirty.
def test_no_sign_of_life_comes_while_an_event_loop_stands_still(kept):  # noqa: F811
    manager = kept.manager

    def signs():
        return manager.said.count("WATCHDOG=1")
    eventually(lambda: signs() >= 1, 15)
    # Those of DNS and pages; the house's own thread has another name.
    loops = [number for number, name in threads(manager.pid).items() if name.startswith("NIO-SGLTN")]
    with standing_still(loops[-1:]):
        # One may have been on its way.
        time.sleep(0.5)
        before = signs()
        time.sleep(22)
        assert signs() == before
    eventually(lambda: signs() > before, 22)
