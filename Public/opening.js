/* A name that is open again still leads here while the browser remembers the old answer: look now and then, and open. */
(function () {
    "use strict";

    const patience = 120000;
    const slowest = 5000;
    const startedAt = Date.now();
    let wait = 1000;
    let isHeard = false;

    /** Without a fragment, because one would keep the browser from asking the server again. */
    function openPage() {
        window.location.replace(window.location.href.split("#")[0]);
    }

    function again() {
        if (Date.now() - startedAt > patience) { return; }
        setTimeout(look, wait);
        wait = Math.min(slowest, wait * 1.5);
    }

    /**
     * 204 is this house, with the name open: the answer is still the old one. 403 is this house, with the name
     * blocked once more. Anything else is where the name belongs. A page that never heard the house does not
     * reload by itself, or something that swallows its questions would make it reload for ever.
     */
    function judge(status) {
        if (status === 204) {
            isHeard = true;
            again();
        } else if (status === 403 || isHeard) {
            openPage();
        } else {
            again();
        }
    }

    /** No answer at all: where the name belongs nobody speaks so, or this device is offline, as it says itself. */
    function hearNothing() {
        if (navigator.onLine === false) { again(); } else { judge(0); }
    }

    /** A device that calls itself offline may be wrong, as displays without a cable are: it looks too, at leisure. */
    function look() {
        if (document.visibilityState !== "visible") {
            again();
            return;
        }
        if (navigator.onLine === false) { wait = slowest; }
        fetch("/.sleep-inducer/here", { method: "HEAD", cache: "no-store", redirect: "manual" })
            .then(function (response) { judge(response.status); }, hearNothing);
    }

    again();
})();
