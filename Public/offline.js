/* While the server is away: what it said last, a countdown that goes on by this device's clock, and another try every
   five seconds. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const tryEvery = 5000;
    const known = document.querySelector("[data-last]");
    const count = document.querySelector("[data-left]");
    const note = document.querySelector("[data-next-try]");
    let last = null;
    let nextAt = Date.now() + tryEvery;
    let isAsking = false;

    try { last = JSON.parse(window.localStorage.getItem("last-state")); } catch (error) { /* Nothing is known. */ }

    function clock(instant) { return si.timeText(Date.parse(instant)); }

    function isAhead(instant) { return Boolean(instant) && Date.parse(instant) > Date.now(); }

    function lastWord() {
        if (!last) { return ""; }
        const start = "At " + si.timeText(last.at) + " ";
        if (isAhead(last.endsAt)) { return start + "Sleep Mode was on, until " + clock(last.endsAt) + "."; }
        if (last.endsAt) { return "Sleep Mode was on until " + clock(last.endsAt) + ". That is over now."; }
        if (isAhead(last.bedtimeAt)) { return start + "no session was running. Bedtime is at " + clock(last.bedtimeAt) + "."; }
        return start + "no session was running.";
    }

    function paint() {
        const seconds = last && last.endsAt ? Math.ceil((Date.parse(last.endsAt) - Date.now()) / 1000) : 0;
        const text = lastWord();
        if (known.textContent !== text) { known.textContent = text; }
        count.hidden = seconds <= 0;
        count.textContent = seconds > 0 ? si.countdownText(seconds) : "";
        const wait = Math.max(0, Math.ceil((nextAt - Date.now()) / 1000));
        note.textContent = isAsking || wait === 0 ? "Trying now." : "The next try is in " + wait + " s.";
    }

    /** To the page that was asked for; at the kept page's own address, home. */
    function go() {
        if (window.location.pathname === "/offline") { window.location.replace("/"); } else { window.location.reload(); }
    }

    function ask() {
        if (isAsking) { return; }
        isAsking = true;
        fetch("/healthz", { cache: "no-store" }).then(go, function () {
            isAsking = false;
            nextAt = Date.now() + tryEvery;
            paint();
        });
    }

    document.querySelector("[data-try]").addEventListener("click", ask);
    document.addEventListener("visibilitychange", function () { if (document.visibilityState === "visible") { ask(); } });
    window.addEventListener("online", ask);
    setInterval(function () {
        if (document.visibilityState !== "visible") { return; }
        if (Date.now() >= nextAt) { ask(); }
        paint();
    }, 1000);
    paint();
})();
