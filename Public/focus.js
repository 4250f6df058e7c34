/* The focus timer: the server's state on every open page within a second, counted by the server's clock. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const title = document.title;
    const circumference = 628.3;
    /** Sessions that this page saw under way, and those whose end it has told. */
    const watched = new Set();
    const told = new Set();
    let paintTimer = null;
    let lastSecond = null;
    let watchedEnd = null;
    let endTimer = null;
    let isLoading = false;
    let isStale = false;

    function timer() { return document.querySelector("[data-timer]"); }

    /** What the page shows, from the server's own drawing. */
    function shown(page) {
        const dial = (page || document).querySelector("[data-dial]");
        return {
            dial: dial,
            state: dial.dataset.state,
            session: dial.dataset.session || null,
            total: Number(dial.dataset.total),
            remaining: Number(dial.dataset.remaining),
            endsAt: dial.dataset.endsAt ? Date.parse(dial.dataset.endsAt) : null
        };
    }

    function put(element, text) {
        if (element && element.textContent !== text) { element.textContent = text; }
    }

    function paint() {
        const now = shown();
        const left = now.endsAt ? si.secondsUntil(now.endsAt) : now.remaining;
        clearTimeout(paintTimer);
        if (now.endsAt) { paintTimer = setTimeout(paint, Math.max(20, (now.endsAt - si.now()) % 1000 || 1000)); }
        watchEnd(now.endsAt);
        const text = si.countdownText(left);
        const digits = now.dial.querySelector("[data-digits]");
        put(digits, text);
        digits.classList.toggle("long", left >= 3600);
        document.title = now.state === "running" ? text + " · " + title
            : now.state === "paused" ? "Paused " + text + " · " + title
            : document.querySelector("[data-ended][data-id]") ? "Focus over · " + title : title;
        if (left === lastSecond) { return; }
        const share = Math.min(1, Math.max(0, 1 - left / now.total));
        const progress = now.dial.querySelector(".progress");
        if (lastSecond === null || Math.abs(lastSecond - left) > 2) { now.dial.classList.remove("live"); }
        progress.setAttribute("stroke-dashoffset", String((1 - share) * circumference));
        progress.setAttribute("visibility", share > 0 ? "visible" : "hidden");
        if (lastSecond > 300 && left <= 300 && left > 290) { si.announce("5 minutes remaining"); }
        if (lastSecond > 60 && left <= 60 && left > 50) { si.announce("1 minute remaining"); }
        lastSecond = left;
        if (now.state === "running") { requestAnimationFrame(function () { shown().dial.classList.add("live"); }); }
    }

    /** A page that nobody sees hears of nothing, so it looks at the end by itself. A timer that is set once is not slowed
        down there, as one that sets itself again and again is. */
    function watchEnd(endsAt) {
        if (endsAt === watchedEnd) { return; }
        watchedEnd = endsAt;
        clearTimeout(endTimer);
        if (endsAt) { endTimer = setTimeout(refresh, Math.max(0, endsAt - si.now()) + 300); }
    }

    /** The end, told once on each page that saw the session. */
    function tellEnd() {
        const ended = document.querySelector("[data-ended][data-id]");
        if (!ended || !watched.has(ended.dataset.id) || told.has(ended.dataset.id)) { return; }
        told.add(ended.dataset.id);
        si.haptics.finish();
        if (si.sound.isOn()) { si.sound.play(); }
        si.notify("Focus over", ended.textContent.trim());
        si.announce("Focus over");
    }

    function announceMove(before, after) {
        if (before.state === after.state) { return; }
        if (after.state === "running") {
            si.unnotify();
            si.announce(before.state === "paused" ? "Resumed" : "Started");
        } else if (after.state === "paused") {
            si.announce("Paused");
        } else if (!document.querySelector("[data-ended][data-id]")) {
            si.announce("Stopped");
        }
    }

    /** Takes over what another answer of the server shows, without losing what somebody is typing or holding. */
    function show(page) {
        const fresh = page.querySelector("[data-timer]");
        if (!fresh) { return false; }
        const before = shown();
        const old = timer();
        const held = old.contains(document.activeElement) ? document.activeElement : null;
        const field = fresh.querySelector("#minutes");
        if (held && held.id === "minutes" && field && !field.hasAttribute("aria-invalid")) { field.value = held.value; }
        const details = old.querySelector("#own-length");
        if (details && details.open && fresh.querySelector("#own-length")) { fresh.querySelector("#own-length").open = true; }
        old.replaceWith(fresh);
        if (held) {
            const next = (held.id && document.getElementById(held.id)) || document.getElementById("move");
            const refused = fresh.querySelector("[aria-invalid]");
            (refused || next).focus();
        }
        put(document.querySelector("[data-today] small"), page.querySelector("[data-today] small").textContent);
        const shield = page.querySelector("#isOn");
        if (shield && document.getElementById("isOn")) { document.getElementById("isOn").checked = shield.checked; }
        const after = shown();
        if (after.session) { watched.add(after.session); }
        lastSecond = null;
        paint();
        announceMove(before, after);
        tellEnd();
        return true;
    }

    function problem(text) {
        const element = document.querySelector("[data-problem]");
        if (!element) { return; }
        put(element, text || "");
        element.hidden = !text;
    }

    function parse(html) { return new DOMParser().parseFromString(html, "text/html"); }

    /** Asks for the page again; a change while it is on its way makes it ask once more. */
    function refresh() {
        if (isLoading) {
            isStale = true;
            return;
        }
        isLoading = true;
        isStale = false;
        fetch(si.here(), { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok ? response.text() : null;
        }).then(function (html) {
            if (html) { show(parse(html)); }
        }, function () { /* The stream brings the next try. */ }).then(function () {
            isLoading = false;
            if (isStale) { refresh(); }
        });
    }

    function post(form) {
        const data = new FormData(form);
        const pressed = si.pressed(form);
        if (pressed && pressed.name) { data.append(pressed.name, pressed.value); }
        const buttons = Array.from(timer().querySelectorAll("button:not(:disabled)"));
        buttons.forEach(function (button) { button.classList.add("busy"); });
        problem(null);
        si.post(form.action, new URLSearchParams(data)).then(function (response) {
            if (response.redirected && new URL(response.url).pathname === "/login") {
                window.location.assign(response.url);
                return null;
            }
            return response.text();
        }).then(function (html) {
            if (html !== null && !show(parse(html))) { window.location.assign(si.here()); }
        }, function () {
            buttons.forEach(function (button) { button.classList.remove("busy"); });
            problem("Nothing was changed: the server cannot be reached.");
        });
    }

    document.addEventListener("submit", function (event) {
        const form = event.target;
        if (!timer().contains(form)) { return; }
        event.preventDefault();
        if (form.dataset.haptic) { si.haptics[form.dataset.haptic](); }
        if (si.sound.isOn()) { si.sound.prepare(); }
        if (new URL(form.action).pathname === "/focus/start") { si.askToNotify(paintNotification); }
        post(form);
    });

    /** Whether the server's state is another than the one on the page. */
    function isNews(focus) {
        const now = shown();
        const shield = document.getElementById("isOn");
        const isOtherShield = shield && shield !== document.activeElement && shield.checked !== focus.shields;
        if (isOtherShield || focus.state !== now.state || focus.totalSeconds !== now.total) { return true; }
        if (focus.endsAt) { return Math.floor(Date.parse(focus.endsAt) / 1000) * 1000 !== now.endsAt; }
        return focus.remainingSeconds !== now.remaining;
    }

    /* What belongs to this device: sound, notification, links of its own scheme. */
    const end = document.querySelector("[data-end]");
    const sound = document.querySelector("[data-sound]");
    const ask = document.querySelector("[data-notify]");
    const protocol = document.querySelector("[data-protocol]");

    function paintNotification() {
        const state = si.notificationState();
        ask.hidden = state !== "default";
        put(document.querySelector("[data-notify-text]"), {
            granted: "Comes while a page of the timer is open.",
            denied: "This browser was told not to. The page itself says it too.",
            default: "While a page of the timer is open.",
            unavailable: "Browsers allow it over HTTPS only. The page itself says it too."
        }[state]);
    }

    if (end) {
        end.hidden = false;
        sound.checked = si.sound.isOn();
        sound.addEventListener("change", function () { si.sound.setOn(sound.checked); });
        ask.addEventListener("click", function () { Notification.requestPermission().then(paintNotification); });
        paintNotification();
    }
    if (protocol && window.isSecureContext && typeof navigator.registerProtocolHandler === "function") {
        protocol.hidden = false;
        protocol.querySelector("button").addEventListener("click", function () {
            navigator.registerProtocolHandler("web+monofocus", window.location.origin + "/start?link=%s");
        });
    }
    document.querySelectorAll("[data-without-script]").forEach(function (button) { button.hidden = true; });

    if (shown().session) { watched.add(shown().session); }
    document.addEventListener("visibilitychange", paint);
    window.addEventListener("pageshow", paint);
    paint();

    si.listen({
        onState: function (state) { if (!state.focus || isNews(state.focus)) { refresh(); } },
        onTick: function (tick) {
            const now = shown();
            if (now.endsAt && tick.focusRemaining > 0) { si.heardClock(now.endsAt - tick.focusRemaining * 1000); }
        },
        watches: function () { return shown().session !== null; },
        adopt: show,
        onLost: function () { problem("Not connected. The timer itself goes on."); },
        onFound: function () { problem(null); }
    });

    /* A page that stays open into the evening becomes dark. */
    const root = document.documentElement;
    function darken() {
        if (si.now() >= Date.parse(root.dataset.darkFrom)) { root.setAttribute("data-dark", ""); }
    }
    document.addEventListener("visibilitychange", darken);
    setInterval(darken, 30000);
})();
