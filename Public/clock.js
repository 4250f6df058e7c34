/* The server's time on this device's clock, and how times are written. */
(function () {
    "use strict";

    const si = window.sleepInducer = window.sleepInducer || {};
    /* The page was written just before its first byte came, and may have been read much later. */
    const came = window.performance && performance.timing && performance.timing.responseStart;
    let skew = Date.parse(document.body.dataset.now) - (came || Date.now());
    let isMeasured = false;

    /** Milliseconds of the server's clock. */
    si.now = function () {
        return Date.now() + skew;
    };

    /**
     * Takes in what the server's clock showed just now. A message can only come late, so the greatest lead of
     * the server's clock is the truest; one that is off by over two seconds means that a clock was set.
     */
    si.heardClock = function (serverTime) {
        const measured = serverTime - Date.now();
        if (isNaN(measured)) { return; }
        if (!isMeasured || measured > skew || skew - measured > 2000) { skew = measured; }
        isMeasured = true;
    };

    function two(number) {
        return number < 10 ? "0" + number : String(number);
    }

    /** 1:00:00, 59:59, 00:59, 00:00, from whole seconds. */
    si.countdownText = function (seconds) {
        const left = Math.max(0, seconds);
        const rest = two(Math.floor(left / 60) % 60) + ":" + two(left % 60);
        return left >= 3600 ? Math.floor(left / 3600) + ":" + rest : rest;
    };

    /** Whole seconds until an instant, rounded up. */
    si.secondsUntil = function (instant) {
        return Math.max(0, Math.ceil((instant - si.now()) / 1000));
    };

    /** Calls back with the whole seconds until an instant and those before, once for each, as soon as it begins. */
    si.countDown = function (instant, callback) {
        let timer = null;
        let last = null;

        function step() {
            const left = si.secondsUntil(instant);
            const before = last;
            clearTimeout(timer);
            timer = setTimeout(step, Math.max(20, ((instant - si.now()) % 1000 + 1000) % 1000 || 1000));
            last = left;
            if (left !== before) { callback(left, before); }
        }

        document.addEventListener("visibilitychange", step);
        window.addEventListener("pageshow", step);
        step();
    };

    /** A time from hours and minutes, written as the server does (ClockStyle.swift): 22:19 or 10:19 PM. */
    si.clockText = function (hours, minutes) {
        if (document.body.dataset.hours !== "12") { return two(hours) + ":" + two(minutes); }
        return (hours % 12 || 12) + ":" + two(minutes) + "\u00a0" + (hours < 12 ? "AM" : "PM");
    };

    /** Minutes since midnight, in the household's zone; in the device's own, if the browser does not know that zone. */
    si.minuteOfDay = function (instant) {
        const date = new Date(instant);
        try {
            const parts = date.toLocaleTimeString("en-GB", {
                hour: "2-digit", minute: "2-digit", timeZone: document.body.dataset.zone
            }).split(":");
            return Number(parts[0]) % 24 * 60 + Number(parts[1]);
        } catch (error) {
            return date.getHours() * 60 + date.getMinutes();
        }
    };

    /** 22:19 or 10:19 PM, in the household's zone. */
    si.timeText = function (instant) {
        const minute = si.minuteOfDay(instant);
        return si.clockText(Math.floor(minute / 60), minute % 60);
    };

    /** The same in the device's own zone. */
    si.ownTimeText = function (instant) {
        const date = new Date(instant);
        return si.clockText(date.getHours(), date.getMinutes());
    };

    /** Says something once to a screen reader. */
    si.announce = function (text) {
        const region = document.querySelector("[data-announcer]");
        if (region) { region.textContent = text; }
    };
})();
