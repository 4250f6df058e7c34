/* A deep link: its page starts the timer once, when somebody sees it. A prefetch runs no script, a page that is
   rendered ahead waits, and a reload or the way back finds the link used. */
(function () {
    "use strict";

    const form = document.querySelector("[data-start]");
    const state = window.history.state;
    const entry = performance.getEntriesByType("navigation")[0];
    const isAgain = Boolean(state && state.isStarted)
        || Boolean(entry && (entry.type === "reload" || entry.type === "back_forward"));
    let isSent = false;

    function start() {
        if (isSent || document.prerendering || document.visibilityState !== "visible") { return; }
        isSent = true;
        /* Kept with this entry of the history, for as long as the tab lives. */
        window.history.replaceState({ isStarted: true }, "");
        form.submit();
    }

    if (isAgain) {
        document.querySelector("[data-again]").hidden = false;
        return;
    }
    form.addEventListener("submit", function () { isSent = true; });
    document.addEventListener("visibilitychange", start);
    document.addEventListener("prerenderingchange", start);
    start();
})();
