/* Forms that are saved on every change, by the same request that their button would send. A box's `defaultChecked` is
   what the server has: a refused save goes back to it, and the form sends it along as what it showed. */
(function () {
    "use strict";

    const si = window.sleepInducer;

    /** Boxes and radio buttons: these forms are saved on every change of one of them. */
    function boxes(form) { return Array.from(form.querySelectorAll("input[type=checkbox], input[type=radio]")); }

    function shownField(form) { return form.querySelector("input[name=shown]"); }

    /** What the form showed as ticked, for the server to tell what was changed here (ShownFields.swift). */
    function rememberShown(form) {
        const field = shownField(form);
        if (!field) { return; }
        const ticked = new URLSearchParams(boxes(form).filter(function (box) {
            return box.defaultChecked;
        }).map(function (box) { return [box.name, box.value]; }));
        field.value = field.value.split(" ")[0] + " " + ticked;
    }

    /** Somebody else changed the same: the form shows what the server has now, as the answer says. */
    function takeTheirs(form, html) {
        const page = new DOMParser().parseFromString(html, "text/html");
        const theirs = Array.from(page.forms).filter(function (other) {
            return other.getAttribute("action") === form.getAttribute("action") && shownField(other);
        })[0];
        if (!theirs) { return; }
        const ticked = new URLSearchParams(shownField(theirs).value.split(" ")[1]);
        boxes(form).forEach(function (box) {
            box.defaultChecked = ticked.getAll(box.name).indexOf(box.value) >= 0;
        });
    }

    /** The form without what is still being typed. */
    function body(form) {
        const typed = Array.from(form.querySelectorAll("[data-no-autosave]"));
        typed.forEach(function (field) { field.disabled = true; });
        rememberShown(form);
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
        let last = null;

        function say(text, hasFailed) {
            hint.textContent = text;
            hint.classList.toggle("failed", Boolean(hasFailed));
        }

        /** Says why beside the row, and takes the ticks back. */
        function refuse(text) {
            isWaiting = false;
            boxes(form).forEach(function (box) { box.checked = box.defaultChecked; });
            say("Not saved.", true);
            const row = last && last.isConnected ? last.closest(".row, .switch-row") : null;
            if (!row) { return say("Not saved. " + text, true); }
            const note = document.createElement("p");
            note.className = "error row-error";
            note.setAttribute("role", "alert");
            note.textContent = text;
            row.appendChild(note);
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
            form.querySelectorAll(".row-error").forEach(function (note) { note.remove(); });
            const sent = body(form);
            const shown = boxes(form).map(function (box) { return [box, box.checked]; });
            si.post(form.action, sent).then(function (response) {
                if (response.redirected && new URL(response.url).pathname === "/login") {
                    window.location.assign(response.url);
                    return null;
                }
                /* What waits has to be seen, with the way to take it back. */
                if (response.ok && /[?&]done=waiting/.test(response.url)) {
                    window.location.assign(response.url);
                    return null;
                }
                return response.text().then(function (html) {
                    if (response.status === 409) { takeTheirs(form, html); }
                    if (!response.ok) { return refuse(reason(html)); }
                    shown.forEach(function (pair) { pair[0].defaultChecked = pair[1]; });
                    say("Saved");
                    /* Ticks that came meanwhile are saved next, and then shown as the server has them. */
                    if (isWaiting || timer) { return null; }
                    form.dispatchEvent(new CustomEvent("autosaved", { detail: html }));
                    return null;
                });
            }).catch(function () {
                refuse("The server cannot be reached.");
            }).then(function () {
                isSaving = false;
                if (isWaiting) { save(); }
            });
        }

        form.addEventListener("change", function (event) {
            if (event.target.hasAttribute("data-no-autosave") || event.target.type === "search") { return; }
            last = event.target;
            clearTimeout(timer);
            timer = setTimeout(save, 150);
        });
        form.addEventListener("submit", function () { rememberShown(form); });
        /* Leaving within that moment must not lose the tick. */
        window.addEventListener("pagehide", function () { if (timer) { save(); } });
    });
})();
