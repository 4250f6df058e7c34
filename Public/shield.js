/* The shield lets go: by itself while somebody looks, by a button later. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const main = document.querySelector("[data-shield]");
    const isPreview = main.hasAttribute("data-preview");
    const lookedFor = 120000;
    let lookedAt = Date.now();
    let wasVisible = document.visibilityState === "visible";
    let wasBlocked = false;
    /** Whether the block was heard of since somebody looks: what ended before is opened by hand. */
    let wasSeen = false;
    let said = null;
    let isOpen = false;

    /** Without a fragment, because one would keep the browser from asking the server again. */
    function openPage() {
        window.location.replace(window.location.href.split("#")[0]);
    }

    function letGo() {
        if (isOpen || isPreview) { return; }
        isOpen = true;
        /* Without a block that was seen to end, a page that comes back as a shield would reload for ever. */
        const isLookedAt = wasSeen && document.visibilityState === "visible" && Date.now() - lookedAt <= lookedFor;
        if (isLookedAt) {
            openPage();
            return;
        }
        greet();
        const offer = document.querySelector("[data-open]");
        if (offer) {
            offer.hidden = false;
            if (!main.classList.contains("woken")) { si.announce("This is open again."); }
        } else {
            /* The look of windows has no button to offer: the next look at the page opens it. */
            document.addEventListener("visibilitychange", openPage);
            window.addEventListener("pointerdown", openPage);
            window.addEventListener("keydown", openPage);
        }
    }

    /** The night ran to its end while this page was open: it shows the morning, which the server wrote beforehand. */
    function greet() {
        const morning = document.querySelector("[data-morning]");
        const ring = document.querySelector("[data-ring]");
        if (!morning || !ring || si.now() < Date.parse(ring.dataset.endsAt) - 2000) { return; }
        morning.hidden = false;
        main.classList.add("woken");
        document.title = "Good morning";
        si.announce(morning.textContent.trim());
    }

    /** The answer to a question, which the server wrote beforehand; false if there is none to show. */
    function answer(state) {
        const block = document.querySelector("[data-answer=" + state.request + "]");
        /* What another rule blocks now is said by the server. */
        if (!block || isOpen || (state.request === "granted") !== (state.blocked === false)) { return false; }
        document.querySelectorAll("[data-waiting]").forEach(function (line) { line.hidden = true; });
        block.hidden = false;
        block.removeAttribute("data-answer");
        const words = block.querySelectorAll("h1, .back-at");
        si.announce(words.length > 0 ? words[0].textContent + ": " + words[1].textContent : block.textContent);
        if (state.request === "granted") {
            isOpen = true;
            main.classList.add("answered");
            document.title = block.querySelector("h1").textContent;
        }
        return true;
    }

    /** What of the state the page shows in words that only the server writes. */
    function words(state) {
        return JSON.stringify([state.until, state.awakeUntil, state.layer, state.request, state.unlock]);
    }

    document.addEventListener("visibilitychange", function () {
        const isVisible = document.visibilityState === "visible";
        if (isVisible && !wasVisible) { lookedAt = Date.now(); }
        if (!isVisible) { wasSeen = false; }
        wasVisible = isVisible;
    });
    ["pointerdown", "keydown", "scroll"].forEach(function (kind) {
        window.addEventListener(kind, function () { lookedAt = Date.now(); }, { passive: true });
    });
    document.addEventListener("click", function (event) {
        if (event.target.closest && event.target.closest("[data-open] a")) {
            event.preventDefault();
            openPage();
        }
    });

    /* "I'll do it" leaves: the farewell takes the place of this page, so that it may close a tab that holds no other. */
    const leave = document.querySelector("form[action$=\"/done\"]");
    if (leave) {
        leave.addEventListener("submit", function (event) {
            const fields = new URLSearchParams(new FormData(leave));
            event.preventDefault();
            fetch(leave.action, { method: "POST", body: fields }).then(function (answer) {
                if (!answer.ok) { throw new Error("refused"); }
                window.location.replace(answer.url);
            }).catch(function () { leave.submit(); });
        });
    }

    si.listen({
        onState: function (state) {
            if (answer(state)) {
                said = words(state);
                return;
            }
            if (state.blocked === false) {
                letGo();
                return;
            }
            const hasMoved = wasBlocked && words(state) !== said;
            wasBlocked = wasSeen = true;
            said = words(state);
            if (!isPreview && (isOpen || hasMoved)) { openPage(); }
        },
        /* Where the name belongs, somebody answers who knows nothing of shields. */
        onStranger: function () { if (wasBlocked) { letGo(); } },
        isDone: function () { return isOpen; },
        onTick: function (tick) { if (si.heardRemaining && !isPreview) { si.heardRemaining(tick.remaining); } }
    });
})();
