/* Ticks that are a draft until the form's button saves them. A search draws the rows anew: the draft outlasts
   it, and goes along with the form also where its rows are not shown. */
(function () {
    "use strict";

    const form = document.querySelector("form[data-draft]");
    const note = form.querySelector("[data-draft-note]");
    const written = note.textContent;
    const draft = new Map();
    let isSent = false;

    function boxes() { return Array.from(form.querySelectorAll("input[type=checkbox]")); }

    function key(box) { return box.name + "=" + box.value; }

    function say() {
        note.textContent = draft.size === 0 ? written
            : draft.size === 1 ? "1 change is not saved yet." : draft.size + " changes are not saved yet.";
    }

    form.addEventListener("change", function (event) {
        const box = event.target;
        if (box.type !== "checkbox") { return; }
        if (box.checked === box.defaultChecked) { draft.delete(key(box)); } else { draft.set(key(box), box.checked); }
        say();
    });

    new MutationObserver(function () {
        boxes().forEach(function (box) { if (draft.has(key(box))) { box.checked = draft.get(key(box)); } });
    }).observe(form.querySelector("[data-shelves]"), { childList: true, subtree: true });

    /** For the server, what the page showed as ticked (ShownFields.swift) and what is ticked now, shown or not. */
    form.addEventListener("submit", function () {
        const shown = new Set(boxes().map(key));
        const was = boxes().filter(function (box) { return box.defaultChecked; }).map(key);
        draft.forEach(function (isTicked, name) {
            if (shown.has(name)) { return; }
            if (!isTicked) {
                was.push(name);
                return;
            }
            const field = document.createElement("input");
            field.type = "hidden";
            field.name = name.split("=")[0];
            field.value = name.slice(name.indexOf("=") + 1);
            form.appendChild(field);
        });
        const field = form.querySelector("input[name=shown]");
        field.value = field.value.split(" ")[0] + " " + was.map(function (name) {
            const end = name.indexOf("=");
            return name.slice(0, end) + "=" + encodeURIComponent(name.slice(end + 1));
        }).join("&");
        isSent = true;
    });

    /** Also for the way through another form of the page. */
    window.addEventListener("beforeunload", function (event) {
        if (draft.size > 0 && !isSent) { event.preventDefault(); }
    });
})();
