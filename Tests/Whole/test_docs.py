"""The documents hold together: links lead somewhere, README is one page, and each document is listed by reader."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(file for folder in FOLDERS for file in folder.rglob("*.md"))])
LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|(?:src|href)=\"([^\"]+)\"")
PICTURES = ROOT / "Docs/pictures"


def name(document: Path) -> str:
    return str(document.relative_to(ROOT))


def prose(document: Path) -> str:
    """The text without blocks of code and code in a line: what looks like a link there is none."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S))


def links(document: Path) -> list[tuple[Path, str]]:
    """The links into the tree, each as file and anchor (empty if there is none)."""
    targets = [first or second for first, second in LINK.findall(prose(document))]
    parts = [target.partition("#") for target in targets if ":" not in target]
    return [((document.parent / file).resolve() if file else document, anchor) for file, _, anchor in parts]


def anchors(document: Path) -> set[str]:
    """The anchors that GitHub gives to headings: in lower case, hyphens for spaces, no other signs, a number from the
    second of the same name on."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    found: dict[str, int] = {}
    for heading in re.findall(r"^#{1,6} +(.+?) *$", text, re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {f"{anchor}-{number}" if number else anchor for anchor, most in found.items() for number in range(most + 1)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document):
    for file, anchor in links(document):
        assert file.exists(), f"{name(document)} links to {file}"
        assert not anchor or anchor in anchors(file), f"{name(document)} links to #{anchor} of {file.name}"


def test_the_readme_is_one_page():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 80


def test_every_document_is_listed_by_reader():
    listed = {file for file, _ in links(ROOT / "Docs/README.md")}
    for document in (ROOT / "Docs").glob("*.md"):
        assert document.name == "README.md" or document in listed, f"{document.name} is not in Docs/README.md"


def test_every_room_is_on_the_map():
    text = (ROOT / "Docs/developing.md").read_text()
    for room in (ROOT / "Sources").iterdir():
        assert f"`{room.name}`" in text, f"Docs/developing.md does not know {room.name}"


def test_pictures_are_small_and_shown():
    shown = {file for document in DOCUMENTS for file, _ in links(document)}
    pictures = list(PICTURES.iterdir())
    assert pictures
    for picture in pictures:
        assert picture.stat().st_size <= 150_000, f"{picture.name} has {picture.stat().st_size} bytes"
        assert picture in shown, f"no document shows {picture.name}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_commands_exist(document):
    """`make run` and `make test` do everything: each target of make that a document names is in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"(?:`|^|sudo )make ([a-z-]+)", document.read_text(), re.M))
    assert named <= targets, f"{name(document)}: {named - targets}"
