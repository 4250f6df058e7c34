"""Where the files of an image come from: Debian's packages, and which of their libraries a program needs.

As a program, debian.py ARCHITECTURE TRIPLET FOLDER unpacks them in FOLDER/ARCHITECTURE: for a release for another machine,
which is linked with the libraries of the Debian that it is for.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

PACKAGES = ["ca-certificates", "libc6", "libgcc-s1", "libstdc++6", "tzdata"]
# For a foreign architecture also what this machine's packages refer to: licences, and the older names of time zones.
FOREIGN = [*PACKAGES, "gcc-14-base", "tzdata-legacy"]


def told(*words, **options):
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def readelf(path, what):
    return told("readelf", "-W", what, path, env={**os.environ, "LC_ALL": "C"})


class Debian:
    """Where files of Debian packages for an architecture are: on this machine, or unpacked in a folder."""

    def __init__(self, architecture, triplet, folder):
        own = told("dpkg", "--print-architecture").strip() == architecture
        self.root = Path("/") if own else folder / architecture
        self.triplet = triplet
        if own:
            listed = told("dpkg-query", "-W", "-f=${Package} ${Version}\n", *PACKAGES)
        else:
            listed = self.download(architecture, folder)
        self.versions = "".join(sorted(listed.splitlines(keepends=True)))

    def download(self, architecture, folder):
        """Debian 13 with lists of its own, so that nothing changes in this machine's apt. What is there already is kept."""
        for place in ("lists/partial", "cache/archives/partial", architecture):
            (folder / place).mkdir(parents=True, exist_ok=True)
        debs = folder / architecture / "debs"
        if not debs.exists():
            (folder / "sources.list").write_text("".join(
                "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
                f"http://deb.debian.org/{archive} {suite} main\n"
                for archive, suite in [("debian", "trixie"), ("debian-security", "trixie-security")]))
            (folder / "apt.conf").write_text("".join(f'{key} "{value}";\n' for key, value in {
                "Dir::Etc::SourceList": folder / "sources.list", "Dir::Etc::SourceParts": "-", "Dir::State": folder,
                "Dir::State::Lists": folder / "lists", "Dir::State::Status": "/dev/null", "Dir::Cache": folder / "cache",
                "APT::Architecture": architecture, "APT::Architectures": architecture, "APT::Sandbox::User": "",
                "Acquire::Languages": "none"}.items()))
            apt = {**os.environ, "APT_CONFIG": str(folder / "apt.conf")}
            new = folder / architecture / "new"
            new.mkdir(exist_ok=True)
            told("apt-get", "update", "-qq", env=apt)
            told("apt-get", "download", "-qq", *FOREIGN, env=apt, cwd=new)
            new.rename(debs)
        for deb in debs.iterdir():
            told("dpkg-deb", "-x", deb, self.root)
        return "".join(
            told("dpkg-deb", "-W", "--showformat=${Package} ${Version}\n", deb) for deb in sorted(debs.iterdir()))

    def library(self, name):
        places = [self.root / where / self.triplet / name for where in ("usr/lib", "lib")]
        return next((place for place in places if place.exists()), None)


class Libraries:
    """Every shared library that a program needs, itself or through others, by name."""

    def __init__(self, program, debian):
        self.interpreter = re.search(r"program interpreter: (.+)\]", readelf(program, "-l"))[1]
        self.files = {}
        wanted = [program]
        while wanted:
            asker = wanted.pop()
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", readelf(asker, "-d")):
                if name in self.files:
                    continue
                beside = program.parent / name
                found = beside if beside.exists() else debian.library(name)
                if not found:
                    sys.exit(f"build-image: {asker.name} needs {name}, which is neither beside it nor in {PACKAGES}.")
                self.files[name] = found
                wanted.append(found)
        self.check(program)

    def check(self, program):
        """A library of an older Debian would fail only when the image starts."""
        defined = {name: set(re.findall(r"Name: (\S+)", readelf(path, "-V").split("Version needs")[0]))
                   for name, path in self.files.items()}
        for asker in [program, *self.files.values()]:
            needs = readelf(asker, "-V").partition("Version needs")[2]
            for part in needs.split("File: ")[1:]:
                name = part.split()[0]
                for version in re.findall(r"Name: (\S+)", part):
                    if version not in defined.get(name, {version}):
                        sys.exit(f"build-image: {asker.name} needs {version} of {name}, and {self.files[name]} is older.")


if __name__ == "__main__":
    Debian(*sys.argv[1:3], Path(sys.argv[3]).resolve())
