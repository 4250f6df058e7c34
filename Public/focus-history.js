/* The history of focus: what was just done is said once, and a file that is too large is not sent. */
(function () {
    "use strict";

    const query = new URLSearchParams(window.location.search);
    const once = ["removed", "added", "known"].filter(function (name) { return query.has(name); });
    once.forEach(function (name) { query.delete(name); });
    if (once.length > 0) {
        const rest = query.toString();
        window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : ""));
    }

    const file = document.querySelector("[data-import] input[type=file]");
    if (file) {
        file.addEventListener("change", function () {
            const isLarge = Array.from(file.files).some(function (chosen) { return chosen.size > Number(file.dataset.maximum); });
            file.setCustomValidity(isLarge ? file.dataset.tooLarge : "");
            if (isLarge) { file.reportValidity(); }
        });
    }
})();
