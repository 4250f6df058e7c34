/* Nothing is left to do here: the page closes where a browser lets it, and otherwise says that it can be closed. */
(function () {
    "use strict";

    /* Browsers let a page close that another one opened, or that is alone in its history; others only complain. */
    if (window.opener || window.history.length === 1) { window.close(); }
})();
