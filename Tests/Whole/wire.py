"""A proxy between browsers and the server that a test can cut: wholly, or for the event streams alone."""

import socket
import threading

from household import free_port


class Wire:
    """Passes everything on to `port`. A cut closes connections, as a killed server does, or falls silent, as without
    power."""

    def __init__(self, port):
        self.target = port
        self.port = free_port()
        self.streams = self.all = None
        self.lines = []
        self._listen()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def cut(self, how, streams_only=False):
        """`how` is "closed" or "silent"."""
        if streams_only:
            self.streams = how
        else:
            self.all = how
        if how == "closed":
            if not streams_only:
                self.listener.close()
            for line in list(self.lines):
                if line.is_stream or not streams_only:
                    line.close()

    def mend(self):
        was, self.all, self.streams = self.all, None, None
        for line in list(self.lines):
            line.close()
        if was == "closed":
            self._listen()

    def close(self):
        self.cut("closed")

    def _listen(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), reuse_port=True)
        threading.Thread(target=self._accept, args=[self.listener], daemon=True).start()

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            if self.all == "closed":
                near.close()
                return
            self.lines.append(Line(self, near))


class Line:
    """One connection."""

    def __init__(self, wire, near):
        self.wire, self.near, self.far, self.is_stream = wire, near, None, False
        threading.Thread(target=self._pass_up, daemon=True).start()

    def close(self):
        for end in (self.near, self.far):
            if end:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()
        if self in self.wire.lines:
            self.wire.lines.remove(self)

    def _is_mute(self):
        return self.wire.all == "silent" or (self.is_stream and self.wire.streams == "silent")

    def _pass_up(self):
        try:
            while data := self.near.recv(65536):
                self.is_stream = data.startswith(b"GET ") and b"/events" in data.split(b"\r\n", 1)[0]
                if self.is_stream and self.wire.streams == "closed":
                    break
                if self._is_mute():
                    continue
                if not self.far:
                    self.far = socket.create_connection(("127.0.0.1", self.wire.target))
                    threading.Thread(target=self._pass_down, daemon=True).start()
                self.far.sendall(data)
        except OSError:
            pass
        self.close()

    def _pass_down(self):
        try:
            while data := self.far.recv(65536):
                if not self._is_mute():
                    self.near.sendall(data)
        except OSError:
            pass
        if not self._is_mute():
            self.close()
