/* The dashboard: gives way to a session that starts, and follows what comes next. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const line = document.querySelector("[data-devices]");
    /** Whether a device of this person ever asked: one that only sleeps is not "none". */
    let hasAsked = Boolean(line) && line.hasAttribute("data-asked");
    let known = null;

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
            const text = describe(state.devices);
            if (line && line.textContent !== text) { line.textContent = text; }
        }
    });
})();
