/* Anti-Rot's Home: the override counts down by the server's clock, and what changes elsewhere is shown. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const main = document.querySelector("[data-anti-rot]");
    const button = document.querySelector("[data-meal-ends]");
    const endsAt = button ? Date.parse(button.dataset.mealEnds) : null;
    const label = document.querySelector("[data-meal-label]");
    const left = document.querySelector("[data-meal-left]");
    const marker = document.querySelector("[data-day-now]");
    const change = endsAt || Date.parse(main.dataset.until);
    let known = null;
    let lastMinutes = null;
    let overdue = 0;

    function put(element, text) {
        if (element && element.textContent !== text) { element.textContent = text; }
    }

    function paint() {
        if (endsAt) {
            const seconds = si.secondsUntil(endsAt);
            const minutes = Math.ceil(seconds / 60);
            put(left, si.countdownText(seconds));
            put(label, "Override active — " + minutes + "m remaining");
            if (lastMinutes > 5 && minutes === 5) { si.announce("5 minutes remaining"); }
            if (lastMinutes > 1 && minutes === 1) { si.announce("1 minute remaining"); }
            lastMinutes = minutes;
        }
        if (marker) {
            marker.setAttribute("x", String(si.minuteOfDay(si.now())));
        }
        /* The server tells; should its word get lost, the page asks again. */
        overdue = change && si.secondsUntil(change) === 0 ? overdue + 1 : 0;
        if (overdue > 0 && overdue % 5 === 0) { si.swapTo(si.here()); }
    }

    /** What a page shows, to tell whether another is different. */
    function words(page) {
        return Array.from(page.querySelectorAll(".badge, .until, form.meal button")).map(function (element) {
            return element.textContent.replace(/\d+m remaining/, "");
        }).join("|");
    }

    /** Without a login the stream does not say what holds here: ask the page itself. */
    function compare() {
        fetch(si.here(), { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok ? response.text() : null;
        }).then(function (html) {
            const page = html && new DOMParser().parseFromString(html, "text/html");
            if (page && page.querySelector("[data-anti-rot]") && words(page) !== words(document)) {
                si.swapTo(si.here());
            }
        }, function () { /* The stream comes back by itself, and with it the next try. */ });
    }

    setInterval(paint, 1000);
    paint();

    si.listen({
        onState: function (state) {
            const news = JSON.stringify(state.antiRot);
            if (known !== null && known !== news) {
                si.swapTo(si.here());
            } else if (known !== null && !state.antiRot) {
                compare();
            }
            known = news;
        },
        onTick: function (tick) {
            if (endsAt && tick.overrideRemaining > 0) { si.heardClock(endsAt - tick.overrideRemaining * 1000); }
            paint();
        }
    });
})();
