"""What every machine of a trial can do, whether it is a container or emulated."""

import os
import subprocess
import sys
import time
from pathlib import Path

VISIT = Path(__file__).with_name("visit.py")


class Machine:
    """`network` are the words before a command of this machine that shall run where the other one is reached at
    `address`; `outside` is this machine's own address there. `patience` is how many times longer than on a free
    machine everything may take; PATIENCE sets it. One that `bears_load` is restarted, killed and upgraded under it."""

    network: list[str] = []
    address = "127.0.0.1"
    outside = "127.0.0.1"
    patience = float(os.environ.get("PATIENCE", 1))
    bears_load = False

    def run(self, *words) -> subprocess.CompletedProcess:
        raise NotImplementedError

    def must(self, *words) -> str:
        done = self.run(*words)
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()

    def write(self, path: str, text: str):
        self.must("sh", "-c", 'printf %s "$2" > "$1"', "write", path, text)

    def is_there(self, path: str) -> bool:
        return self.run("test", "-e", path).returncode == 0

    def wait(self, check, seconds=60):
        deadline = time.monotonic() + seconds * self.patience
        while not (answer := check()):
            assert time.monotonic() < deadline, f"it took longer than {seconds * self.patience} s"
            time.sleep(0.1 * self.patience)
        return answer

    def visiting(self, address, *words):
        return [*self.network, sys.executable, str(VISIT), address, *words]

    def visit(self, *words) -> str:
        done = subprocess.run(self.visiting(self.address, *words), capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def fetch(self, path: str) -> str:
        return self.visit("fetch", path)

    def upstream(self) -> subprocess.Popen:
        """A resolver of the fake internet, on port 5399, which runs until it is ended."""
        return subprocess.Popen(self.visiting(self.outside, "upstream"))

    def property(self, name: str) -> str:
        return self.must("systemctl", "show", "--value", "-p", name, "sleep-inducer")

    def is_active(self) -> bool:
        return self.property("ActiveState") == "active"
