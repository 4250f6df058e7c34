/* Verified minutes: the sheet with the computation, and this device's own zone. */
(function () {
    "use strict";

    const si = window.sleepInducer || {};

    const sheet = document.querySelector("[data-sheet]");
    if (sheet && sheet.showModal) {
        sheet.removeAttribute("open");
        sheet.showModal();
        /* Escape puts it away; the page beneath tells the same. */
        sheet.addEventListener("close", function () {
            const query = new URLSearchParams(window.location.search);
            query.delete("sheet");
            const rest = query.toString();
            window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : ""));
        });
    }

    /* While it is worked out, the server says when something changed; the first word can be from before. */
    if (document.querySelector("[data-computing]") && si.listen) {
        let isFirst = true;
        si.listen({ onState: function () {
            setTimeout(function () { si.swapTo(si.here()); }, isFirst ? 1000 : 0);
            isFirst = false;
        } });
    }

    const button = document.querySelector("[data-own-zone]");
    const select = document.querySelector("#timeZone");
    if (button && select) {
        let zone = null;
        try {
            zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        } catch (error) {
            zone = null;
        }
        const option = Array.from(select.options).find(function (option) { return option.value === zone; });
        if (option) {
            button.hidden = false;
            button.addEventListener("click", function () {
                select.value = zone;
                select.form.querySelector("[type=submit]").click();
            });
        }
    }
})();
