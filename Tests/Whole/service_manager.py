"""Does what systemd does for a unit with a file descriptor store, for one process at a time and without PID 1."""

import array
import fcntl
import os
import secrets
import signal
import socket
import threading
import time


class ServiceManager:
    """Keeps the sockets that a service pushes (FDSTORE=1) and passes them to its next process (LISTEN_FDS)."""

    def __init__(self, log):
        self.log = log
        self.store: list[tuple[str, int]] = []
        self.extra: list[tuple[str, int]] = []
        self.said: list[str] = []
        self.pid = None
        # A file, because an abstract address belongs to one network namespace.
        self.address = f"/tmp/sleep-inducer-{secrets.token_hex(8)}.notify"
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.address)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                text, ancillary, _, _ = self.notify.recvmsg(4096, socket.CMSG_SPACE(253 * 4))
            except OSError:
                return
            handed = array.array("i")
            for level, kind, data in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                    handed.frombytes(data[: len(data) - len(data) % handed.itemsize])
            lines = text.decode().split("\n")
            fields = dict(line.split("=", 1) for line in lines)
            self.said.extend(lines)
            if "FDSTORE" in fields:
                assert fields["FDPOLL"] == "0" and ":" not in fields["FDNAME"]
                self.store += [(fields["FDNAME"], lifted(one)) for one in handed]
            if "FDSTOREREMOVE" in fields:
                gone = [one for one in self.store if one[0] == fields["FDNAME"]]
                self.store = [one for one in self.store if one not in gone]
                for _, descriptor in gone:
                    os.close(descriptor)

    @property
    def names(self) -> list[str]:
        return sorted(name for name, _ in self.store)

    def start(self, command):
        """Starts the service and returns at once; `ready` waits."""
        handed = self.extra + self.store
        output = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        actions = [(os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, one, 3 + index) for index, (_, one) in enumerate(handed)]
        environment = {**os.environ, "NOTIFY_SOCKET": self.address}
        if handed:
            environment |= {"LISTEN_FDS": str(len(handed)), "LISTEN_FDNAMES": ":".join(name for name, _ in handed)}
        self.said.clear()
        # A process knows its own number only when it runs.
        words = ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", *map(str, command)]
        self.pid = os.posix_spawn("/bin/sh", words, environment, file_actions=actions)
        os.close(output)

    def ready(self, seconds=30):
        deadline = time.monotonic() + seconds
        while "READY=1" not in self.said:
            assert time.monotonic() < deadline, f"not ready:\n{self.log.read_text()}"
            assert os.waitpid(self.pid, os.WNOHANG)[0] == 0, f"it ended:\n{self.log.read_text()}"
            time.sleep(0.01)

    def end(self, how=signal.SIGTERM):
        """Ends the service; the sockets in the store stay."""
        if self.pid is None:
            return
        os.kill(self.pid, how)
        deadline = time.monotonic() + 15
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it did not stop:\n{self.log.read_text()}")
            time.sleep(0.002)
        self.pid = None

    def restart(self, command, how=signal.SIGTERM):
        self.end(how)
        self.start(command)

    def close(self):
        self.end(signal.SIGKILL)
        self.notify.close()
        os.unlink(self.address)
        for _, descriptor in self.store + self.extra:
            os.close(descriptor)


def lifted(descriptor: int) -> int:
    """A copy of the descriptor, above the numbers that a service's descriptors take."""
    above = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 400)
    os.close(descriptor)
    return above
