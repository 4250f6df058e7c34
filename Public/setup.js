/* What the browser knows and its address line does not say: the time zone, and whether a Macintosh is an iPad. */
(function () {
    "use strict";

    function guessZone(select) {
        let zone;
        try {
            zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        } catch (error) {
            return;
        }
        Array.from(select.options).forEach(function (option) {
            if (option.value === zone) { select.value = zone; }
        });
    }

    /** An iPad says that it is a Macintosh. No Macintosh has a screen for several fingers. */
    function tellMac() {
        const isTablet = navigator.maxTouchPoints > 1;
        document.querySelectorAll("[data-kind]").forEach(function (field) {
            field.value = isTablet ? "tablet" : "computer";
        });
        if (!isTablet) { return; }
        const ipad = document.querySelector("[data-system=ios]");
        const mac = document.querySelector("[data-system=mac]");
        if (!ipad || !mac) { return; }
        mac.open = false;
        ipad.open = true;
        mac.parentNode.insertBefore(ipad, mac);
    }

    const select = document.querySelector("[data-guess-zone]");
    if (select) { guessZone(select); }
    if (/Macintosh/.test(navigator.userAgent)) { tellMac(); }
})();
