/* A question that somebody asks shows on every open page at once, and goes when it is answered elsewhere. The server
   writes the words: this asks it for that part of the page again. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const shown = document.querySelector("[data-asked]");
    let isAsking = false;
    let again = false;

    if (!shown || !window.EventSource || !window.fetch) { return; }

    function take(state) {
        if (!state.requests) { return; }
        const ids = state.requests.map(function (request) { return request.id; }).join(" ");
        if (ids !== shown.dataset.ids) { refresh(); }
    }

    function refresh() {
        /* A change that comes while the answer to an earlier one is on its way is asked for after it. */
        if (isAsking) { again = true; return; }
        isAsking = true;
        fetch(shown.dataset.asked, { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok && !response.redirected ? response.text() : null;
        }).then(function (html) { if (html) { replace(html); } }, function () { }).then(function () {
            isAsking = false;
            if (again) { again = false; refresh(); }
        });
    }

    /** The number at the bar's place. */
    function count(page) {
        const [links, fresh] = [document, page].map(function (root) { return root.querySelectorAll(".places a"); });
        fresh.forEach(function (link, index) {
            const [old, count] = [links[index], link].map(function (one) { return one && one.querySelector(".count"); });
            if (old) { old.remove(); }
            if (count && links[index]) { links[index].appendChild(count); }
        });
    }

    /** Nothing in somebody's hands: what has the focus stays until it is left. */
    function replace(html) {
        const page = new DOMParser().parseFromString(html, "text/html");
        const fresh = page.querySelector("[data-asked]");
        if (!fresh) { return; }
        count(page);
        if (shown.contains(document.activeElement)) {
            shown.addEventListener("focusout", function () { setTimeout(refresh, 300); }, { once: true });
            return;
        }
        shown.innerHTML = fresh.innerHTML;
        shown.dataset.ids = fresh.dataset.ids;
    }

    si.listen({ onState: take });
})();
