/* The half hour before a bedtime in six steps, and the morning, which is over after two hours. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const steps = 6;
    const stepLength = 5 * 60000;
    const dusk = document.querySelector("[data-dusk]");
    const mornings = document.querySelectorAll("[data-morning-until]");
    let bedtime = dusk ? Date.parse(dusk.dataset.bedtime) : NaN;

    function paint() {
        mornings.forEach(function (part) {
            if (si.now() >= Date.parse(part.dataset.morningUntil)) { part.hidden = true; }
        });
        if (!dusk) { return; }
        const left = Math.ceil((bedtime - si.now()) / stepLength);
        const step = left > 0 && left <= steps ? steps + 1 - left : 0;
        for (let other = 0; other <= steps; other += 1) { dusk.classList.toggle("dusk-" + other, other === step); }
    }

    /** Where the page listens, a bedtime that was moved is heard of. */
    document.addEventListener("sleep-state", function (event) {
        bedtime = event.detail.bedtimeAt ? Date.parse(event.detail.bedtimeAt) : NaN;
        paint();
    });
    document.addEventListener("visibilitychange", paint);
    setInterval(paint, 1000);
    paint();
    /* A page that opens begins with its colour: WebKit would fade to it from the one before its style sheet. */
    setTimeout(function () { if (dusk) { dusk.classList.add("fades"); } }, 1000);
})();
