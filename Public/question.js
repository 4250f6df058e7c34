/* Escape answers a question with its way back, which changes nothing. */
(function () {
    "use strict";

    document.addEventListener("keydown", function (event) {
        const back = document.querySelector("[data-escape]");
        if (event.key === "Escape" && !event.defaultPrevented && back) { back.click(); }
    });
})();
