"""The release is small, and what was taken out of it is missed by nothing that the program asks."""

import os
import shutil
import struct
import subprocess
import zoneinfo
from pathlib import Path

import pytest

from household import ROOT, Server

RELEASE = Path(os.environ.get("SLEEP_INDUCER_RELEASE", ROOT / ".build-release/sleep-inducer"))
RELEASE_FOR_ARM64 = ROOT / ".build-release-arm64/stage/sleep-inducer"
TRIM = ROOT / "Scripts/trim-icu"
ICU = Path(shutil.which("swift") or "/").resolve().parents[1] / "lib/swift_static/linux/lib_FoundationICU.a"
has_static = pytest.mark.skipif(not ICU.exists(), reason="there are no static Swift libraries")


@has_static
def test_foundation_answers_the_same_without_the_data_of_other_languages(tmp_path):
    """Every time zone over two centuries, every character's case and normal forms, hosts, instants."""
    told = subprocess.run([TRIM, tmp_path], capture_output=True, text=True, check=True)
    flags = told.stdout.split("\n")[:-1]
    assert "--wrap=" in flags[-1], told.stderr
    swiftc = ["swiftc", "-static-stdlib", "-Xlinker", "--gc-sections", "-Xlinker", "-s"]
    subprocess.run([*swiftc, "-c", "-O", ROOT / "Tests/Whole/foundation_answers.swift", "-o", tmp_path / "asks.o"],
                   check=True, capture_output=True)
    answers, sizes = {}, {}
    for name, more in {"whole": [], "trimmed": flags}.items():
        subprocess.run([*swiftc, tmp_path / "asks.o", "-o", tmp_path / name, *more], check=True, capture_output=True)
        answers[name] = subprocess.run(
            [tmp_path / name, *zoneinfo.available_timezones()], capture_output=True, text=True, check=True).stdout
        sizes[name] = (tmp_path / name).stat().st_size
    assert answers["whole"].splitlines() == answers["trimmed"].splitlines()
    assert len(answers["whole"].splitlines()) > 500
    assert sizes["trimmed"] < sizes["whole"] - 25e6


@has_static
def test_the_data_is_packed_for_another_machine(tmp_path):
    told = subprocess.run([TRIM, tmp_path, ICU, "aarch64-unknown-linux-gnu"], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[:2] == ["-Xlinker", str(tmp_path / "icu.o")], told.stderr
    header = (tmp_path / "icu.o").read_bytes()[:20]
    assert struct.unpack_from("<H", header, 18) == (183,), "EM_AARCH64"


def data(items, last=b""):
    """ICU data of these items, as its tools write it; the last one is a resource bundle."""
    header = struct.pack("<HBBHHBBBB4s4s4s", 32, 0xDA, 0x27, 20, 0, 0, 0, 2, 0, b"CmnD", b"\1\0\0\0", b"\3\0\0\0")
    bodies = [b"%-32s" % name.encode() for name in items]
    bodies[-1] = struct.pack("<HBBHHBBBB4s4s4s8x", 32, 0xDA, 0x27, 20, 0, 0, 0, 2, 0, b"ResB", b"\1\0\0\0", b"") + struct.pack(
        "<IIIII12x", 0, 0, 0, 0, 8)
    names, rows, place = b"", b"", 4 + 8 * len(items) + sum(len(f"icudt1l/{name}") + 1 for name in items)
    for name, body in zip(items, bodies):
        rows += struct.pack("<II", 4 + 8 * len(items) + len(names), place)
        names, place = names + f"icudt1l/{name}".encode() + b"\0", place + len(body)
    return header.ljust(32, b"\0") + struct.pack("<I", len(items)) + rows + names + b"".join(bodies)


def test_a_library_keeps_its_layout(tmp_path):
    library = tmp_path / "lib.so"
    whole = data(["coll/root.res", "de.res", "de_AT.res", "en.res", "euc.cnv", "fil.res",
                  "root.res", "zone/de.res", "zone/en.res", "zoneinfo64.res"])
    library.write_bytes(b"before" + whole + b"after")
    told = subprocess.run([TRIM, "--in-place", library], capture_output=True, text=True, check=True)
    assert "are kept" in told.stderr
    trimmed = library.read_bytes()
    assert len(trimmed) == len(whole) + 11 and trimmed.startswith(b"before") and trimmed.endswith(b"\0after")
    for name, is_there in {b"zone/en": 0, b"zoneinfo64": 1, b"coll/root": 0, b"zone/de": 0, b"de_AT": 0, b"fil": 0,
                           b"euc": 0}.items():
        assert (name in trimmed) == bool(is_there), name


@pytest.mark.parametrize("bytes_", [b"", b"no data here", data(["a.res"])[:40], data(["a.res"]) * 2])
def test_data_of_another_form_stays_whole(tmp_path, bytes_):
    library = tmp_path / "lib.so"
    library.write_bytes(bytes_)
    told = subprocess.run([TRIM, "--in-place", library], capture_output=True, text=True, check=True)
    assert "stays whole" in told.stderr and "Traceback" not in told.stderr
    assert library.read_bytes() == bytes_


@pytest.mark.parametrize("release", [RELEASE, RELEASE_FOR_ARM64], ids=["amd64", "arm64"])
def test_the_release_is_small(tmp_path, release):
    if not release.exists():
        pytest.skip("this release was not built")
    size = release.resolve().stat().st_size
    assert size <= 52e6, f"{size / 1e6:.1f} MB"
    if release == RELEASE and shutil.which("dpkg-shlibdeps"):
        subprocess.run([ROOT / "Packaging/build-deb", RELEASE, tmp_path], check=True, capture_output=True)
        [package] = tmp_path.iterdir()
        assert package.stat().st_size <= 15.5e6, f"{package.stat().st_size / 1e6:.1f} MB"
