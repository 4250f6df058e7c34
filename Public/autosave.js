/* Forms that are saved on every change, by the same request that their button would send. */
(function () {
    "use strict";

    /** The form without what is still being typed. */
    function body(form) {
        const typed = Array.from(form.querySelectorAll("[data-no-autosave]"));
        typed.forEach(function (field) { field.disabled = true; });
        const data = new URLSearchParams(new FormData(form));
        typed.forEach(function (field) { field.disabled = false; });
        return data;
    }

    /** Why the server refused, as its page says it. */
    function reason(html) {
        const page = new DOMParser().parseFromString(html, "text/html");
        const said = page.querySelector("main .error, main .notice.refused, main.gate > p");
        return said ? said.textContent.trim() : "";
    }

    document.querySelectorAll("form[data-autosave]").forEach(function (form) {
        const hint = form.querySelector("[data-saved]");
        let isSaving = false;
        let isWaiting = false;
        let timer = null;

        function say(text, hasFailed) {
            hint.textContent = text;
            hint.classList.toggle("failed", Boolean(hasFailed));
        }

        function save() {
            clearTimeout(timer);
            timer = null;
            if (isSaving) {
                isWaiting = true;
                return;
            }
            isSaving = true;
            isWaiting = false;
            const sent = body(form);
            fetch(form.action, {
                method: "POST", body: sent, credentials: "same-origin", keepalive: true
            }).then(function (response) {
                if (response.redirected && new URL(response.url).pathname === "/login") {
                    window.location.assign(response.url);
                    return null;
                }
                /* What waits has to be seen, with the way to take it back. */
                if (response.ok && /[?&]done=waiting/.test(response.url)) {
                    window.location.assign(response.url);
                    return null;
                }
                if (response.ok) {
                    form.dispatchEvent(new CustomEvent("autosaved", { detail: sent }));
                    return say("Saved");
                }
                return response.text().then(function (html) { say("Not saved. " + reason(html), true); });
            }, function () {
                say("Not saved: the server cannot be reached.", true);
            }).then(function () {
                isSaving = false;
                if (isWaiting) { save(); }
            });
        }

        form.addEventListener("change", function (event) {
            if (event.target.hasAttribute("data-no-autosave") || event.target.type === "search") { return; }
            clearTimeout(timer);
            timer = setTimeout(save, 150);
        });
        /* Leaving within that moment must not lose the tick. */
        window.addEventListener("pagehide", function () { if (timer) { save(); } });
    });
})();
