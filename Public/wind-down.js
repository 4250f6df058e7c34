/* The last quarter of an hour before a bedtime, counted down on whatever page is open. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const line = document.querySelector("[data-wind-down]");
    const length = 15 * 60000;
    let bedtime = Date.parse(line.dataset.bedtime);
    let shown = null;

    function paint() {
        const left = bedtime - si.now();
        const minutes = left > 0 && left <= length ? Math.ceil(left / 60000) : null;
        if (minutes === shown) { return; }
        if (minutes !== null) { line.textContent = "Bedtime in " + minutes + " min"; }
        line.hidden = minutes === null;
        /* Said once at the start, and for the last five and one minutes; not at every step. */
        if ((shown === null || minutes === 5 || minutes === 1) && minutes !== null) {
            si.announce(line.textContent);
        }
        shown = minutes;
    }

    /** Where the page listens, a bedtime that was moved is heard of. */
    document.addEventListener("sleep-state", function (event) {
        bedtime = event.detail.bedtimeAt ? Date.parse(event.detail.bedtimeAt) : NaN;
        paint();
    });
    document.addEventListener("visibilitychange", paint);
    setInterval(paint, 1000);
    paint();
})();
