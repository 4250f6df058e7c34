/* A press is meant for now. While the server is away it waits; what was not sent or not answered within ten seconds is not
   sent any more, and the page says so: what was pressed before breakfast must not start a night. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const patience = 10000;
    const again = " Press again if you still want it.";
    let button = null;
    let waiting = null;
    let limit = null;
    let leftAt = -Infinity;

    /** Whether a form is on its way to another page. */
    si.isLeaving = function () { return Date.now() - leftAt < patience; };

    /** Sends a form from a script, with the same patience. */
    si.post = function (address, body) {
        const sending = new AbortController();
        const timer = setTimeout(function () { sending.abort(); }, patience);
        function over() { clearTimeout(timer); }
        const answer = fetch(address, {
            method: "POST", body: body, credentials: "same-origin", keepalive: true, signal: sending.signal
        });
        answer.then(over, over);
        return answer;
    };

    function release() {
        document.querySelectorAll("button.busy").forEach(function (pressed) {
            pressed.classList.remove("busy");
            pressed.disabled = false;
        });
    }

    function stay(text) {
        clearTimeout(limit);
        waiting = null;
        leftAt = -Infinity;
        release();
        si.wake();
        si.say(text);
    }

    function hold(go) {
        clearTimeout(limit);
        waiting = go;
        si.say("Your press waits.");
        limit = setTimeout(function () { stay("Your press was not sent." + again); }, patience);
    }

    document.addEventListener("server-found", function () {
        const go = waiting;
        if (!go) { return; }
        stay(null);
        go();
    });

    function leave(form) {
        leftAt = Date.now();
        /* The press goes first: where all connections are taken, it gets this page's own. */
        si.rest();
        si.say(null);
        form.querySelectorAll("button").forEach(function (one) {
            one.classList.add("busy");
            one.disabled = true;
        });
        clearTimeout(limit);
        /* A file takes as long as it takes, and a passcode's check waits its turn. */
        if (form.enctype === "multipart/form-data" || form.querySelector("input[type=password]")) { return; }
        limit = setTimeout(function () {
            window.stop();
            stay("No answer came. Your press is not sent any more." + again);
        }, patience);
    }

    document.addEventListener("click", function (event) {
        const target = event.target.closest && event.target.closest("button, input[type=submit]");
        button = target && target.form ? target : null;
    }, true);

    /** The button that sends a form: before 15.4, Safari's event does not say. */
    si.pressed = function (form) { return button && button.form === form ? button : null; };

    document.addEventListener("submit", function (event) {
        const form = event.target;
        if (event.defaultPrevented || form.method === "dialog") { return; }
        if (!si.isLost()) {
            /* A script that sends it by itself has said so by then, and a disabled button would not send its value. */
            setTimeout(function () { if (!event.defaultPrevented) { leave(form); } }, 0);
            return;
        }
        const pressed = si.pressed(form);
        event.preventDefault();
        hold(function () {
            if (pressed && document.contains(pressed)) { pressed.click(); } else { form.submit(); }
        });
    });

    document.addEventListener("click", function (event) {
        const link = event.target.closest && event.target.closest("a[href]");
        const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
        if (!si.isLost() || !link || !isPlain || event.defaultPrevented) { return; }
        if (!/^https?:$/.test(link.protocol) || link.getAttribute("href").charAt(0) === "#") { return; }
        event.preventDefault();
        hold(function () { window.location.assign(link.href); });
    });
})();
