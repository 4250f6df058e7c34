/* The picker: the server finds, sorts and counts; this fetches what a touch or a search asks for, and offers Undo. */
(function () {
    "use strict";

    const picker = document.querySelector("[data-picker]");
    const form = picker.closest("form");
    const finder = document.getElementById("picker-find");
    const search = picker.querySelector("[data-picker-search]");
    const shelves = picker.querySelector("[data-shelves]");
    const said = picker.querySelector("[data-saved]");
    let openNow = openShelves();
    let asked = 0;
    let typing = null;
    let shownFor = search.value;
    let fading = null;

    function openShelves() {
        return Array.from(picker.querySelectorAll("[data-shelf][open]")).map(function (shelf) {
            return shelf.dataset.shelf;
        }).join(",");
    }

    function write(selector, value) {
        const field = form && form.querySelector(selector);
        if (field) { field.value = value; }
    }

    /** The picker as the server shows it with these categories open, and with what is searched. */
    function load(open) {
        const query = new URLSearchParams(new FormData(finder));
        query.set("open", open);
        return fetch(finder.action + "?" + query, { credentials: "same-origin" }).then(function (response) {
            return response.ok ? response.text() : "";
        }).then(function (html) {
            return new DOMParser().parseFromString(html, "text/html").querySelector("[data-picker]");
        }).catch(function () { return null; });
    }

    /** Searches, or goes back to the categories. */
    function find() {
        asked += 1;
        const mine = asked;
        shownFor = search.value;
        load(openNow).then(function (page) {
            if (mine !== asked) { return; }
            if (!page) {
                said.textContent = "The server cannot be reached.";
                return;
            }
            const held = shelves.contains(document.activeElement) ? document.activeElement.id : "";
            shelves.innerHTML = page.querySelector("[data-shelves]").innerHTML;
            if (held && document.getElementById(held)) { document.getElementById(held).focus(); }
            write("[data-find]", search.value);
            const found = shelves.querySelector("[data-found]");
            said.textContent = found ? found.dataset.found : "";
        });
    }

    /* Opening a category brings its apps. */
    shelves.addEventListener("toggle", function (event) {
        const shelf = event.target;
        if (!shelf.dataset.shelf || !shelf.isConnected) { return; }
        openNow = openShelves();
        write("[data-open]", openNow);
        const empty = shelf.querySelector("[data-load]");
        if (!shelf.open || !empty) { return; }
        load(shelf.dataset.shelf).then(function (page) {
            const inside = page && page.querySelector("[data-shelf=" + shelf.dataset.shelf + "] [data-inside]");
            if (inside && empty.isConnected) { empty.replaceWith(inside); }
        });
    }, true);

    search.addEventListener("input", function () {
        clearTimeout(typing);
        typing = setTimeout(find, 150);
    });
    finder.addEventListener("submit", function (event) {
        event.preventDefault();
        clearTimeout(typing);
        /* What is shown already stays, and with it the place of the keyboard. */
        if (search.value !== shownFor) { find(); }
    });
    shelves.addEventListener("click", function (event) {
        if (!event.target.closest("[data-all]")) { return; }
        event.preventDefault();
        search.value = "";
        search.focus();
        find();
    });

    /* Nothing to save, nothing to take back. */
    if (!form) { return; }

    const bar = picker.querySelector("[data-undo-bar]");

    /** Offers Undo for 8 seconds, but does not take it from under a finger. */
    function offer() {
        clearTimeout(fading);
        if (bar.hidden) { return; }
        fading = setTimeout(function fade() {
            if (bar.matches(":hover") || bar.contains(document.activeElement)) {
                fading = setTimeout(fade, 1000);
                return;
            }
            bar.hidden = true;
            bar.innerHTML = "";
        }, 8000);
    }

    /** Shows ticks, counts and Undo as the server has them. */
    function adopt(html) {
        const page = new DOMParser().parseFromString(html, "text/html");
        const fresh = page.querySelector("[data-picker]");
        if (!fresh) { return; }
        form.querySelectorAll("input[type=checkbox]").forEach(function (box) {
            const other = page.getElementById(box.id);
            if (other) { box.checked = box.defaultChecked = other.defaultChecked; }
        });
        fresh.querySelectorAll("[data-shelf]").forEach(function (other) {
            const shelf = shelves.querySelector("[data-shelf=" + other.dataset.shelf + "] [data-shelf-count]");
            if (shelf) { shelf.textContent = other.querySelector("[data-shelf-count]").textContent; }
        });
        ["[data-count]", "[data-selected]", "[data-chosen]"].forEach(function (name) {
            const [mine, theirs] = [document.querySelector(name), page.querySelector(name)];
            if (mine && theirs) { mine.textContent = theirs.textContent; }
        });
        const undo = fresh.querySelector("[data-undo-bar]");
        const hadFocus = bar.contains(document.activeElement);
        bar.hidden = undo.hidden;
        bar.innerHTML = undo.innerHTML;
        said.textContent = fresh.querySelector("[data-saved]").textContent || "Saved";
        if (hadFocus) { search.focus(); }
        offer();
    }

    function takeBack(button) {
        const sent = new URLSearchParams();
        ["csrf", "person", "open", "find"].forEach(function (name) {
            const field = form.querySelector("input[type=hidden][name=" + name + "]");
            if (field) { sent.set(name, field.value); }
        });
        sent.set("undo", button.value);
        window.sleepInducer.post(button.formAction, sent).then(function (response) {
            if (response.ok && /[?&]done=undone/.test(response.url)) {
                return response.text().then(function (html) {
                    adopt(html);
                    said.textContent = "Undone. It is as it was before.";
                });
            }
            if (response.ok) {
                window.location.assign(response.url);
                return null;
            }
            said.textContent = "It was saved some time ago. Change it back by hand.";
            return null;
        }, function () { said.textContent = "The server cannot be reached."; });
    }

    form.addEventListener("autosaved", function (event) { adopt(event.detail); });
    bar.addEventListener("click", function (event) {
        const button = event.target.closest("button");
        if (!button) { return; }
        event.preventDefault();
        takeBack(button);
    });
    document.addEventListener("keydown", function (event) {
        const isTyping = event.target.matches("textarea, input:not([type=checkbox])");
        const button = bar.hidden ? null : bar.querySelector("button");
        if (!button || isTyping || event.shiftKey || event.key !== "z" || !(event.ctrlKey || event.metaKey)) { return; }
        event.preventDefault();
        takeBack(button);
    });
    /* Undo is offered once, not again at every reload. */
    const query = new URLSearchParams(window.location.search);
    if (query.has("undo")) {
        query.delete("undo");
        const rest = query.toString();
        window.history.replaceState(null, "", window.location.pathname + (rest ? "?" + rest : ""));
    }
    write("[data-open]", openNow);
    offer();
})();
