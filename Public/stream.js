/* One stream of the server's events for all pages of this browser that somebody sees. Over plain HTTP a browser has six
   connections to a host and a stream holds one, so a hidden page holds none, and of the visible ones the youngest leads: it
   passes on what it hears over a BroadcastChannel. Without such a channel each visible page has its own stream. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const names = ["open", "ping", "state", "tick"];
    /* In this time the first of those who stay has taken over. */
    const handover = 300;
    let source = null;
    let channel = null;
    let path = null;
    let rank = 0;
    let heardAt = 0;
    let onEvent = null;
    let onFailure = null;

    /** The server says the same to all pages of a person, but not without a log-in. */
    function key() {
        return path + ("signedIn" in document.body.dataset ? " signed in" : "");
    }

    function isOpen() { return source !== null && source.readyState === EventSource.OPEN; }

    function post(name, data) {
        if (channel) { channel.postMessage({ key: key(), rank: rank, name: name, data: data }); }
    }

    function close() {
        if (source) { source.close(); }
        source = null;
    }

    function hear(name, data) {
        heardAt = Date.now();
        onEvent(name, data);
    }

    function take(said) {
        if (said.key !== key()) { return; }
        if (said.name === "leave") {
            const leftAt = Date.now();
            setTimeout(function () {
                if (channel && !source && heardAt < leftAt) { open(); }
            }, Math.random() * handover);
            return;
        }
        if (said.rank > rank) { close(); }
        if (!isOpen()) { hear(said.name, said.data); }
    }

    function open() {
        if (!channel && window.BroadcastChannel) {
            channel = new BroadcastChannel("sleep-inducer");
            channel.onmessage = function (message) { take(message.data); };
        }
        close();
        rank = Date.now() + Math.random();
        const mine = source = new EventSource(path);
        names.forEach(function (name) {
            mine.addEventListener(name, function (event) {
                if (mine !== source) { return; }
                post(name, event.data);
                hear(name, event.data);
            });
        });
        mine.addEventListener("error", function () {
            if (mine === source) { onFailure(mine.readyState === EventSource.CLOSED); }
        });
    }

    si.stream = {
        /** Leads until a younger page does. `hears` gets each event's name and text; `fails`, whether the stream is over. */
        open: function (address, hears, fails) {
            path = address;
            onEvent = hears;
            onFailure = fails;
            open();
        },
        /** Holds nothing and hears nothing from now on; another page takes over. */
        leave: function () {
            if (source) { post("leave"); }
            close();
            if (channel) { channel.close(); }
            channel = null;
        }
    };
})();
