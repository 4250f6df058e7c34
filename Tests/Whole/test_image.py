"""The container image, run by podman in a network of namespaces; Packaging/try-image tries it with Docker too."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

from containers import ADDRESS, BOX, Home, Podman, built, load, network, packed
from household import BINARY
from lan import at

USER = 5353
NEEDED = ["podman", "crun", "readelf", "strip", "dpkg-query", "unshare", "nsenter"]
MISSING = [program for program in NEEDED if not shutil.which(program)]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {' '.join(MISSING)}"),
    pytest.mark.skipif(os.geteuid() != 0, reason="containers with networks of their own need root")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    os.environ["COMPRESSION"] = "1"
    yield built(BINARY, tmp_path_factory.mktemp("build"))
    del os.environ["COMPRESSION"]


@pytest.fixture(scope="module")
def machine_with_podman(archive, tmp_path_factory):
    with network():
        podman = Podman(tmp_path_factory.mktemp("podman"))
        try:
            loaded = podman("load", "-i", archive)
            if loaded.returncode == 0:
                loaded = podman("run", "--rm", *podman.options, "--network", "none", "sleep-inducer:0.1.0", "--version")
            if loaded.returncode != 0:
                pytest.skip(f"podman runs nothing here: {loaded.stderr.splitlines()[-1]}")
            yield podman
        finally:
            podman.close()


@pytest.fixture
def home(machine_with_podman, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, USER, USER)
    home = Home(machine_with_podman, ["--network", f"ns:/run/netns/{BOX}"], data)
    yield home
    machine_with_podman("rm", "-fa", "-t", "2")


def blobs(archive) -> dict[str, bytes]:
    with tarfile.open(archive) as layout:
        return {entry.name: layout.extractfile(entry).read() for entry in layout if entry.isfile()}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """An image with a small program of this machine, because only the rest is looked at."""
    return packed(Path("/bin/true").resolve(), tmp_path_factory.mktemp("small"), SOURCE_DATE_EPOCH="1700000000")


def test_two_builds_are_the_same_bytes(small, tmp_path):
    again = packed(Path("/bin/true").resolve(), tmp_path, SOURCE_DATE_EPOCH="1700000000")
    assert again.read_bytes() == small.read_bytes() and again.name == small.name


def test_it_is_a_layout_of_oci_and_an_archive_of_docker(small):
    files = blobs(small)
    for name, content in files.items():
        if name.startswith("blobs/"):
            assert name == f"blobs/sha256/{hashlib.sha256(content).hexdigest()}"
    [described] = json.loads(files["index.json"])["manifests"]
    manifest = json.loads(files["blobs/" + described["digest"].replace(":", "/")])
    [saved] = json.loads(files["manifest.json"])
    assert saved["Config"] == "blobs/" + manifest["config"]["digest"].replace(":", "/")
    config = json.loads(files[saved["Config"]])["config"]
    assert config["User"] == f"{USER}:{USER}" and config["StopSignal"] == "SIGTERM" and "/data" in config["Volumes"]
    assert config["Healthcheck"]["Test"] == ["CMD", "/usr/bin/sleep-inducer", "healthy"]
    assert set(config["ExposedPorts"]) == {"53/udp", "53/tcp", "80/tcp", "443/tcp", "853/tcp"}
    assert config["Labels"]["org.opencontainers.image.version"] == saved["RepoTags"][0].split(":")[1]


def test_it_holds_only_what_it_needs(small, tmp_path):
    files = blobs(small)
    layer = tmp_path / "layer"
    layer.write_bytes(files[json.loads(files["manifest.json"])[0]["Layers"][0]])
    with tarfile.open(layer) as tar:
        entries = {entry.name: entry for entry in tar}
    programs = {name for name, entry in entries.items() if entry.isfile() and "bin/" in name}
    assert programs == {"usr/bin/sleep-inducer"}
    assert entries["usr/bin/sleep-inducer"].pax_headers["SCHILY.xattr.security.capability"][5] == "\4"
    owned = {name: entry.uid for name, entry in entries.items() if entry.uid}
    assert owned == {"data": USER}
    assert {"etc/ssl/certs/ca-certificates.crt", "usr/share/zoneinfo/Europe/Berlin", "etc/nsswitch.conf"} <= set(entries)
    assert {name.split("/")[0] for name in entries} <= {"data", "etc", "lib", "lib64", "usr"}


def test_a_night_goes_on_in_the_next_container(home):
    home.start("old")
    assert home.inside("healthy").returncode == 0 and home.engine("healthcheck", "run", "old").returncode == 0
    doctor = home.inside("doctor").stdout
    assert "This user can open ports 53 and 80." in doctor and "Port 53 is served by Sleep Inducer" in doctor
    home.put_to_sleep()
    assert "Sleep Mode Active" in home.get("/", host="tiktok.com")
    home.engine.must("create", *home.words("new"))
    questions = load(6)
    begun = time.monotonic()
    home.engine.must("stop", "old")
    home.engine.must("start", "new")
    home.await_answer("new")
    gap = time.monotonic() - begun
    assert home.ask("tiktok.com") == [ADDRESS]
    told = json.loads(questions.communicate()[0])
    # Between the two containers nobody answers, and devices ask again. Outside of that nothing is lost.
    assert told["wrong"] == 0 and told["lost"] <= 200 * (gap + 0.5), (gap, told)


def test_without_the_right_it_says_what_to_add(home):
    said = home.fails("bare", "--cap-drop", "ALL")
    assert "Port 80 on" in said and "--cap-add NET_BIND_SERVICE" in said, said
    # Where only the port of DNS may not be opened, the pages are there and say so.
    at(BOX, "sysctl", "-w", "net.ipv4.ip_unprivileged_port_start=80", check=True)
    home.start("pages", "--cap-drop", "ALL")
    assert f"DNS over UDP on {ADDRESS} port 53: not permitted" in home.log(), home.log()
    healthy = home.inside("healthy")
    assert healthy.returncode == 1 and "--cap-add NET_BIND_SERVICE" in healthy.stderr, healthy


def test_data_of_another_user_is_taken_over_by_a_start_as_root(home):
    os.chown(home.data, 0, 0)
    home.data.chmod(0o700)
    said = home.fails("stranger")
    assert f"/data belongs to user 0, and this is user {USER}" in said and "--user 0" in said, said
    assert list(home.data.iterdir()) == []
    home.start("root", "--user", "0")
    assert {path.stat().st_uid for path in [home.data, *home.data.iterdir()]} == {USER}
    home.engine.must("rm", "-f", "root")
    home.start("later")


def test_read_only_data_goes_on_or_says_so(home):
    assert "Make it writable" in home.fails("empty", volume=":ro")
    home.start("first")
    home.put_to_sleep()
    home.engine.must("rm", "-f", "-t", "5", "first")
    home.start("second", volume=":ro")
    assert home.ask("tiktok.com") == [ADDRESS]
    assert "Changes cannot be saved: the disk is read-only." in home.log()


def test_data_of_a_later_version_is_left_alone(home):
    home.start("today")
    home.engine.must("rm", "-f", "-t", "5", "today")
    database = home.data / "sleep-inducer.sqlite"
    with sqlite3.connect(database) as stored:
        stored.execute("INSERT INTO grdb_migrations VALUES ('from the future')")
    stored.close()
    before = hashlib.sha256(database.read_bytes()).digest()
    said = home.fails("older")
    assert "A newer version of Sleep Inducer wrote /data/sleep-inducer.sqlite" in said and "restore" in said, said
    assert hashlib.sha256(database.read_bytes()).digest() == before
