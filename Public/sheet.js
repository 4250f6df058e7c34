/* Sheets open over the page, what was just deleted can be had back for some seconds, and counts follow the ticks. */
(function () {
    "use strict";

    function open(sheet) {
        sheet.removeAttribute("open");
        sheet.showModal();
    }

    document.querySelectorAll("[data-opens]").forEach(function (link) {
        const sheet = document.getElementById(link.dataset.opens);
        if (!sheet || !sheet.showModal) { return; }
        link.setAttribute("role", "button");
        link.setAttribute("aria-haspopup", "dialog");
        link.addEventListener("click", function (event) {
            event.preventDefault();
            open(sheet);
        });
        link.addEventListener("keydown", function (event) {
            if (event.key === " ") {
                event.preventDefault();
                open(sheet);
            }
        });
        sheet.querySelectorAll("[data-closes]").forEach(function (close) {
            close.setAttribute("role", "button");
            close.addEventListener("click", function (event) {
                event.preventDefault();
                sheet.close();
            });
            close.addEventListener("keydown", function (event) {
                if (event.key === " ") {
                    event.preventDefault();
                    sheet.close();
                }
            });
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
    if (query.has("removed")) {
        query.delete("removed");
        const rest = query.toString();
        window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : ""));
    }

    /* The server says the same (AntiRotAppsPage.swift). */
    const selected = document.querySelector("[data-selected]");
    const form = document.querySelector(".sheet form[data-autosave]");
    if (selected && form) {
        form.addEventListener("change", function () {
            const count = form.querySelectorAll("input[type=checkbox][name=app]:checked").length;
            selected.textContent = count + (count === 1 ? " app selected" : " apps selected");
        });
    }
})();
