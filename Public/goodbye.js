/* The list of who still asks, looked at again every half minute; without script the page reloads itself. */
(function () {
    "use strict";

    const list = document.querySelector("[data-leaving]");
    if (!list) { return; }

    /** What has changed alone, so that a screen reader hears the summary once. */
    function take(page) {
        const summary = page.querySelector("[data-summary]");
        const shown = list.querySelector("[data-summary]");
        const rows = page.querySelector("[data-leaving] ul");
        const old = list.querySelector("ul");
        if (!summary || !shown || !rows || !old) { return; }
        if (rows.innerHTML !== old.innerHTML) { old.replaceWith(document.importNode(rows, true)); }
        if (summary.textContent !== shown.textContent) { shown.textContent = summary.textContent; }
    }

    setInterval(function () {
        if (document.hidden) { return; }
        fetch(window.location.href, { headers: { Accept: "text/html" }, redirect: "error" })
            .then(function (reply) { return reply.ok ? reply.text() : ""; })
            .then(function (html) { take(new DOMParser().parseFromString(html, "text/html")); })
            .catch(function () { /* The next time. */ });
    }, 30000);
})();
