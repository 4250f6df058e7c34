/* How the end of a focus session is told beside the page: vibration, a soft sound, a notification. Each is silent
   where the device has none. */
(function () {
    "use strict";

    const si = window.sleepInducer;
    const soundKey = "focus-sound";
    const tag = "end-of-session";
    const askedKey = "focus-asked-to-notify";
    let audio = null;
    let shown = null;

    /** Browsers refuse both, and say so on the console, before the page was touched. */
    function wasTouched() {
        return !navigator.userActivation || navigator.userActivation.hasBeenActive;
    }

    function vibrate(pattern) {
        if (typeof navigator.vibrate === "function" && wasTouched()) { navigator.vibrate(pattern); }
    }

    /** The one place that vibrates. */
    si.haptics = {
        success: function () { vibrate(70); },
        soft: function () { vibrate(20); },
        finish: function () { vibrate([60, 90, 60, 90, 180]); }
    };

    function stored(key) {
        try { return window.localStorage.getItem(key); } catch (error) { return null; }
    }

    function tone(frequency, start, length) {
        const oscillator = audio.createOscillator();
        const gain = audio.createGain();
        oscillator.type = "sine";
        oscillator.frequency.value = frequency;
        gain.gain.setValueAtTime(0.0001, start);
        gain.gain.exponentialRampToValueAtTime(0.16, start + 0.06);
        gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
        oscillator.connect(gain).connect(audio.destination);
        oscillator.start(start);
        oscillator.stop(start + length);
    }

    si.sound = {
        isOn: function () { return stored(soundKey) === "on"; },
        setOn: function (isOn) {
            try { window.localStorage.setItem(soundKey, isOn ? "on" : "off"); } catch (error) { /* For this page only. */ }
            if (isOn) { si.sound.play(true); }
        },
        /** On a touch, so that the page may sound later, when nobody touches it. */
        prepare: function () {
            const Context = window.AudioContext || window.webkitAudioContext;
            if (!Context || !wasTouched()) { return; }
            audio = audio || new Context();
            if (audio.state === "suspended") { audio.resume().catch(function () { /* Then it is silent. */ }); }
        },
        /** Three bells, far apart; `isSample` is one, when the sound was just switched on. */
        play: function (isSample) {
            si.sound.prepare();
            if (!audio) { return; }
            const now = audio.currentTime + 0.02;
            tone(523.25, now, 1.6);
            if (isSample) { return; }
            tone(659.25, now + 0.5, 1.6);
            tone(783.99, now + 1, 2.4);
        }
    };

    /** `unavailable` without a secure context, else the browser's own word. */
    si.notificationState = function () {
        return window.isSecureContext && "Notification" in window ? Notification.permission : "unavailable";
    };

    /**
     * Asks once, on the first Start of this device and only where nobody decided yet. Browsers take the
     * question on a press only, so that a launch is too early.
     */
    si.askToNotify = function (done) {
        if (si.notificationState() !== "default" || stored(askedKey)) { return; }
        try { window.localStorage.setItem(askedKey, "yes"); } catch (error) { /* Then each Start asks. */ }
        Notification.requestPermission().then(done);
    };

    /** The service worker's registration, or null where there is none. */
    function worker() {
        if (!("serviceWorker" in navigator)) { return Promise.resolve(null); }
        return navigator.serviceWorker.getRegistration().then(function (found) {
            return found && found.active ? found : null;
        });
    }

    function notifyByPage(title, text) {
        try {
            shown = new Notification(title, { body: text, tag: tag });
            shown.onclick = function () { window.focus(); };
        } catch (error) { /* Android takes them from service workers only. */ }
    }

    /** One tag, so that the newest replaces what was there. */
    si.notify = function (title, text) {
        if (si.notificationState() !== "granted") { return; }
        worker().then(function (registration) {
            if (!registration) { return notifyByPage(title, text); }
            return registration.showNotification(title, { body: text, tag: tag, icon: "/assets/icon-192.png" });
        }).catch(function () { notifyByPage(title, text); });
    };

    /** Nothing stale stays when the timer goes on. */
    si.unnotify = function () {
        if (shown) { shown.close(); }
        shown = null;
        worker().then(function (registration) {
            return registration ? registration.getNotifications({ tag: tag }) : [];
        }).then(function (notes) {
            notes.forEach(function (note) { note.close(); });
        }).catch(function () { /* Then none is shown. */ });
    };
})();
