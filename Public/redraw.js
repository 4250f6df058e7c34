/* A page whose words are old is drawn again from the server: another day has begun in the household, its zone has changed, or
   the log-in has ended. What was typed is kept (kept.js). */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const told = document.body.dataset;
    /* What a page says about itself; where a fresh one says something else, its words are old. */
    const marks = ["tomorrow", "zone", "signedIn"];
    const untouched = 3000;
    const between = 10000;
    let isStale = false;
    let touchedAt = 0;
    let drawAt = 0;

    ["pointerdown", "keydown", "input"].forEach(function (kind) {
        window.addEventListener(kind, function () { touchedAt = Date.now(); }, true);
    });

    /** As soon as nobody has a hand on the page and the server answers. What answered a form cannot be asked for again. */
    si.redraw = function () { isStale = "tomorrow" in told; };

    /** Whether something is on the page that another cannot keep: a passcode, a file, or a draft that asks before it goes. */
    function isHeld() {
        return Array.from(document.querySelectorAll("input[type=password], input[type=file]")).some(function (field) {
            return field.value !== "";
        }) || Array.from(document.querySelectorAll("form[data-draft] input[type=checkbox]")).some(function (box) {
            return box.checked !== box.defaultChecked;
        });
    }

    function draw() {
        const now = Date.now();
        if (now < drawAt || now - touchedAt < untouched || si.isLeaving() || si.isDone() || isHeld()) { return; }
        drawAt = now + between;
        fetch(window.location.href, { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.status < 500 ? response.text() : null;
        }).then(function (html) {
            const page = html === null ? null : new DOMParser().parseFromString(html, "text/html");
            /* A blocked name that is open again is opened by somebody's hand. */
            if (page && "events" in page.body.dataset) { take(page); }
        }, function () { /* The next time. */ });
    }

    function take(page) {
        const fresh = page.body.dataset;
        const isSame = marks.every(function (name) { return fresh[name] === told[name]; });
        isStale = false;
        if (isSame) { return; }
        if (fresh.zone === told.zone && fresh.signedIn === told.signedIn && si.adopt(page)) {
            told.tomorrow = fresh.tomorrow;
            return;
        }
        if (si.keepInput) { si.keepInput(); }
        window.location.reload();
    }

    setInterval(function () {
        if (si.now() >= Date.parse(told.tomorrow)) { si.redraw(); }
        if (isStale) { draw(); }
    }, 1000);

    /* Browsers may keep a page that was left as it was, also past a log-out. It shows nothing until it is asked for again. */
    window.addEventListener("pagehide", function (event) {
        if (event.persisted) { document.documentElement.style.visibility = "hidden"; }
    });
    window.addEventListener("pageshow", function (event) {
        if (!event.persisted) { return; }
        /* What answered a form has no address of its own. */
        if ("tomorrow" in told) { window.location.reload(); } else { window.location.replace(told.home || "/"); }
    });
})();
