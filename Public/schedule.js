/* The schedule in one line, as it is being set; the server says the same (ScheduleSummary.swift). */
(function () {
    "use strict";

    const si = window.sleepInducer;
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

    function clock(text) { return si.clockText(Math.floor(minutes(text) / 60), minutes(text) % 60); }

    function span(length) {
        const parts = [];
        if (length >= 60) { parts.push(Math.floor(length / 60) + " h"); }
        if (length % 60) { parts.push(length % 60 + " min"); }
        return parts.join(" ");
    }

    /** One set of times as the form has it; `days` are those of `order` whose boxes are ticked. */
    function times(start, end, box) {
        return {
            start: form.elements[start].value,
            end: form.elements[end].value,
            days: order.filter(function (day) { return form.querySelector("#" + box + day).checked; })
        };
    }

    /** Empty where the times cannot be read. */
    function line(part) {
        const length = (minutes(part.end) - minutes(part.start) + 1440) % 1440;
        if (!length) { return ""; }
        const nights = known[part.days.join(" ")] || part.days.map(function (day) {
            return day[0].toUpperCase() + day.slice(1);
        }).join(", ");
        return nights + " " + clock(part.start) + "–" + clock(part.end) + " · " + span(length);
    }

    function text() {
        if (!form.elements.isEnabled.checked) { return "Off"; }
        const usual = times("start", "end", "day-");
        const parts = [];
        for (let index = 0; form.elements["exceptionStart" + index]; index += 1) {
            const other = times("exceptionStart" + index, "exceptionEnd" + index, "exception-" + index + "-");
            other.days = other.days.filter(function (day) { return usual.days.indexOf(day) >= 0; });
            usual.days = usual.days.filter(function (day) { return other.days.indexOf(day) < 0; });
            if (other.days.length) { parts.push(other); }
        }
        if (usual.days.length || !parts.length) { parts.unshift(usual); }
        const lines = parts.map(line);
        return lines.every(Boolean) ? lines.join("; ") : "";
    }

    function show() { summary.textContent = text(); }

    form.addEventListener("input", show);
    form.addEventListener("change", show);
    show();
})();
