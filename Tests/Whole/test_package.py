"""The Debian package's contents and scripts, and what a release publishes; Packaging/try-deb really installs and
upgrades it."""

import json
import os
import re
import shutil
import subprocess

import pytest

from household import BINARY, ROOT

PACKAGING = ROOT / "Packaging"
MANUAL = PACKAGING / "manual"
pytestmark = pytest.mark.skipif(not shutil.which("dpkg-shlibdeps"), reason="dpkg-dev is not installed")


def build(output):
    """A package with a small program of this machine, because only the rest is tested."""
    environment = {**os.environ, "COMPRESSION": "none", "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([PACKAGING / "build-deb", "/bin/true", output], check=True, env=environment, capture_output=True)
    [package] = output.iterdir()
    return package


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return build(tmp_path_factory.mktemp("package"))


def told(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def version():
    return re.search(r'static let version = "(.+)"', (ROOT / "Sources/SleepInducer/Release.swift").read_text())[1]


def test_it_has_the_version_of_the_sources(package):
    assert package.name.startswith(f"sleep-inducer_{version()}_")
    assert told("dpkg-deb", "-f", package, "Version").strip() == version()
    assert "libc6" in told("dpkg-deb", "-f", package, "Depends")


def test_the_program_says_its_version_commit_and_architecture():
    machine = told("dpkg", "--print-architecture").strip()
    if BINARY != ROOT / ".build/debug/sleep-inducer":
        machine = r"\w+"
    pattern = rf"{re.escape(version())} \((no release|commit [0-9a-f]{{40}}(\+changes)?), {machine}\)\n"
    assert re.fullmatch(pattern, told(BINARY, "--version"))


def test_the_same_build_gives_the_same_package(package, tmp_path):
    assert build(tmp_path).read_bytes() == package.read_bytes()


def test_everything_is_where_it_belongs(package):
    rows = [line.split(None, 5) for line in told("dpkg-deb", "-c", package).splitlines()]
    files = {name: rights for rights, owner, _, _, _, name in rows if not name.endswith("/")}
    assert {row[1] for row in rows} == {"root/root"}
    assert files.pop("./usr/bin/sleep-inducer") == "-rwxr-xr-x"
    assert set(files.values()) == {"-rw-r--r--"}
    assert {"./etc/default/sleep-inducer", "./lib/systemd/system/sleep-inducer.service",
            "./lib/systemd/system/sleep-inducer-etcd.service",
            "./usr/share/doc/sleep-inducer/copyright", "./usr/share/doc/sleep-inducer/webhooks.md",
            "./usr/share/man/man1/sleep-inducer.1.gz", "./usr/share/bash-completion/completions/sleep-inducer",
            "./usr/share/zsh/vendor-completions/_sleep-inducer",
            "./usr/share/fish/vendor_completions.d/sleep-inducer.fish"} <= set(files)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_those_of_the_command_line(shell):
    generated = told(BINARY, "--generate-completion-script", shell)
    assert generated == (MANUAL / f"completions.{shell}").read_text(), "run make manual"


def test_the_man_page_is_that_of_the_command_line():
    page = (MANUAL / "sleep-inducer.1").read_text()

    def check(command):
        assert f"Em {command['commandName']}\n" in page or command["commandName"] == "sleep-inducer"
        for argument in command.get("arguments", []):
            if argument["shouldDisplay"]:
                for name in argument.get("names", []):
                    assert re.search(rf"Fl ([a-z] , )?-?{re.escape(name['name'])}\b", page), f"{name}: run make manual"
                assert argument.get("abstract", "") in page, "run make manual"
        for inner in command.get("subcommands", []):
            check(inner)

    check(json.loads(told(BINARY, "--experimental-dump-help"))["command"])


def test_sums_and_conffiles_are_complete(package, tmp_path):
    subprocess.run(["dpkg-deb", "-R", package, tmp_path], check=True)
    assert (tmp_path / "DEBIAN/conffiles").read_text() == "/etc/default/sleep-inducer\n"
    subprocess.run(["md5sum", "--quiet", "-c", "DEBIAN/md5sums"], cwd=tmp_path, check=True)
    unit = (tmp_path / "lib/systemd/system/sleep-inducer.service").read_text()
    assert "ExecStart=/usr/bin/sleep-inducer serve" in unit and "@" not in unit.replace("@system-service", "").replace(
        "@privileged", "").replace("@resources", "")


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm"])
def test_scripts_are_shell(package, tmp_path, script):
    subprocess.run(["dpkg-deb", "-e", package, tmp_path], check=True)
    subprocess.run(["sh", "-n", tmp_path / script], check=True)
    text = (tmp_path / script).read_text()
    assert re.match(r"#!/bin/sh\n(#.*\n)*set -e\n", text) and "@" not in text


@pytest.mark.parametrize("arguments, architecture, free, words", [
    (["install"], "riscv64", 500_000, "this package is for riscv64, and this machine is"),
    (["upgrade", "99.0"], None, 500_000, "99.0 is installed, and"),
    (["install"], None, 5_000, "4 MB are free"),
    (["upgrade", "0.0.1"], None, 5_000, "4 MB are free"),
    (["install"], None, 500_000, None)])
def test_what_must_not_be_installed_is_refused_in_words(package, tmp_path, arguments, architecture, free, words):
    subprocess.run(["dpkg-deb", "-e", package, tmp_path], check=True)
    disk = tmp_path / "df"
    disk.write_text(f"#!/bin/sh\necho Head\necho disk 0 0 {free} 0% /\n")
    disk.chmod(0o755)
    machine = told("dpkg", "--print-architecture").strip()
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DPKG_MAINTSCRIPT_ARCH": architecture or machine}
    done = subprocess.run([tmp_path / "preinst", *arguments], env=environment, capture_output=True, text=True)
    assert (done.returncode != 0) == (words is not None), done.stderr
    if words:
        assert words in done.stderr and done.stderr.endswith("Nothing was changed.\n"), done.stderr


def test_every_variable_of_the_defaults_exists():
    source = (ROOT / "Sources/SleepInducer/EnvironmentFlags.swift").read_text()
    flags = set(re.findall(r'"([a-z-]+)"', source[: source.index("otherCommands")]))
    named = {name.lower().replace("_", "-") for name in re.findall(
        r"^#SLEEP_INDUCER_(\w+)=", (PACKAGING / "deb/default").read_text(), re.M)}
    assert named and named <= flags


@pytest.mark.skipif(not (ROOT / ".build/workspace-state.json").exists(), reason="nothing was resolved in .build")
def test_the_list_of_parts_names_every_package_with_its_licence(tmp_path):
    (tmp_path / "built-with").write_text(told(ROOT / "Scripts/built-with"))
    words = ["1.0", "c0ffee", "1700000000", ROOT / ".build", f"amd64:/bin/true:{tmp_path}/built-with"]
    parts = json.loads(told(PACKAGING / "make-sbom", *words))
    assert parts["spdxVersion"] == "SPDX-2.3" and parts["creationInfo"]["created"] == "2023-11-14T22:13:20Z"
    names = {part["name"]: part["licenseDeclared"] for part in parts["packages"]}
    state = json.loads((ROOT / ".build/workspace-state.json").read_text())
    assert {held["packageRef"]["identity"] for held in state["object"]["dependencies"]} <= set(names)
    assert names["sqlite3 amd64"] == "blessing" and names["grdb.swift"] == "MIT"
    assert len({part["SPDXID"] for part in parts["packages"]}) == len(names)
    # The package's copyright file has each licence, and names each part.
    rights = (PACKAGING / "deb/copyright").read_text().lower().replace("sleep inducer", "sleep-inducer")
    for name, terms in names.items():
        words = {name.split()[0].removeprefix("swift-").removesuffix(".swift").rstrip("3"), *terms.split(" AND ")}
        for word in words - {"blessing"}:
            assert word.split(" WITH ")[0].lower() in rights, f"{name}: {word}"


def test_a_source_archive_knows_its_commit(tmp_path):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if head.returncode != 0:
        pytest.skip("these sources are no work tree of git")
    archive = subprocess.run(["git", "archive", "HEAD", "Scripts/commit"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", tmp_path], input=archive, check=True)
    assert told(tmp_path / "Scripts/commit").split()[0] == head.stdout.strip()


def test_an_etcd_is_suggested_and_begins_only_where_a_command_wrote_its_settings(package):
    assert "etcd-server" in told("dpkg-deb", "-f", package, "Suggests")
    unit = (PACKAGING / "sleep-inducer-etcd.service").read_text()
    assert "\nConditionPathExists=/var/lib/sleep-inducer/etcd/etcd.yml\n" in unit
    assert "\nExecStart=etcd --config-file /var/lib/sleep-inducer/etcd/etcd.yml\n" in unit


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("name, program", [
    ("sleep-inducer", "@PREFIX@/bin/sleep-inducer"), ("sleep-inducer-etcd", "ExecStart=etcd")])
def test_the_units_give_little_away(tmp_path, name, program):
    unit = tmp_path / f"{name}.service"
    harmless = "ExecStart=/bin/true" if "=" in program else "/bin/true"
    unit.write_text((PACKAGING / f"{name}.service").read_text().replace(program, harmless))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert verified.returncode == 0 and "sleep-inducer" not in verified.stderr, verified.stderr
    found = told("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
    assert float(re.search(r"Overall exposure level for .*: ([\d.]+)", found).group(1)) <= 1.8
