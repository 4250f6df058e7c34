"""The Debian package's contents and scripts; Packaging/try-deb really installs and upgrades it."""

import os
import re
import shutil
import subprocess

import pytest

from household import ROOT

PACKAGING = ROOT / "Packaging"
pytestmark = pytest.mark.skipif(not shutil.which("dpkg-shlibdeps"), reason="dpkg-dev is not installed")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A package with a small program of this machine, because only the rest is tested."""
    output = tmp_path_factory.mktemp("package")
    subprocess.run(
        [PACKAGING / "build-deb", "/bin/true", output], check=True, env={**os.environ, "COMPRESSION": "none"},
        capture_output=True)
    [package] = output.iterdir()
    return package


def told(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_it_has_the_version_of_the_sources(package):
    source = (ROOT / "Sources/SleepInducer/SleepInducerCommand.swift").read_text()
    version = re.search(r'static let version = "(.+)"', source).group(1)
    assert package.name.startswith(f"sleep-inducer_{version}_")
    assert told("dpkg-deb", "-f", package, "Version").strip() == version
    assert "libc6" in told("dpkg-deb", "-f", package, "Depends")


def test_everything_is_where_it_belongs(package):
    rows = [line.split(None, 5) for line in told("dpkg-deb", "-c", package).splitlines()]
    files = {name: rights for rights, owner, _, _, _, name in rows if not name.endswith("/")}
    assert {row[1] for row in rows} == {"root/root"}
    assert files.pop("./usr/bin/sleep-inducer") == "-rwxr-xr-x"
    assert set(files.values()) == {"-rw-r--r--"}
    assert {"./etc/default/sleep-inducer", "./lib/systemd/system/sleep-inducer.service",
            "./usr/share/doc/sleep-inducer/copyright", "./usr/share/doc/sleep-inducer/webhooks.md",
            "./usr/share/man/man1/sleep-inducer.1.gz"} <= set(files)


def test_sums_and_conffiles_are_complete(package, tmp_path):
    subprocess.run(["dpkg-deb", "-R", package, tmp_path], check=True)
    assert (tmp_path / "DEBIAN/conffiles").read_text() == "/etc/default/sleep-inducer\n"
    subprocess.run(["md5sum", "--quiet", "-c", "DEBIAN/md5sums"], cwd=tmp_path, check=True)
    unit = (tmp_path / "lib/systemd/system/sleep-inducer.service").read_text()
    assert "ExecStart=/usr/bin/sleep-inducer serve" in unit and "@" not in unit.replace("@system-service", "").replace(
        "@privileged", "").replace("@resources", "")


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm"])
def test_scripts_are_shell(script):
    subprocess.run(["sh", "-n", PACKAGING / "deb" / script], check=True)
    assert (PACKAGING / "deb" / script).read_text().startswith("#!/bin/sh\nset -e\n")


def test_every_variable_of_the_defaults_exists():
    source = (ROOT / "Sources/SleepInducer/EnvironmentFlags.swift").read_text()
    flags = set(re.findall(r'"([a-z-]+)"', source[: source.index("otherCommands")]))
    named = {name.lower().replace("_", "-") for name in re.findall(
        r"^#SLEEP_INDUCER_(\w+)=", (PACKAGING / "deb/default").read_text(), re.M)}
    assert named and named <= flags


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_unit_gives_little_away(tmp_path):
    unit = tmp_path / "sleep-inducer.service"
    unit.write_text((PACKAGING / "sleep-inducer.service").read_text().replace("@PREFIX@/bin/sleep-inducer", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert verified.returncode == 0 and "sleep-inducer" not in verified.stderr, verified.stderr
    found = told("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
    assert float(re.search(r"Overall exposure level for .*: ([\d.]+)", found).group(1)) <= 1.8
