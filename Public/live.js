/* The stream of events: kept open, opened again when it dies, and told apart from silence. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const silenceAllowed = 40000;
    const lostAfter = 10000;

    /**
     * Listens to `state` and `tick` for as long as the page lives. `onLost` is called when the server has not
     * been heard although it should have been, `onFound` when it is heard again.
     */
    si.listen = function (handlers) {
        let source = null;
        let heardAt = Date.now();
        let openedAt = Date.now();
        let isLost = false;
        let isBroken = false;
        let failures = 0;
        let retry = null;
        let counts = false;

        function address() {
            const path = document.body.dataset.events;
            const person = document.body.dataset.person;
            return person ? path + "?person=" + encodeURIComponent(person) : path;
        }

        function heard() {
            heardAt = Date.now();
            failures = 0;
            isBroken = false;
            if (isLost) {
                isLost = false;
                if (handlers.onFound) { handlers.onFound(); }
            }
        }

        function receive(handler) {
            return function (event) {
                heard();
                let data;
                try {
                    data = JSON.parse(event.data);
                } catch (error) {
                    return;
                }
                handler(data);
            };
        }

        function open() {
            clearTimeout(retry);
            retry = null;
            if (source) { source.close(); }
            openedAt = Date.now();
            source = new EventSource(address());
            source.addEventListener("open", heard);
            source.addEventListener("ping", heard);
            source.addEventListener("state", receive(function (state) {
                si.heardClock(Date.parse(state.now));
                counts = false;
                document.dispatchEvent(new CustomEvent("sleep-state", { detail: state }));
                if (handlers.onState) { handlers.onState(state); }
            }));
            source.addEventListener("tick", receive(function (tick) {
                counts = true;
                if (handlers.onTick) { handlers.onTick(tick); }
            }));
            source.addEventListener("error", function () {
                isBroken = true;
                if (source.readyState === EventSource.CLOSED) { openLater(); }
            });
        }

        /** After 1, 2, 4 … 30 seconds, a little apart from everybody else. */
        function openLater() {
            if (retry) { return; }
            const wait = Math.min(30000, 1000 * Math.pow(2, failures));
            failures += 1;
            retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
        }

        function check() {
            const silence = Date.now() - heardAt;
            if (!isLost && silence > lostAfter && (counts || isBroken)) {
                isLost = true;
                if (handlers.onLost) { handlers.onLost(); }
            }
            if (Math.min(silence, Date.now() - openedAt) > silenceAllowed && !retry) { openLater(); }
        }

        /** After sleep or a way back through history, what is on the page may be hours old. */
        function wake() {
            if (document.visibilityState === "visible" && Date.now() - heardAt > 3000) {
                failures = 0;
                open();
            }
        }

        document.addEventListener("visibilitychange", wake);
        window.addEventListener("pageshow", function (event) { if (event.persisted) { failures = 0; open(); } });
        window.addEventListener("online", wake);
        window.addEventListener("pagehide", function () { if (source) { source.close(); } });
        setInterval(check, 1000);
        open();
    };

    /** Goes to another page without leaving this one in the history. */
    si.swapTo = function (path) {
        window.location.replace(path);
    };

    /** The page's own path with its query, so that the person stays chosen, but not what was just done. */
    si.here = function () {
        const query = new URLSearchParams(window.location.search);
        query.delete("done");
        const text = query.toString();
        return window.location.pathname + (text ? "?" + text : "");
    };
})();
