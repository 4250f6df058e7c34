/* What WebKit does wrong when its window changes (2.38 to 2.50; Safari 16 to 26). */
(function () {
    "use strict";

    const root = document.documentElement;
    let width = root.clientWidth;

    /** In a font size it takes vw and vh from the window before its zoom. */
    function measure() {
        root.style.setProperty("--vw", root.clientWidth / 100 + "px");
        root.style.setProperty("--vh", root.clientHeight / 100 + "px");
    }

    /** When a screen is turned, grids keep sizes of the other orientation: for a moment there is none. */
    function layOut() {
        root.classList.add("turning");
        root.getBoundingClientRect();
        root.classList.remove("turning");
    }

    window.addEventListener("resize", function () {
        measure();
        if (root.clientWidth !== width) { layOut(); }
        width = root.clientWidth;
    });
    measure();
})();
