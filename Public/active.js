/* The running session: cancelling counts down, and when it is over the dashboard comes by itself. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const main = document.querySelector("main[data-session]");
    const cancelsAt = main.dataset.cancelsAt ? Date.parse(main.dataset.cancelsAt) : null;
    const cancelText = document.querySelector("[data-cancelling]");
    const cancelBar = document.querySelector("[data-cancel-bar]");
    const resting = document.querySelector("[data-resting]");
    let overdue = 0;

    function paintCancelling(seconds) {
        const left = Math.min(30, seconds);
        cancelText.textContent = "Cancelling in " + left + "s...";
        cancelBar.setAttribute("width", String(30 - left));
    }

    if (cancelsAt && cancelText) {
        si.countDown(cancelsAt, paintCancelling);
        si.announce("Cancelling in " + si.secondsUntil(cancelsAt) + " seconds");
    }

    /** The monitor ends sessions; should its word get lost, the page asks again. */
    setInterval(function () {
        const end = cancelsAt || Date.parse(document.querySelector("[data-ring]").dataset.endsAt);
        overdue = si.secondsUntil(end) === 0 ? overdue + 1 : 0;
        if (overdue > 0 && overdue % 5 === 0) { si.swapTo(si.here()); }
    }, 1000);

    si.listen({
        onState: function (state) {
            const session = state.session;
            if (!session) {
                si.announce("Sleep session over");
                si.swapTo(document.body.dataset.home);
                return;
            }
            const isSame = session.id.toLowerCase() === main.dataset.session.toLowerCase();
            if (!isSame || Boolean(session.cancelsAt) !== Boolean(cancelsAt)) {
                si.swapTo(si.here());
                return;
            }
            const recent = state.devices ? state.devices.recent : 0;
            if (resting) {
                resting.textContent = recent === 0 ? "Quiet just now"
                    : recent === 1 ? "1 device resting" : recent + " devices resting";
            }
        },
        onTick: function (tick) { si.heardRemaining(tick.remaining); }
    });
})();
