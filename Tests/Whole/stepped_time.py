"""The clocks of a server that a test moves on in steps: what the server waits for comes as soon as a step reaches it."""

import mmap
import os
import struct
import subprocess
import time
from datetime import datetime
from pathlib import Path

SECOND = 10**9


class SteppedTime:
    """Uptime and wall clock of a server, moved by `stepped_time.c`. No other program on this machine sees it."""

    def __init__(self, folder: Path, start: datetime):
        library, told = folder / "stepped_time.so", folder / "stepped-time"
        source = Path(__file__).with_name("stepped_time.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        self.ahead, self.start = 0, int(start.timestamp()) * SECOND - time.time_ns()
        told.write_bytes(struct.pack("@qq", self.ahead, self.start))
        with open(told, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "STEPPED_TIME": str(told)}

    @property
    def now(self) -> float:
        """What the server's wall clock shows, in seconds since 1970."""
        return (time.time_ns() + self.start + self.ahead) / SECOND

    def step_to(self, instant: float):
        """Moves on to the instant; does nothing if it is past."""
        self.ahead += max(0, int((instant - self.now) * SECOND))
        self.memory[:8] = struct.pack("@q", self.ahead)
