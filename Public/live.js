/* What the server says: its stream while that flows, a question every few seconds while it does not. While the server is
   away the page says so, and what somebody presses waits for it. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    /* The server speaks at least every 2.25 seconds, and silence and one question make less than five. */
    const silence = 2500;
    const patience = 1500;
    const deadAfter = 15000;
    /* A press is meant for now: what was pressed before breakfast must not start a night. */
    const longestWait = 120000;
    const longestWay = 10000;

    const listeners = [];
    let source = null;
    let heardAt = Date.now();
    let openedAt = Date.now();
    let askedAt = 0;
    let failures = 0;
    let retry = null;
    let question = null;
    let known = null;
    let isLost = false;
    let waiting = null;
    let line = document.querySelector("[data-lost]");
    let button = null;
    let leftAt = -Infinity;

    /**
     * Listens for as long as the page lives: to `onState`, which is passed over where it says nothing new, and `onTick`.
     * `onLost` is called when the server cannot be reached, `onFound` when it can again, `onStranger` when somebody
     * else answers in its place. While `isDone` says so, nothing is asked.
     */
    si.listen = function (handlers) {
        listeners.push(handlers);
        if (listeners.length > 1) { return; }
        setInterval(check, 500);
        open();
    };

    function tell(name, detail) {
        listeners.forEach(function (handlers) { if (handlers[name]) { handlers[name](detail); } });
    }

    /** `/events` or `/state`, on a blocked Host below its own corner. */
    function address(last) {
        const path = document.body.dataset.events.replace(/events$/, last);
        const person = document.body.dataset.person;
        return person ? path + "?person=" + encodeURIComponent(person) : path;
    }

    /* The stream */

    function open() {
        clearTimeout(retry);
        retry = null;
        if (source) { source.close(); }
        openedAt = Date.now();
        source = new EventSource(address("events"));
        source.addEventListener("open", heard);
        source.addEventListener("ping", heard);
        source.addEventListener("state", receive(take));
        source.addEventListener("tick", receive(function (tick) { tell("onTick", tick); }));
        source.addEventListener("error", function () {
            ask();
            if (source.readyState === EventSource.CLOSED) { openLater(); }
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

    function heard() {
        heardAt = Date.now();
        failures = 0;
        found();
    }

    function receive(handler) {
        return function (event) {
            heard();
            let data;
            try {
                data = JSON.parse(event.data);
            } catch (error) {
                return;
            }
            handler(data);
        };
    }

    function take(state) {
        si.heardClock(Date.parse(state.now));
        const news = JSON.stringify(Object.assign({}, state, { now: null, remaining: null }));
        if (news === known) { return; }
        known = news;
        document.dispatchEvent(new CustomEvent("sleep-state", { detail: state }));
        tell("onState", state);
    }

    /* The question */

    function ask() {
        if (question || listeners.some(function (handlers) { return handlers.isDone && handlers.isDone(); })) { return; }
        askedAt = Date.now();
        const mine = question = new AbortController();
        const limit = setTimeout(function () { mine.abort(); }, patience);
        fetch(address("state"), {
            cache: "no-store", credentials: "same-origin", redirect: "manual", signal: mine.signal
        }).then(function (response) {
            /* A gateway that cannot reach the server. */
            if (response.status === 502 || response.status === 504) { throw new Error("gateway"); }
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
        const isDue = now - Math.max(heardAt, askedAt) > (isLost ? 1000 : silence);
        if (isDue && document.visibilityState === "visible") { ask(); }
        if (now - Math.max(heardAt, openedAt) > deadAfter) { openLater(); }
    }

    /** After sleep or a way back through history, what is on the page may be hours old. */
    function wake() {
        if (document.visibilityState === "visible" && Date.now() - heardAt > silence) {
            openNow();
            ask();
        }
    }

    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    window.addEventListener("pageshow", function (event) {
        leftAt = -Infinity;
        if (event.persisted) { openNow(); }
    });
    window.addEventListener("pagehide", function () { if (source) { source.close(); } });

    /* The server is away */

    function lost() {
        const isNews = !isLost;
        isLost = true;
        if (waiting && Date.now() - waiting.at > longestWait) { waiting = null; }
        paint();
        if (isNews) { tell("onLost"); }
    }

    function found() {
        if (!isLost) { return; }
        const next = waiting;
        isLost = false;
        waiting = null;
        paint();
        tell("onFound");
        if (Date.now() - heardAt > silence) { openNow(); }
        if (next && Date.now() - next.at <= longestWait) { next.go(); }
    }

    function paint() {
        if (!line) {
            line = document.createElement("p");
            line.className = "lost";
            line.setAttribute("role", "status");
            document.body.appendChild(line);
        }
        /* The bedside display hides its countdown while it is alone. */
        const rest = waiting && waiting.isPress ? ". Your press waits."
            : document.querySelector("body:not(.kiosk) .ring.live") ? ". The countdown goes on to the last known end." : "";
        const text = "Not connected" + rest;
        if (line.textContent !== text) { line.textContent = text; }
        line.hidden = !isLost;
    }

    /** Now, or when the server is back. What somebody pressed comes before what the page wants by itself. */
    function whenConnected(go, isPress) {
        if (!isLost) {
            go();
        } else if (isPress || !waiting || !waiting.isPress) {
            waiting = { go: go, isPress: isPress, at: Date.now() };
            paint();
        }
    }

    /** Goes to another page without leaving this one in the history, unless a form is on its way to one. */
    si.swapTo = function (path) {
        if (Date.now() - leftAt < longestWay) { return; }
        whenConnected(function () { window.location.replace(path); }, false);
    };

    document.addEventListener("click", function (event) {
        const target = event.target.closest && event.target.closest("button, input[type=submit]");
        button = target && target.form ? target : null;
    }, true);

    /** The button that sends a form: before 15.4, Safari's event does not say. */
    si.pressed = function (form) { return button && button.form === form ? button : null; };

    document.addEventListener("submit", function (event) {
        const form = event.target;
        if (event.defaultPrevented || form.method === "dialog") { return; }
        if (!isLost) {
            /* A script that sends it by itself has said so by then. */
            setTimeout(function () { if (!event.defaultPrevented) { leftAt = Date.now(); } }, 0);
            return;
        }
        const pressed = si.pressed(form);
        event.preventDefault();
        whenConnected(function () {
            if (pressed && document.contains(pressed)) { pressed.click(); } else { form.submit(); }
        }, true);
    });

    document.addEventListener("click", function (event) {
        const link = event.target.closest && event.target.closest("a[href]");
        const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
        if (!isLost || !link || !isPlain || event.defaultPrevented) { return; }
        if (!/^https?:$/.test(link.protocol) || link.getAttribute("href").charAt(0) === "#") { return; }
        event.preventDefault();
        whenConnected(function () { window.location.assign(link.href); }, true);
    });

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
