/* The browser knows where it is: its time zone comes preselected. */
(function () {
    "use strict";

    const select = document.querySelector("[data-guess-zone]");
    if (!select) { return; }
    let zone;
    try {
        zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    } catch (error) {
        return;
    }
    Array.from(select.options).forEach(function (option) {
        if (option.value === zone) { select.value = zone; }
    });
})();
