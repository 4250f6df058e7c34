/* Everybody on one screen: counts down, offers an undo for as long as the server takes it, and follows what changes. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const undo = document.querySelector("[data-undo]");
    /* Without what was just pressed: that notice stands as it came. */
    const person = document.body.dataset.person;
    const address = "/household" + (person ? "?person=" + encodeURIComponent(person) : "");
    let asking = false;

    if (undo) {
        const end = Date.now() + Number(undo.dataset.undo) * 1000;
        const left = undo.querySelector("[data-undo-left]");
        const timer = setInterval(count, 200);
        function count() {
            const seconds = Math.ceil((end - Date.now()) / 1000);
            left.textContent = seconds > 0 ? " " + seconds : "";
            if (seconds > 0) { return; }
            clearInterval(timer);
            /* Nobody who reads by keyboard is to be left on nothing. */
            if (undo.contains(document.activeElement)) { document.querySelector(".taps button, h1").focus(); }
            undo.hidden = true;
        }
        count();
    }

    /** Takes the rows that say something else from a fresh page; the one in somebody's hands waits. */
    function replaceRows(html) {
        const page = si.parse(html);
        const fresh = page.querySelectorAll("[data-row]");
        const shown = document.querySelectorAll("[data-row]");
        const toBed = document.querySelector("[data-to-bed]");
        if (!toBed.contains(document.activeElement)) { toBed.replaceWith(page.querySelector("[data-to-bed]")); }
        if (fresh.length !== shown.length) {
            si.swapTo(address);
            return;
        }
        shown.forEach(function (row, index) {
            const other = fresh[index];
            const isHeld = row === document.activeElement;
            if (row.outerHTML === other.outerHTML || (!isHeld && row.contains(document.activeElement))) { return; }
            const state = other.querySelector(".state").textContent;
            if (row.querySelector(".state").textContent !== state) {
                si.announce(other.querySelector("h2").textContent + ": " + state);
            }
            row.replaceWith(other);
            if (isHeld) { other.focus({ preventScroll: true }); }
        });
    }

    function refresh() {
        if (asking || document.querySelector("button.busy")) { return; }
        asking = true;
        fetch(address, { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok && !response.redirected ? response.text() : null;
        }).then(function (html) {
            asking = false;
            if (html) { replaceRows(html); }
        }, function () { asking = false; });
    }

    function paintCounts() {
        document.querySelectorAll("[data-wakes]").forEach(function (line) {
            line.textContent = "Wakes in " + si.secondsUntil(Date.parse(line.dataset.wakes)) + " s.";
        });
        document.querySelectorAll("[data-wind-down]").forEach(function (line) {
            const left = Date.parse(line.dataset.bedtime) - si.now();
            const text = "Bedtime in " + Math.ceil(left / 60000) + " min";
            if (left > 0 && line.textContent !== text) { line.textContent = text; }
        });
    }

    /** The stream tells of one person; of the others the page asks, and at once when something is due. */
    let due = Date.now() + 10000;
    setInterval(function () {
        paintCounts();
        const isDue = Array.from(document.querySelectorAll("[data-changes-at]")).some(function (row) {
            return Date.parse(row.dataset.changesAt) <= si.now() - 500;
        });
        if (document.visibilityState !== "visible" || (!isDue && Date.now() < due)) { return; }
        due = Date.now() + 10000;
        refresh();
    }, 1000);

    si.listen({ onState: refresh });
})();
