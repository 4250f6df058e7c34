/* Parts that say what happens elsewhere: a phone that arrives, a try that ends, an answer. The page asks for itself again
   whenever the house changes, and takes over each part that says something else. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    let asking = false;
    let again = false;

    function refresh() {
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

    /** Whether somebody has a hand on the part, or has typed or chosen something in it. */
    function isHeld(part) {
        return part.contains(document.activeElement)
            || Array.from(part.querySelectorAll("input:not([type=hidden])")).some(function (field) {
                return field.value !== field.defaultValue;
            })
            || Array.from(part.querySelectorAll("select")).some(function (field) {
                const chosen = Array.from(field.options).findIndex(function (option) { return option.defaultSelected; });
                return field.selectedIndex !== Math.max(0, chosen);
            });
    }

    function replace(html) {
        const page = si.parse(html);
        document.querySelectorAll("[data-fresh]").forEach(function (shown) {
            const fresh = page.querySelector("[data-fresh=" + shown.dataset.fresh + "]");
            if (!fresh || fresh.innerHTML === shown.innerHTML) { return; }
            if (isHeld(shown)) {
                shown.addEventListener("focusout", function () { setTimeout(refresh, 300); }, { once: true });
                return;
            }
            shown.innerHTML = fresh.innerHTML;
        });
    }

    /* A device that nobody confirmed hears of no change, so it asks until somebody says whose it is. */
    if (document.querySelector("[data-waiting]")) {
        setInterval(function () { if (document.querySelector("[data-waiting]")) { refresh(); } }, 3000);
    } else {
        si.listen({ onState: refresh });
    }
})();
