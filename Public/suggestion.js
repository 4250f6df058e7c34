/* The timer of a suggestion: when it is over, the page says "Well done" by itself. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const done = document.querySelector("[data-done]");
    const ring = document.querySelector("[data-ring]");

    si.countDown(Date.parse(ring.dataset.endsAt), function (left) {
        if (left <= 0) { window.location.replace(done.href); }
    });
})();
