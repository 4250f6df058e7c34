"""What no schema can tell of a body: the rules that may refuse what the API's description allows, by their codes.

Every other refusal (`invalid-input`, `invalid-json` and what has bounds of its own) is a difference between the description
and the server. schemathesis loads this file as its hooks.
"""

import schemathesis
from schemathesis import GenerationMode

RULES = {
    # Whether there is such an app, zone, domain or address
    "unknown-ids", "unknown-target", "unknown-zone", "domain-missing", "domain-invalid", "domain-is-address",
    "domain-single-label", "domain-too-broad", "webhook-address-unreadable", "webhook-has-password", "webhook-leads-here",
    "webhook-needs-tls",
    # What two members say together, or what is there already
    "same-times", "nights-overlap", "window-same-times", "window-crosses-midnight", "windows-overlap",
    "empty-schedule-unconfirmed", "person-name-taken", "repeated",
    # What day it is
    "date-out-of-range",
}


@schemathesis.check
def refused_by_a_rule_alone(context, response, case):
    """A request that the description allows is refused by a rule, never for its shape."""
    if case.meta and case.meta.generation.mode == GenerationMode.POSITIVE and response.status_code in (400, 413, 415, 422):
        code = response.json().get("code")
        assert code in RULES, f"the description allows this, and the server refuses it: {code}"
