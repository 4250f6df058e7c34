/* Goes on to the result as soon as every one-time name was loaded or refused, and DNS has said who asked for it. */
(function () {
    "use strict";

    const main = document.querySelector("main[data-next]");
    if (!main) { return; }
    const probes = Array.from(document.querySelectorAll("img[data-probe]"));
    /** What was asked is collected once a second; on a busy machine, a second late. */
    const collected = 2500;
    const patience = 9000;
    let isDone = false;

    function finish() {
        if (isDone) { return; }
        isDone = true;
        setTimeout(function () { window.location.replace(main.dataset.next); }, collected);
    }

    let open = 0;
    probes.forEach(function (probe) {
        if (probe.complete) { return; }
        open += 1;
        function settled() {
            open -= 1;
            if (open === 0) { finish(); }
        }
        probe.addEventListener("load", settled);
        probe.addEventListener("error", settled);
    });
    if (open === 0) { finish(); }
    setTimeout(finish, patience);
})();
