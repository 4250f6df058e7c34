/* The dashboard: gives way to a session that starts, and follows what comes next. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const line = document.querySelector("[data-devices]");
    let known = null;

    function describe(devices) {
        if (!devices || devices.enrolled === 0 || devices.recent === 0) {
            return "No device is using this yet. Nothing will be blocked.";
        }
        return devices.recent === 1 ? "1 device is using this." : devices.recent + " devices are using this.";
    }

    function plan(state) {
        return JSON.stringify([state.schedule]);
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
