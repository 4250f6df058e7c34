"""Safari of an old iPad, as far as it can be had here: Chromium without what came to Safari later.

What is taken away is what the pages use or may come to use; the versions are those of MDN's compatibility data. An engine
that is as old is not to be had, so this finds what a page misses, not what an old engine does wrong.
"""

import json
import re

import requests

from test_look import Visitor

# In style sheets, by the version of Safari that brought it: a pattern, and a text that no browser knows.
STYLES = {
    13.1: {r"\bclamp\(": "unknown("},
    14: {r":is\(": ":unknown(", r":where\(": ":unknown("},
    14.1: {r"\binset:": "unknown:", r"\b(padding|margin)-inline:": "unknown:"},
    15: {r"\baspect-ratio:": "unknown:"},
    15.4: {r":has\(": ":unknown(", r":focus-visible": ":unknown", r"(?<=\d)[dsl]v(h|w|min|max)\b": "unknown",
           r"overflow-wrap: anywhere": "overflow-wrap: unknown", r"(?<![-\w])(appearance|accent-color):": "unknown:",
           r":modal": ":unknown", r"::backdrop": "::unknown"},
    16: {r"\bcontainer(-type|-name)?:": "unknown:", r"@container": "@unknown", r"(?<=\d)cq(w|h|i|b|min|max)\b": "unknown"},
    16.2: {r"\bcolor-mix\(": "unknown("},
}
# In scripts: an object, and what it lacks.
SCRIPTS = {
    13.1: ["String.prototype.replaceAll", "window.ResizeObserver"],
    14: ["Element.prototype.replaceChildren", "Document.prototype.replaceChildren",
         "DocumentFragment.prototype.replaceChildren", "MediaQueryList.prototype.addEventListener"],
    15.4: ["SubmitEvent.prototype.submitter", "HTMLDialogElement.prototype.showModal", "HTMLDialogElement.prototype.show",
           "HTMLDialogElement.prototype.close", "HTMLDialogElement.prototype.open", "Array.prototype.at", "Object.hasOwn",
           "window.structuredClone", "window.BroadcastChannel", "Crypto.prototype.randomUUID"],
    16: ["HTMLFormElement.prototype.requestSubmit", "window.SharedWorker", "AbortSignal.timeout"],
    16.4: ["Navigator.prototype.wakeLock"],
}
# Before 15.4 a dialog is an element like any other.
NO_DIALOG = """:where(dialog, dialog:not([open])) { display: inline; position: static; width: auto; height: auto; margin: 0;
    padding: 0; border: 0; max-width: none; max-height: none; color: inherit; background: none; overflow: visible; }\n"""
# Before 14.1 a gap is one of grids alone.
NO_FLEX_GAP = """
const strip = () => document.querySelectorAll("*").forEach(element => {
    const isFlex = getComputedStyle(element).display.includes("flex");
    if (isFlex !== element.hasAttribute("data-no-gap")) {
        element.toggleAttribute("data-no-gap", isFlex);
        element.style.setProperty("gap", isFlex ? "0" : "", "important");
    }
});
addEventListener("DOMContentLoaded", () => {
    strip();
    new MutationObserver(strip).observe(document, { childList: true, subtree: true });
    addEventListener("resize", strip);
});
"""


def styles(text, version):
    for since, patterns in STYLES.items():
        for pattern, unknown in patterns.items() if version < since else []:
            text = re.sub(pattern, unknown, text)
    return text


def removals(version):
    gone = [path.rsplit(".", 1) for since, paths in SCRIPTS.items() if version < since for path in paths]
    return "".join(f"delete {owner}[{json.dumps(name)}];" for owner, name in gone) + (NO_FLEX_GAP if version < 14.1 else "")


class OldSafari(Visitor):
    """A window of an iPad whose Safari is of this version."""

    def __init__(self, chromium, server, version, width=1024, height=768):
        super().__init__(chromium, server, "phone", viewport={"width": width, "height": height}, has_touch=True)
        self.version, self.aged = version, {}
        self.context.add_init_script(removals(version))
        self.context.route("**/*.css*", self.age)

    def age(self, route):
        url = route.request.url
        if url not in self.aged:
            text = styles(requests.get(url, timeout=20).text, self.version)
            # The first style sheet, which each page has.
            self.aged[url] = NO_DIALOG + text if self.version < 15.4 and "/tokens" in url else text
        route.fulfill(body=self.aged[url], content_type="text/css; charset=utf-8")
