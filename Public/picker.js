/* The picker's search and its counts. */
(function () {
    "use strict";

    const picker = document.querySelector("[data-picker]");
    const form = picker.closest("form");
    const search = picker.querySelector("[data-picker-search]");
    const shelves = Array.from(picker.querySelectorAll("[data-shelf]"));
    const wasOpen = new Map();

    function plural(number, one, many) {
        return number === 0 ? null : number + " " + (number === 1 ? one : many);
    }

    function count() {
        function ticked(name) {
            return form.querySelectorAll("input[type=checkbox][name=" + name + "]:checked").length;
        }
        const parts = [
            plural(ticked("app"), "app", "apps"), plural(ticked("category"), "category", "categories"),
            plural(ticked("domain"), "domain", "domains")
        ].filter(Boolean);
        const last = parts.pop();
        const text = parts.length ? parts.join(", ") + " and " + last : last || "Nothing chosen yet";
        picker.querySelector("[data-count]").textContent = text;
        shelves.forEach(function (shelf) {
            const all = shelf.querySelectorAll("[name=app]").length;
            const some = shelf.querySelectorAll("[name=app]:checked").length;
            const isWhole = shelf.querySelector("[name=category]:checked") !== null;
            shelf.querySelector("[data-shelf-count]").textContent =
                isWhole ? "All" : some > 0 ? some + " of " + all : String(all);
        });
    }

    function filter() {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        let found = 0;
        shelves.forEach(function (shelf) {
            if (!wasOpen.has(shelf)) { wasOpen.set(shelf, shelf.open); }
            const shelfText = shelf.dataset.shelf.toLowerCase();
            let shown = 0;
            shelf.querySelectorAll(".row:not(.all)").forEach(function (row) {
                const text = row.textContent.toLowerCase() + " " + shelfText;
                const isMatch = words.every(function (word) { return text.indexOf(word) >= 0; });
                row.hidden = !isMatch;
                shown += isMatch ? 1 : 0;
            });
            shelf.hidden = shown === 0;
            shelf.open = words.length ? shown > 0 : wasOpen.get(shelf);
            found += shown;
        });
        if (!words.length) { wasOpen.clear(); }
        picker.querySelector("[data-nothing]").hidden = found > 0;
    }

    /* What is saved is what the next save starts from. */
    form.addEventListener("autosaved", function (event) {
        const ticked = Array.from(event.detail).filter(function (pair) {
            return /^(app|category|domain)$/.test(pair[0]) && pair[1];
        });
        picker.querySelector("[data-was]").value = ticked.map(function (pair) { return pair.join("="); }).join(" ");
    });

    search.hidden = false;
    search.addEventListener("input", filter);
    /* Enter would send the form. */
    search.addEventListener("keydown", function (event) { if (event.key === "Enter") { event.preventDefault(); } });
    form.addEventListener("change", count);
    count();
})();
