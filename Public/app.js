/* The app on a phone, where a browser allows it (HTTPS): the service worker, and what the server said last, for the page
   that the worker shows while the server is away. The shield leaves this out: on a blocked name, a service worker would
   stay in the way of the real site. */
(function () {
    "use strict";

    const isOurs = "person" in document.body.dataset;

    if (!isOurs || !window.isSecureContext || !("serviceWorker" in navigator)) { return; }

    navigator.serviceWorker.register("/service-worker.js").catch(function () { /* Private windows refuse it. */ });

    document.addEventListener("sleep-state", function (event) {
        const state = event.detail;
        const last = {
            at: Date.now(), zone: document.body.dataset.zone, bedtimeAt: state.bedtimeAt,
            endsAt: state.session ? state.session.asleepUntil : null
        };
        try { window.localStorage.setItem("last-state", JSON.stringify(last)); } catch (error) { /* Then it stays unsaid. */ }
    });
})();
