/* Sheets open over the page, and what was just deleted or changed can be had back for some seconds. */
(function () {
    "use strict";

    function open(sheet) {
        sheet.removeAttribute("open");
        sheet.showModal();
    }

    /** A link that does what a button does. */
    function press(link, act) {
        link.setAttribute("role", "button");
        link.addEventListener("click", function (event) {
            event.preventDefault();
            act();
        });
        link.addEventListener("keydown", function (event) {
            if (event.key === " ") {
                event.preventDefault();
                act();
            }
        });
    }

    document.querySelectorAll("dialog.sheet").forEach(function (sheet) {
        if (!sheet.showModal) { return; }
        document.querySelectorAll("[data-opens=" + sheet.id + "]").forEach(function (link) {
            link.setAttribute("aria-haspopup", "dialog");
            press(link, function () { open(sheet); });
        });
        sheet.querySelectorAll("[data-closes]").forEach(function (link) {
            press(link, function () { sheet.close(); });
        });
        /* A touch beside the sheet puts it away. */
        sheet.addEventListener("click", function (event) { if (event.target === sheet) { sheet.close(); } });
        const isTarget = window.location.hash === "#" + sheet.id;
        if (isTarget) { window.history.replaceState(null, "", window.location.pathname + window.location.search); }
        if (isTarget || sheet.open) {
            open(sheet);
            const refused = sheet.querySelector("[aria-invalid]");
            if (refused) { refused.focus(); }
        }
    });

    /* An offer that goes after some seconds, but not from under a finger. */
    document.querySelectorAll("[data-fades]").forEach(function (notice) {
        setTimeout(function fade() {
            if (notice.matches(":hover") || notice.contains(document.activeElement)) {
                setTimeout(fade, 1000);
                return;
            }
            notice.hidden = true;
        }, Number(notice.dataset.fades) * 1000);
    });
    const query = new URLSearchParams(window.location.search);
    const once = ["removed", "changed", "edit"].filter(function (name) { return query.has(name); });
    if (once.length) {
        once.forEach(function (name) { query.delete(name); });
        const rest = query.toString();
        window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : ""));
    }
})();
