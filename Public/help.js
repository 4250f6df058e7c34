/* The minute until messengers open counts down. The page is loaded again at its end, also without this. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const seconds = document.querySelector("[data-from]");

    si.countDown(Date.parse(seconds.dataset.from), function (left) { seconds.textContent = String(left); });
})();
