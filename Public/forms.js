/* Pages stand where they stood, and a login that has to wait counts down. */
(function () {
    "use strict";

    /* A page that a form of its own leads back to stands where it stood, if its address names a row. */
    const placeKey = "place";

    function remember() {
        try {
            window.sessionStorage.setItem(placeKey, JSON.stringify([window.location.pathname, window.scrollY]));
        } catch (error) { /* Then the row is at the top. */ }
    }

    function comeBack() {
        let place = null;
        try {
            place = JSON.parse(window.sessionStorage.getItem(placeKey));
            window.sessionStorage.removeItem(placeKey);
        } catch (error) { return; }
        const row = named && document.getElementById(named);
        if (!place || !row || place[0] !== window.location.pathname) { return; }
        window.scrollTo({ top: place[1], behavior: "instant" });
        row.focus({ preventScroll: true });
        row.scrollIntoView({ block: "nearest", behavior: "instant" });
    }

    /* The browser goes to the row itself until everything is loaded. */
    const named = window.location.hash.slice(1);
    if (document.readyState === "complete") {
        comeBack();
    } else {
        window.addEventListener("load", function () { setTimeout(comeBack, 0); });
    }

    document.addEventListener("submit", function (event) {
        setTimeout(function () { if (!event.defaultPrevented) { remember(); } }, 0);
    });

    document.querySelectorAll("[data-wait]").forEach(function (button) {
        const label = button.querySelector("span");
        const text = label.textContent;
        const end = Date.now() + Number(button.dataset.wait) * 1000;
        const timer = setInterval(show, 250);
        function show() {
            const left = Math.ceil((end - Date.now()) / 1000);
            button.disabled = left > 0;
            label.textContent = left > 0 ? text + " in " + left + "s" : text;
            if (left <= 0) { clearInterval(timer); }
        }
        show();
    });

    /* What was just done is said once, not again at every reload. */
    const query = new URLSearchParams(window.location.search);
    if (query.has("done")) {
        query.delete("done");
        const rest = query.toString();
        window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : "") + window.location.hash);
    }

    /* A file that is too large is not sent. */
    const file = document.querySelector("[data-import] input[type=file]");
    if (file) {
        file.addEventListener("change", function () {
            const isLarge = Array.from(file.files).some(function (chosen) { return chosen.size > Number(file.dataset.maximum); });
            file.setCustomValidity(isLarge ? file.dataset.tooLarge : "");
            if (isLarge) { file.reportValidity(); }
        });
    }

    /* What was refused is where the reader has to go. */
    const refused = document.querySelector("[aria-invalid], fieldset[aria-describedby]");
    if (refused) {
        const field = refused.matches("fieldset") ? refused.querySelector("input") : refused;
        if (field) { field.focus(); }
    }
})();
