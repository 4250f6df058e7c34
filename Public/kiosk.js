/* The bedside display: the clock, the countdown, and an honest face when the server is out of reach. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const main = document.querySelector(".bedside");
    const clock = document.querySelector("[data-clock]");
    const cancelText = document.querySelector("[data-cancelling]");
    const cancelsAt = main.dataset.cancelsAt ? Date.parse(main.dataset.cancelsAt) : null;
    const hadSession = main.dataset.session === "on";
    const meal = document.querySelector("[data-meal-ends]");
    const line = document.querySelector("[data-line]");
    const plainLine = /^Bedtime in/.test(line.textContent) ? null : line.textContent;
    let bedtime = Date.parse(main.dataset.bedtime);
    let isLost = false;
    let known = null;

    function paint() {
        const text = isLost ? si.ownTimeText(Date.now()) : si.timeText(si.now());
        if (clock.textContent !== text) { clock.textContent = text; }
    }

    if (cancelText && cancelsAt) {
        si.countDown(cancelsAt, function (left) { cancelText.textContent = "Cancelling in " + Math.min(30, left) + "s..."; });
    }
    if (meal) {
        /* Whatever follows it is told in the next state. */
        si.countDown(Date.parse(meal.dataset.mealEnds), function (left) {
            meal.querySelector("[data-meal-left]").textContent = si.countdownText(left);
            meal.hidden = left === 0;
        });
    }

    /** The last quarter of an hour in whole minutes; before it the line as it came. */
    function paintBedtime() {
        if (hadSession) { return; }
        const left = bedtime - si.now();
        const isNear = left > 0 && left <= 15 * 60000;
        const text = isNear ? "Bedtime in " + Math.ceil(left / 60000) + " min" : plainLine;
        if (text && line.textContent !== text) { line.textContent = text; }
    }

    function plan(state) {
        const session = state.session;
        return JSON.stringify([
            session && session.id, session && session.cancelsAt, state.bedtimeAt, state.overrideEndsAt
        ]);
    }

    function setLost(value) {
        isLost = value;
        main.classList.toggle("lost-contact", value);
        paint();
    }

    setInterval(function () { paint(); paintBedtime(); }, 1000);
    paint();

    si.listen({
        onState: function (state) {
            const isStale = Boolean(state.session) !== hadSession
                || Boolean(state.session && state.session.cancelsAt) !== Boolean(cancelsAt)
                || Boolean(state.overrideEndsAt) !== Boolean(meal);
            if (isStale || (known !== null && known !== plan(state))) {
                si.swapTo(si.here());
                return;
            }
            known = plan(state);
            bedtime = state.bedtimeAt ? Date.parse(state.bedtimeAt) : NaN;
            paintBedtime();
        },
        onTick: function (tick) { if (si.heardRemaining) { si.heardRemaining(tick.remaining); } },
        onLost: function () { setLost(true); },
        onFound: function () { setLost(false); }
    });

    /* Without a login the server does not say when the plan or the use of limits changes: ask now and then, and only swap for a page
       that is there, because nobody is by to reload an error. */
    const hasLimits = document.querySelector("[data-limits]") !== null;
    setInterval(function () {
        if (isLost || (hadSession && !hasLimits)) { return; }
        fetch(si.here(), { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            if (response.ok) { si.swapTo(si.here()); }
        }, function () { /* The stream says that the server is gone. */ });
    }, hasLimits ? 60000 : 600000);

    /* Over HTTPS a page may keep the screen on; it has to ask again each time it comes back. */
    function stayAwake() {
        if (!window.isSecureContext || document.visibilityState !== "visible") { return; }
        const words = document.querySelector("[data-awake]");
        if (!("wakeLock" in navigator)) {
            words.textContent = "This browser cannot keep the screen on.";
            return;
        }
        navigator.wakeLock.request("screen").then(function () {
            words.textContent = "This page keeps the screen on by itself.";
        }, function () {
            words.textContent = "The device did not allow this page to keep the screen on, perhaps to save power.";
        });
    }

    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
})();
