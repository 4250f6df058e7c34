/* The ring and everything that counts down with it, each second by the server's clock. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const ring = document.querySelector("[data-ring]");
    const title = document.title;
    const over = document.querySelector("[data-over]");

    if (!ring) { return; }

    const endsAt = Date.parse(ring.dataset.endsAt);
    const circumference = 628.3;
    const total = Number(ring.dataset.total);
    const reading = ring.querySelector("[data-remaining]");
    const progress = ring.querySelector(".progress");
    const head = ring.querySelector(".head");

    /** A tick is sent just after `endsAt − remaining`: it tells the server's clock to the millisecond. */
    si.heardRemaining = function (remaining) {
        if (typeof remaining === "number" && remaining > 0) { si.heardClock(endsAt - remaining * 1000); }
    };

    function paint(left, before) {
        if (before !== null && Math.abs(before - left) > 2) { ring.classList.remove("live"); }
        const share = total > 0 ? Math.min(1, Math.max(0, 1 - left / total)) : 1;
        progress.setAttribute("stroke-dashoffset", String((1 - share) * circumference));
        head.setAttribute("stroke-dashoffset", String(-share * circumference));
        progress.setAttribute("visibility", share > 0 ? "inherit" : "hidden");
        reading.textContent = si.countdownText(left);
        document.title = si.countdownText(left) + " · " + title;
        if (before !== null) { announce(before, left); }
        requestAnimationFrame(function () { ring.classList.add("live"); });
    }

    /** Once, when the mark is passed, not at every second. */
    function announce(before, left) {
        if (before > 300 && left <= 300 && left > 290) { si.announce("5 minutes remaining"); }
        if (before > 60 && left <= 60 && left > 50) { si.announce("1 minute remaining"); }
        if (before > 0 && left === 0) { si.announce(over ? over.dataset.over : "Sleep session over"); }
    }

    si.countDown(endsAt, paint);
})();
