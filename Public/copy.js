/* "Copy" beside an address that has to be typed into a phone's settings. */
(function () {
    "use strict";

    /** Over HTTP browsers have no clipboard for pages, only this older way: copy what is selected. */
    function copySelected(text) {
        const field = document.createElement("textarea");
        field.value = text;
        field.readOnly = true;
        field.className = "visually-hidden";
        document.body.append(field);
        field.select();
        const isCopied = document.execCommand("copy");
        field.remove();
        return isCopied;
    }

    function say(button, isCopied) {
        const words = button.firstChild;
        words.textContent = isCopied ? "Copied" : "Not copied";
        button.setAttribute("aria-live", "polite");
        setTimeout(function () { words.textContent = "Copy"; }, 3000);
    }

    document.querySelectorAll("[data-copy]").forEach(function (button) {
        button.hidden = false;
        button.addEventListener("click", function () {
            const text = button.dataset.copy;
            if (!navigator.clipboard) {
                say(button, copySelected(text));
                button.focus();
                return;
            }
            navigator.clipboard.writeText(text).then(
                function () { say(button, true); }, function () { say(button, copySelected(text)); });
        });
    });
})();
