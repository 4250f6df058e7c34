/* What the server says: its stream while that flows, a question every few seconds while it does not. While the server is
   away the page says so. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const told = document.body.dataset;
    /* The server speaks at least every 2.25 seconds, and silence and one question make less than five. */
    const silence = 2500;
    const patience = 1500;
    const deadAfter = 15000;
    /* A hidden page that has to tell something asks so often. */
    const rarely = 60000;

    const listeners = [];
    let heardAt = Date.now();
    let openedAt = Date.now();
    let askedAt = 0;
    let failures = 0;
    let retry = null;
    let question = null;
    let known = null;
    let isLost = false;
    let next = null;
    let note = null;
    let line = document.querySelector("[data-lost]");

    /**
     * Listens for as long as the page lives: to `onState`, which is passed over where it says nothing new, and `onTick`.
     * `onLost` is called when the server cannot be reached, `onFound` when it can again, `onStranger` when somebody
     * else answers in its place. While `isDone` says so, nothing is asked. While nobody sees the page it hears of nothing,
     * unless it `watches`: then it asks once a minute. A page that can draw itself from a fresh one does so in `adopt`.
     */
    si.listen = function (handlers) {
        listeners.push(handlers);
        if (listeners.length === 1 && isVisible()) { open(); }
    };

    function isVisible() { return document.visibilityState === "visible"; }

    function says(name) {
        return listeners.some(function (handlers) { return handlers[name] && handlers[name](); });
    }

    /** Whether a part of the page has taken over what a fresh page says. */
    si.adopt = function (page) {
        return listeners.some(function (handlers) { return handlers.adopt && handlers.adopt(page); });
    };

    function tell(name, detail) {
        listeners.forEach(function (handlers) { if (handlers[name]) { handlers[name](detail); } });
    }

    /** `/events` or `/state`, on a blocked Host below its own corner. */
    function address(last) {
        const path = told.events.replace(/events$/, last);
        return told.person ? path + "?person=" + encodeURIComponent(told.person) : path;
    }

    /* The stream */

    function open() {
        clearTimeout(retry);
        retry = null;
        openedAt = Date.now();
        si.stream.open(address("events"), hear, function (isOver) {
            ask();
            if (isOver) { openLater(); }
        });
    }

    function openNow() {
        failures = 0;
        open();
    }

    /** After 1, 2, 4 … 30 seconds, a little apart from everybody else. */
    function openLater() {
        if (retry) { return; }
        const wait = Math.min(30000, 1000 * Math.pow(2, failures));
        failures += 1;
        retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
    }

    function hear(name, text) {
        heardAt = Date.now();
        failures = 0;
        found();
        if (name !== "state" && name !== "tick") { return; }
        let data;
        try {
            data = JSON.parse(text);
        } catch (error) {
            return;
        }
        if (name === "state") { take(data); } else { tell("onTick", data); }
    }

    function take(state) {
        si.heardClock(Date.parse(state.now));
        const news = JSON.stringify(Object.assign({}, state, { now: null, remaining: null }));
        if (news === known) { return; }
        known = news;
        const isElsewhere = state.zone && state.zone !== told.zone;
        if (isElsewhere || ("signedIn" in told && state.requests === null)) { si.redraw(); }
        document.dispatchEvent(new CustomEvent("sleep-state", { detail: state }));
        tell("onState", state);
    }

    /* The question */

    function ask() {
        if (question || listeners.length === 0 || says("isDone")) { return; }
        askedAt = Date.now();
        const mine = question = new AbortController();
        const limit = setTimeout(function () { mine.abort(); }, patience);
        fetch(address("state"), {
            cache: "no-store", credentials: "same-origin", redirect: "manual", signal: mine.signal
        }).then(function (response) {
            /* A gateway that cannot reach the server. */
            if (response.status === 502 || response.status === 504) { throw new Error("gateway"); }
            if (response.status === 401 && "signedIn" in told) { si.redraw(); }
            return response.ok ? response.json().catch(function () { return null; }) : null;
        }).then(function (state) {
            clearTimeout(limit);
            question = null;
            found();
            if (state && state.now) { take(state); } else { tell("onStranger"); }
        }, function () {
            clearTimeout(limit);
            question = null;
            lost();
        });
    }

    function check() {
        const now = Date.now();
        if (!isVisible()) {
            if (now - askedAt > rarely && says("watches")) { ask(); }
            return;
        }
        if (listeners.length === 0) { return; }
        if (now - Math.max(heardAt, askedAt) > (isLost ? 1000 : silence)) { ask(); }
        if (now - Math.max(heardAt, openedAt) > deadAfter) { openLater(); }
    }

    /** Nobody sees this page: it holds no connection, and afterwards everything is news. */
    si.rest = function () {
        clearTimeout(retry);
        retry = null;
        known = null;
        si.stream.leave();
    };

    /** After sleep, or seen again, what is on the page may be hours old. */
    si.wake = function () {
        check();
        if (listeners.length === 0 || !isVisible()) { return; }
        openNow();
        if (Date.now() - heardAt > silence) { ask(); }
    };

    setInterval(check, 500);
    document.addEventListener("visibilitychange", function () { if (isVisible()) { si.wake(); } else { si.rest(); } });
    window.addEventListener("online", si.wake);

    window.addEventListener("pagehide", si.rest);

    /* The server is away */

    function lost() {
        const isNews = !isLost;
        isLost = true;
        paint();
        if (isNews) { tell("onLost"); }
    }

    function found() {
        if (!isLost) { return; }
        const go = next;
        isLost = false;
        next = null;
        document.dispatchEvent(new CustomEvent("server-found"));
        paint();
        tell("onFound");
        if (Date.now() - heardAt > silence && isVisible()) { openNow(); }
        if (go) { si.swapTo(go); }
    }

    function paint() {
        if (!line) {
            line = document.createElement("p");
            line.className = "lost";
            line.setAttribute("role", "status");
            document.body.appendChild(line);
        }
        /* The bedside display hides its countdown while it is alone. */
        const counts = document.querySelector("body:not(.kiosk) .ring.live");
        const rest = note || (counts ? "The countdown goes on to the last known end." : "");
        const text = isLost ? "Not connected" + (rest ? ". " + rest : "") : note || "";
        if (line.textContent !== text) { line.textContent = text; }
        line.hidden = !text;
    }

    si.isLost = function () { return isLost; };
    si.isDone = function () { return says("isDone"); };

    /** What became of a press, for the line that says whether the server is there; null if there is nothing to say. */
    si.say = function (text) {
        note = text;
        paint();
    };

    /** Goes to another page without leaving this one in the history, unless a form is on its way to one. */
    si.swapTo = function (path) {
        if (si.isLeaving()) { return; }
        if (isLost) { next = path; } else { window.location.replace(path); }
    };

    /** The page's own path with its query, so that the person stays chosen, but not what was just done. */
    si.here = function () {
        const query = new URLSearchParams(window.location.search);
        query.delete("done");
        const text = query.toString();
        return window.location.pathname + (text ? "?" + text : "");
    };

    /** A page that was fetched. It takes this page's form token, which every answer masks anew, so that what says the same
        is the same. */
    si.parse = function (html) {
        const page = new DOMParser().parseFromString(html, "text/html");
        const mine = document.querySelector("input[name=csrf]");
        if (mine) {
            page.querySelectorAll("input[name=csrf]").forEach(function (field) {
                field.setAttribute("value", mine.getAttribute("value"));
            });
        }
        return page;
    };
})();
