/* A phone that arrives shows at once: the page asks for itself again whenever the house changes. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    let asking = false;
    let again = false;

    function refresh() {
        if (!document.querySelector("[data-arrivals], [data-waiting]")) { return; }
        /* A change that comes while the answer to an earlier one is on its way is asked for after it. */
        if (asking) { again = true; return; }
        asking = true;
        fetch(si.here(), { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok && !response.redirected ? response.text() : null;
        }).then(function (html) { if (html) { replace(html); } }, function () { }).then(function () {
            asking = false;
            if (again) { again = false; refresh(); }
        });
    }

    /** Only what says something else, and nothing in somebody's hands. A code works once: the next one follows it. */
    function replace(html) {
        const page = si.parse(html);
        ["[data-lead]", "[data-owner]", "[data-arrivals]", "[data-phone-code]"].forEach(function (part) {
            const [shown, fresh] = [document.querySelector(part), page.querySelector(part)];
            if (!shown || !fresh || fresh.innerHTML === shown.innerHTML) { return; }
            if (!shown.contains(document.activeElement)) { shown.innerHTML = fresh.innerHTML; }
        });
    }

    /* A phone without a log-in hears of no change, so it asks until the other screen says yes. */
    if (document.querySelector("[data-waiting]")) { setInterval(refresh, 3000); } else { si.listen({ onState: refresh }); }
})();
