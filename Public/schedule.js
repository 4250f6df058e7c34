/* The schedule in one line, as it is being set; the server says the same (ScheduleSummary.swift). */
(function () {
    "use strict";

    const form = document.querySelector("[data-schedule]");
    const summary = form.querySelector("[data-summary]");
    const order = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    const known = {
        "": "No night",
        "mon tue wed thu fri sat sun": "Every night",
        "mon tue wed thu fri": "Monday to Friday",
        "mon tue wed thu sun": "Sunday to Thursday",
        "sat sun": "Saturday and Sunday",
        "fri sat": "Friday and Saturday"
    };

    function minutes(text) {
        const parts = /^(\d\d):(\d\d)$/.exec(text);
        return parts ? Number(parts[1]) * 60 + Number(parts[2]) : NaN;
    }

    function span(length) {
        const parts = [];
        if (length >= 60) { parts.push(Math.floor(length / 60) + " h"); }
        if (length % 60) { parts.push(length % 60 + " min"); }
        return parts.join(" ");
    }

    function show() {
        if (!form.elements.isEnabled.checked) {
            summary.textContent = "Off";
            return;
        }
        const start = form.elements.start.value;
        const end = form.elements.end.value;
        const length = (minutes(end) - minutes(start) + 1440) % 1440;
        if (!length) {
            summary.textContent = "";
            return;
        }
        const days = order.filter(function (day) { return form.querySelector("#day-" + day).checked; });
        const key = days.join(" ");
        const nights = known[key] || days.map(function (day) {
            return day[0].toUpperCase() + day.slice(1);
        }).join(", ");
        summary.textContent = nights + " " + start + "–" + end + " · " + span(length);
    }

    form.addEventListener("input", show);
    form.addEventListener("change", show);
    show();
})();
