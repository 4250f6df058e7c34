/* The dashboard: gives way to a session that starts, and follows what comes next. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const line = document.querySelector("[data-devices]");
    /** Whether a device of this person ever asked: one that only sleeps is not "none". */
    let hasAsked = Boolean(line) && line.hasAttribute("data-asked");
    let known = null;
    let knownSections = null;

    function describe(devices) {
        hasAsked = hasAsked || Boolean(devices && devices.recent > 0);
        if (!devices || devices.enrolled === 0 || !hasAsked) {
            return "No device is using this yet. Nothing will be blocked.";
        }
        if (devices.recent === 0) {
            return devices.enrolled === 1 ? "1 device is enrolled, quiet just now."
                : devices.enrolled + " devices are enrolled, quiet just now.";
        }
        return devices.recent === 1 ? "1 device is using this." : devices.recent + " devices are using this.";
    }

    function plan(state) {
        return JSON.stringify([state.schedule, state.devices && state.devices.enrolled]);
    }

    /** What holds in the further sections; use grows every minute, which is no reason to leave the page. */
    function sections(state) {
        const focus = state.focus && [state.focus.state, state.focus.totalSeconds, state.focus.endsAt];
        return JSON.stringify([state.antiRot, state.limits, focus]);
    }

    function refreshSections() {
        fetch(si.here(), { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok ? response.text() : null;
        }).then(function (html) {
            const page = html && new DOMParser().parseFromString(html, "text/html");
            const fresh = page && page.querySelector("[data-sections]");
            const shown = document.querySelector("[data-sections]");
            if (fresh && fresh.textContent !== shown.textContent) { shown.replaceWith(fresh); }
        }, function () { /* The next state brings the next try. */ });
    }

    si.listen({
        onState: function (state) {
            if (state.session) {
                si.swapTo(si.here());
                return;
            }
            if (known !== null && known !== plan(state)) {
                si.swapTo(si.here());
                return;
            }
            known = plan(state);
            if (knownSections !== null && knownSections !== sections(state)) { refreshSections(); }
            knownSections = sections(state);
            const text = describe(state.devices);
            if (line && line.textContent !== text) { line.textContent = text; }
        }
    });
})();
