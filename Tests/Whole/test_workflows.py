"""The code host's files cannot run here: their syntax is held against the schemas that check-jsonschema ships."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
HOST = ROOT / ".github"
SCHEMAS = {
    "github-workflows": sorted(HOST.glob("workflows/*.yml")),
    "github-actions": sorted(HOST.glob("actions/*/action.yml")),
    "github-issue-config": [HOST / "ISSUE_TEMPLATE/config.yml"],
    "github-issue-forms": sorted(set(HOST.glob("ISSUE_TEMPLATE/*.yml")) - {HOST / "ISSUE_TEMPLATE/config.yml"}),
    "dependabot": [HOST / "dependabot.yml"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_syntax_is_right(schema):
    assert SCHEMAS[schema]
    run = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, SCHEMAS[schema])],
        capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_jobs_run_make_with_targets_that_exist_and_actions_that_are_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    jobs = yaml.safe_load((HOST / "workflows/ci.yml").read_text())["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    made = {step["run"].removeprefix("make ") for step in steps if step.get("run", "").startswith("make ")}
    assert {"check", "nightly", "bench"} <= made <= targets
    for step in steps:
        if step.get("uses", "").startswith("./"):
            assert (ROOT / step["uses"] / "action.yml").is_file(), step["uses"]


def test_the_short_list_of_tests_names_files():
    names = re.search(r"^CHECKED := \$\(addprefix (\S+),(.+)\)$", (ROOT / "Makefile").read_text(), re.M)
    files = [ROOT / f"{names[1]}{name}" for name in names[2].split()]
    assert files and all(file.is_file() for file in files)
