"""Fifty power cuts under changing rules; make bench does a thousand of the same."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Bench"))

import household


def test_fifty_power_cuts_lose_nothing_and_answer_nothing_wrong(tmp_path):
    binary = household.BINARY
    import kills

    household.BINARY = binary
    figures = kills.run(tmp_path, 50)
    assert figures["sleep-inducer"]["kills"] == 50
