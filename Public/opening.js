/* A name that is open again still leads here while the browser remembers the old answer: look now and then, and open. */
(function () {
    "use strict";

    const patience = 120000;
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
        wait = Math.min(5000, wait * 1.5);
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

    function look() {
        if (document.visibilityState !== "visible" || navigator.onLine === false) {
            again();
            return;
        }
        fetch("/.sleep-inducer/here", { method: "HEAD", cache: "no-store", redirect: "manual" })
            .then(function (response) { judge(response.status); }, function () { judge(0); });
    }

    again();
})();
