"""The API against its own description, under fuzzing."""

import os
import subprocess
import sys

import pytest

# A program's mistake that no schema expresses (start = end, an unknown app) gets 422 with the code of its rule
# (`schema_rules.py`) or 409. A body over all bounds gets 413 before it is read.
CONFIGURATION = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429"]
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]
"""


@pytest.mark.nightly
def test_every_operation_answers_as_it_is_described(server, tmp_path):
    """All checks of schemathesis: statuses, bodies, types and headers as described, no 5xx, nothing accepted
    that the schemas refuse, nothing refused that they allow except by a rule's own code, 405 for all other
    methods, nothing without the token."""
    configuration = tmp_path / "schemathesis.toml"
    configuration.write_text(CONFIGURATION)
    token = server.command("token", "--name", "fuzz").stdout.split()[-1]
    found = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "--config-file", configuration, "run",
         f"{server.url}/api/openapi.json", "-H", f"Authorization: Bearer {token}", "--max-examples", "40", "--seed", "1"],
        capture_output=True, text=True, timeout=1200, cwd=tmp_path, env={
            **os.environ, "NO_COLOR": "1", "SCHEMATHESIS_HOOKS": "schema_rules",
            "PYTHONPATH": os.path.dirname(__file__)})
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
