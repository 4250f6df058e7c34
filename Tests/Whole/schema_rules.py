"""Rules that no schema expresses: the codes with which they may refuse bodies that the API's description allows.

Every other refusal (`invalid-input`, `invalid-json` and values with their own bounds) is a difference between the
description and the server. schemathesis loads this file as its hooks.
"""

import schemathesis
from schemathesis import GenerationMode

RULES = {
    # Whether such an app, zone, domain or address exists
    "unknown-ids", "unknown-target", "unknown-zone", "domain-missing", "domain-invalid", "domain-is-address",
    "domain-single-label", "domain-too-broad", "webhook-address-unreadable", "webhook-has-password", "webhook-leads-here",
    "webhook-needs-tls",
    # How two members go together, or with what exists already
    "same-times", "nights-overlap", "window-same-times", "windows-overlap",
    "empty-schedule-unconfirmed", "person-name-taken", "repeated",
    # What day it is
    "date-out-of-range",
}


@schemathesis.check
def refused_by_a_rule_alone(context, response, case):
    """A rule refused a request that the description allows, not its shape."""
    if case.meta and case.meta.generation.mode == GenerationMode.POSITIVE and response.status_code in (400, 413, 415, 422):
        code = response.json().get("code")
        assert code in RULES, f"the description allows this, and the server refuses it: {code}"
