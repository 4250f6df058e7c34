"""The rest of the world for tests: names and web servers. world.py ADDRESS… ; run it in its own namespace.

DNS on port 53 of the first address answers every A question with it, and names below `inside.example` with a private
address. HTTP on 80 and HTTPS on 443 of every address say who was asked; /slow sends a line every 50 ms, /much 140 kB.
"""

import http.server
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from names import names


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/slow":
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            for _ in range(400):
                self.wfile.write(b"on and on\n")
                self.wfile.flush()
                time.sleep(0.05)
            self.close_connection = True
            return
        if self.path == "/much":
            text = b"a film " * 20_000
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
            return
        text = f"<title>world</title><h1>world of {self.headers['Host']} for {self.client_address[0]}</h1>\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def certificate():
    folder = pathlib.Path(tempfile.mkdtemp())
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=world.test", "-addext", "subjectAltName=DNS:*.com,DNS:*.test,DNS:*.example", "-keyout",
         folder / "key", "-out", folder / "cert"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert", folder / "key")
    return context


def main(*addresses):
    context = certificate()
    for address in addresses:
        for port in (80, 443):
            site = Site((address, port), Page)
            if port == 443:
                site.socket = context.wrap_socket(site.socket, server_side=True, do_handshake_on_connect=False)
            threading.Thread(target=site.serve_forever, daemon=True).start()
    names(addresses[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
