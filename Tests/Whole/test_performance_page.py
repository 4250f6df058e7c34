"""`make bench ARGS=record` and `ARGS=compare`: what is written on Docs/performance.md is read again."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Bench"))

import record  # noqa: E402

ARGUMENTS = {"Blocked": "blocked", "Pages": "pages"}
BLOCKED = {"sleep-inducer": {"CPU µs": 5.0, "answers": 1200}, "dnsmasq": {"CPU µs": 6.25, "answers": 1000}}


@pytest.fixture
def page(tmp_path, monkeypatch):
    page = tmp_path / "performance.md"
    page.write_text("# How fast\n\nWords.\n\n" + record.BEGIN + "\n")
    monkeypatch.setattr(record, "PAGE", page)
    return page


def test_contenders_are_kept_as_ratios_and_own_figures_as_they_are(page):
    assert record.figures(BLOCKED, True) == {
        "CPU µs, ours divided by dnsmasq": 0.8, "answers, ours divided by dnsmasq": 1.2}
    assert record.figures(BLOCKED, False)["sleep-inducer: answers"] == 1200
    lost = {"sleep-inducer": {"lost": 3, "late": 0}, "unbound": {"lost": 0, "late": 0}}
    assert record.figures(lost, True) == {"lost, ours, and none of unbound": 3}
    alone = {"sleep-inducer": {"ms": 56.1}}
    assert record.figures(alone, True) == {"sleep-inducer: ms": 56.1}, "beside nobody"


def test_no_recorded_table_is_empty():
    tables = record.recorded()
    assert tables and all(tables.values()), [title for title, lines in tables.items() if not lines]


def test_a_run_takes_the_place_of_its_own_tables_only(page):
    record.write({"Blocked": {"CPU": 0.8}, "Pages": {"1 device: ms": 1234.5}}, ARGUMENTS, "0123456789")
    record.write({"Blocked": {"CPU": 0.7}}, ARGUMENTS, "0123456789")
    assert record.recorded() == {"Blocked": {"CPU": 0.7}, "Pages": {"1 device: ms": 1234.5}}
    text = page.read_text()
    assert text.startswith("# How fast\n\nWords.\n") and text.count("commit 0123456789") == 2
    assert "`make bench ARGS=blocked`" in text


def test_a_fresh_run_stands_beside_the_recorded_one(page):
    record.write({"Blocked": {"CPU": 0.8}}, ARGUMENTS, "0123456789")
    assert "| CPU | 0.8 | 0.4 | 0.50 |" in record.comparison({"Blocked": {"CPU": 0.4}})
    assert "| memory | – | 3 | – |" in record.comparison({"Blocked": {"memory": 3}})
