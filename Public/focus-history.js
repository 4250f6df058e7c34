/* The history of focus: what was just done is said once. */
(function () {
    "use strict";

    const query = new URLSearchParams(window.location.search);
    const once = ["removed", "added", "known"].filter(function (name) { return query.has(name); });
    once.forEach(function (name) { query.delete(name); });
    if (once.length > 0) {
        const rest = query.toString();
        window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : ""));
    }
})();
