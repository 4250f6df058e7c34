/* Limits: the bars follow what is used, and an unlock counts down. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const rows = new Map();
    let reload = null;

    document.querySelectorAll("[data-limit]").forEach(function (row) {
        rows.set(row.dataset.limit, row);
    });

    /** Whether somebody is in the middle of a form, which a fresh page would take away. */
    function isEditing() {
        return document.querySelector(".change[open]") !== null
            || (document.activeElement !== null && document.activeElement.matches("input, select"));
    }

    function refresh() {
        if (isEditing()) { return refreshLater(5000); }
        si.swapTo(si.here());
    }

    /** A state can be older than the page by a moment: the next one then agrees with it. */
    function refreshLater(milliseconds) {
        clearTimeout(reload);
        reload = setTimeout(refresh, milliseconds);
    }

    function write(element, text) {
        if (element && element.textContent !== text) { element.textContent = text; }
    }

    /** 0:42 */
    function openText(seconds) {
        const rest = seconds % 60;
        return Math.floor(seconds / 60) + ":" + (rest < 10 ? "0" : "") + rest;
    }

    function paintOpen(row) {
        const until = row.dataset.openUntil;
        if (!until) { return; }
        const left = si.secondsUntil(Date.parse(until));
        if (left > 0) { write(row.querySelector("[data-state]"), "Open for " + openText(left)); }
    }

    /** Whether a limit changed in more than its minutes used: its words then come from the server. */
    function isOther(row, limit) {
        const isOpen = Boolean(limit.probationEndsAt);
        return Number(row.dataset.minutes) !== limit.minutes
            || row.classList.contains("reached") !== limit.reached
            || row.classList.contains("open") !== isOpen
            || (isOpen && Date.parse(row.dataset.openUntil) !== Math.floor(Date.parse(limit.probationEndsAt) / 1000) * 1000);
    }

    function paintUse(row, limit) {
        /* Somebody else's minutes are not told. */
        if (limit.usedMinutes === null || Number(row.dataset.used) === limit.usedMinutes) { return false; }
        row.dataset.used = limit.usedMinutes;
        write(row.querySelector("[data-used-text]"), String(limit.usedMinutes));
        const share = Math.min(100, Math.floor(limit.usedMinutes * 100 / Math.max(1, limit.minutes)));
        row.querySelector("[data-fill]").setAttribute("width", share + "%");
        return true;
    }

    function onState(state) {
        if (!state.limits) { return; }
        let isStale = state.limits.length !== rows.size;
        state.limits.forEach(function (limit) {
            const row = rows.get(limit.id);
            if (!row || isOther(row, limit)) {
                isStale = true;
                return;
            }
            const hasMoved = paintUse(row, limit);
            const left = row.querySelector("[data-state]");
            const isWeekly = row.querySelectorAll(".use").length > 1;
            if (hasMoved && isWeekly) { isStale = true; }
            if (limit.usedMinutes !== null && !limit.reached && !limit.probationEndsAt && !isWeekly) {
                write(left, Math.max(0, limit.minutes - limit.usedMinutes) + " min left");
            }
        });
        if (isStale) {
            refreshLater(500);
        } else {
            clearTimeout(reload);
        }
    }

    setInterval(function () { rows.forEach(paintOpen); }, 250);
    /* Nobody tells the limits over the stream without a login. */
    if (!document.querySelector("[data-rules]")) {
        setInterval(refresh, document.querySelector("[data-waiting]") ? 15000 : 60000);
    }
    si.listen({ onState: onState });
})();
