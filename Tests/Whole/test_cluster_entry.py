"""An etcd that does not let everybody in: certificates on both sides, or a user and a password."""

import subprocess

import pytest

from cluster import Etcd, Nodes, cut_off, linked
from failing import agree
from household import Server, eventually


class Authority:
    """An authority and the certificates that it makes, by openssl."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                 "-subj", f"/CN={name}", "-keyout", self.path("key"), "-out", self.path("pem"))

    def path(self, ending, name=None):
        return str(self.folder / f"{name or self.name}.{ending}")

    def run(self, *words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=self.folder)

    def certify(self, name, address="127.0.0.1"):
        """The paths of a certificate and its key."""
        self.run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                 "-keyout", self.path("key", name), "-out", self.path("csr", name))
        (self.folder / f"{name}.ext").write_text(f"subjectAltName=IP:{address}\n")
        self.run("x509", "-req", "-in", self.path("csr", name), "-CA", self.path("pem"), "-CAkey", self.path("key"),
                 "-CAcreateserial", "-days", "30", "-extfile", self.path("ext", name), "-out", self.path("pem", name))
        return self.path("pem", name), self.path("key", name)


def start(etcd, server, *entry):
    return server.command("cluster", "start", "--etcd", ",".join(etcd.endpoints), "--name", "n0", *entry)


def test_certificates_on_both_sides(tmp_path, upstream):
    ours, theirs = Authority(tmp_path, "ours"), Authority(tmp_path, "theirs")
    certificate, key = ours.certify("etcd")
    own, own_key = ours.certify("household")
    stranger, stranger_key = theirs.certify("stranger")
    etcd = Etcd(tmp_path, members=1, scheme="https", flags=[
        "--cert-file", certificate, "--key-file", key, "--client-cert-auth", "--trusted-ca-file", ours.path("pem")],
        entry=["--cacert", ours.path("pem"), "--cert", own, "--key", own_key])
    lone = Server(tmp_path / "lone", upstream)
    lone.stop()
    nodes = None
    try:
        for words, said in [
            ([], "does not trust etcd's certificate"),
            (["--etcd-ca", theirs.path("pem")], "does not trust etcd's certificate"),
            (["--etcd-ca", ours.path("pem")], "refuses this machine's"),
            (["--etcd-ca", ours.path("pem"), "--etcd-cert", stranger, "--etcd-key", stranger_key],
             "refuses this machine's"),
            (["--etcd-ca", ours.path("key")], "certificates cannot be read"),
            (["--etcd-ca", str(tmp_path / "none.pem")], "cannot be read"),
            (["--etcd-ca", ours.path("pem"), "--etcd-cert", own], "belong together"),
        ]:
            refused = start(etcd, lone, *words)
            assert refused.returncode and said in refused.stderr, (words, refused.stderr)
            assert not (lone.data / "cluster.json").exists()
        nodes = Nodes(tmp_path, upstream, etcd, 2, entry=[
            "--etcd-ca", ours.path("pem"), "--etcd-cert", own, "--etcd-key", own_key])
        assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok
        agree(nodes.all)
    finally:
        if nodes:
            nodes.close()
        etcd.close()


def test_a_user_with_a_password(tmp_path, upstream):
    etcd = Etcd(tmp_path, members=1)
    for words in [("user", "add", "root:secret"), ("user", "grant-role", "root", "root"), ("role", "add", "home"),
                  ("role", "grant-permission", "home", "readwrite", "--prefix", "sleep-inducer/"),
                  ("user", "add", "house:a-long-word"), ("user", "grant-role", "house", "home"), ("auth", "enable")]:
        etcd.control(*words)
    etcd.entry = ["--user", "root:secret"]
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_text("a-long-word\n")
    wrong.write_text("another-word\n")
    lone = Server(tmp_path / "lone", upstream)
    lone.stop()
    nodes = None
    try:
        for words in [[], ["--etcd-user", "house", "--etcd-password-file", wrong],
                      ["--etcd-user", "nobody", "--etcd-password-file", right]]:
            refused = start(etcd, lone, *words)
            assert refused.returncode == 1 and "etcd refuses this machine's user" in refused.stderr, refused.stderr
            assert not (lone.data / "cluster.json").exists()
        nodes = Nodes(
            tmp_path, upstream, etcd, 2, entry=["--etcd-user", "house", "--etcd-password-file", right])
        assert nodes.api(nodes.all[1], "PATCH", "/people/1", json={"name": "Ada"}).ok
        agree(nodes.all)
        # The password is changed under way, and back.
        etcd.control("user", "passwd", "house", "--interactive=false", value="another-word")
        etcd.kill(0)
        etcd.start(0)
        etcd.wait()
        eventually(lambda: cut_off(nodes.all[0]), 20)

        def is_refused():
            reply = nodes.api(nodes.all[0], "PATCH", "/people/1", json={"name": "Grace"})
            assert reply.status_code == 503, reply.text
            return "refuses" in reply.json()["title"]
        # At first it does not answer, because it has just begun.
        eventually(is_refused, 20)
        etcd.control("user", "passwd", "house", "--interactive=false", value="a-long-word")
        for node in nodes.all:
            linked(node, 40)
        assert nodes.api(nodes.all[0], "PATCH", "/people/1", json={"name": "Grace"}).ok
        agree(nodes.all)
    finally:
        if nodes:
            nodes.close()
        etcd.close()
