/* What was typed outlives its page: when it is drawn again, and when a form was sent after its log-in had ended. It stands in
   the fields again, and nothing is sent by itself. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const key = "kept-input";
    const typed = "input:not([type=hidden]):not([type=submit]):not([type=password]):not([type=file]), select, textarea";

    function pathOf(part) {
        const address = part.getAttribute("formaction") || part.getAttribute("action") || "";
        return new URL(address, window.location.href).pathname;
    }

    function fields(form) {
        return Array.from(form.elements).filter(function (field) { return field.name && field.matches(typed); });
    }

    function isBox(field) { return field.type === "checkbox" || field.type === "radio"; }

    function isChanged(field) {
        if (isBox(field)) { return field.checked !== field.defaultChecked; }
        if (field.matches("select")) {
            const options = Array.from(field.options);
            const given = options.find(function (option) { return option.defaultSelected; }) || options[0];
            return Boolean(given) && field.value !== given.value;
        }
        return field.value !== field.defaultValue;
    }

    function posted(page) { return Array.from(page.querySelectorAll("form[method=post]")); }

    function pairsOf(form) {
        return Array.from(new FormData(form)).filter(function (pair) {
            return typeof pair[1] === "string" && !/^(csrf|passcode|current|accessToken)$/.test(pair[0]);
        });
    }

    /** Keeps what was typed on this page for the next page at its address. */
    si.keepInput = function () {
        const forms = posted(document).filter(function (form) { return fields(form).some(isChanged); });
        keep(window.location.pathname, forms.map(function (form) {
            return { action: pathOf(form), pairs: pairsOf(form) };
        }), "Not saved yet.");
    };

    function keep(path, forms, words) {
        if (!forms.length) { return; }
        try {
            window.sessionStorage.setItem(key, JSON.stringify({ path: path, forms: forms, words: words }));
        } catch (error) { /* Then it has to be typed again. */ }
    }

    /** The form with this address that agrees best in what it does not show; null if there is none. */
    function formFor(page, sent) {
        function agreement(form) {
            return Array.from(form.elements).filter(function (field) {
                return field.type === "hidden" && field.name !== "csrf" && sent.pairs.some(function (pair) {
                    return pair[0] === field.name && pair[1] === field.value;
                });
            }).length;
        }

        const forms = posted(page).filter(function (form) {
            return [form].concat(Array.from(form.querySelectorAll("[formaction]"))).some(function (part) {
                return pathOf(part) === sent.action;
            });
        });
        return forms.sort(function (one, other) { return agreement(other) - agreement(one); })[0] || null;
    }

    /** Puts what was typed into the fields; what was left as the form showed it (ShownFields.swift) takes the stored value. */
    function fill(form, sent) {
        const shown = sent.pairs.find(function (pair) { return pair[0] === "shown"; });
        const before = shown ? new URLSearchParams(shown[1].slice(shown[1].indexOf(" ") + 1)) : null;
        const rest = sent.pairs.slice();
        const met = {};
        fields(form).forEach(function (field) {
            const index = rest.findIndex(function (pair) {
                return pair[0] === field.name && (!isBox(field) || pair[1] === field.value);
            });
            const pair = index < 0 ? null : rest.splice(index, 1)[0];
            const old = before ? before.getAll(field.name) : [];
            if (isBox(field)) {
                const wasTicked = old.indexOf(field.value) >= 0;
                if (!before || wasTicked !== (pair !== null)) { field.checked = pair !== null; }
                return;
            }
            met[field.name] = (met[field.name] || 0) + 1;
            if (pair && (!before || old[met[field.name] - 1] !== pair[1])) { field.value = pair[1]; }
        });
        const first = fields(form).find(isChanged) || fields(form)[0];
        if (!first) { return null; }
        for (let part = first.parentElement; part; part = part.parentElement) {
            if (part.matches("details")) { part.open = true; }
            if (part.matches("dialog") && !part.open && part.showModal) { part.showModal(); }
        }
        first.dispatchEvent(new Event("input", { bubbles: true }));
        return first;
    }

    /** Says above the form that it is not saved; a form that saves every tick gets a button for it. */
    function say(form, words) {
        const note = document.createElement("div");
        const text = document.createElement("p");
        note.className = "notice warning";
        note.setAttribute("role", "alert");
        text.textContent = words;
        note.appendChild(text);
        if ("autosave" in form.dataset) {
            const button = document.createElement("button");
            button.className = "pill strong";
            button.textContent = "Save now";
            button.addEventListener("click", function () {
                note.remove();
                form.dispatchEvent(new Event("change", { bubbles: true }));
            });
            note.className += " line";
            note.appendChild(button);
        }
        form.parentNode.insertBefore(note, form);
    }

    function comeBack() {
        let kept = null;
        try {
            kept = JSON.parse(window.sessionStorage.getItem(key));
        } catch (error) { return; }
        if (!kept || kept.path !== window.location.pathname) { return; }
        window.sessionStorage.removeItem(key);
        const first = kept.forms.map(function (sent) {
            const form = formFor(document, sent);
            const field = form && fill(form, sent);
            if (field) { say(form, kept.words); }
            return field;
        }).find(Boolean);
        if (first) { first.focus(); }
    }

    /** The form was sent after its log-in had ended. Back on its page it stands as it was; a press is asked again here. */
    function leadBack(kept) {
        const sent = { action: pathOf(kept), pairs: pairsOf(kept) };
        const place = new URL(kept.dataset.kept, window.location.href);
        /* A picker shows again what was open in it. */
        sent.pairs.forEach(function (pair) {
            if (/^(open|find)$/.test(pair[0]) && pair[1]) { place.searchParams.set(pair[0], pair[1]); }
        });
        fetch(place.href, { cache: "no-store", credentials: "same-origin" }).then(function (response) {
            return response.ok && !response.redirected ? response.text() : "";
        }).then(function (html) {
            const page = new DOMParser().parseFromString(html, "text/html");
            const form = formFor(page, sent);
            if (!form) { return; }
            if (fields(form).length) {
                keep(place.pathname, [sent], "Not saved yet: your log-in had ended. Look it over, and save it.");
                window.location.replace(place.href);
                return;
            }
            const pressed = Array.from(form.querySelectorAll("button")).find(function (button) {
                return !button.name || sent.pairs.some(function (pair) {
                    return pair[0] === button.name && pair[1] === button.value;
                });
            });
            const label = pressed ? pressed.getAttribute("aria-label") || pressed.textContent.trim() : "";
            if (label) { kept.querySelector("[data-label]").textContent = label; }
        }, function () { /* Then it is asked in general words. */ });
    }

    const kept = document.querySelector("form[data-kept]");
    if (kept) { leadBack(kept); }
    window.addEventListener("load", function () { setTimeout(comeBack, 0); });
})();
