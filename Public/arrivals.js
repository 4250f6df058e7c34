/* A phone that arrives shows at once: the page asks for itself again whenever the house changes. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    let asking = false;
    let again = false;

    function refresh() {
        const shown = document.querySelector("[data-arrivals]");
        if (!shown) { return; }
        /* A change that comes while the answer to an earlier one is on its way is asked for after it. */
        if (asking) { again = true; return; }
        asking = true;
        fetch(si.here(), { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok && !response.redirected ? response.text() : null;
        }).then(function (html) { if (html) { replace(shown, html); } }, function () { }).then(function () {
            asking = false;
            if (again) { again = false; refresh(); }
        });
    }

    /** Only what says something else, and nothing in somebody's hands. */
    function replace(shown, html) {
        const fresh = si.parse(html).querySelector("[data-arrivals]");
        if (!fresh || fresh.innerHTML === shown.innerHTML || shown.contains(document.activeElement)) { return; }
        shown.innerHTML = fresh.innerHTML;
    }

    si.listen({ onState: refresh });
})();
