/* What a phone shows while the server cannot be reached: one page, kept with the files that it needs. Nothing else is
   kept, so that no private page stays on a device and nothing old looks new. It also tells the end of a focus timer,
   because Android takes notifications from here only. */
"use strict";

const shelf = "offline";
const page = "/offline";
/* A phone that is away from home looks for the name for a long time. */
const patience = 8000;
let isFresh = false;

/** Keeps the page as it is now. Its addresses change with their content, so that page and files fit. */
async function keep() {
    /* Without the login, so that nobody's name is on it. */
    const answer = await fetch(page, { cache: "no-store", credentials: "omit" });
    if (!answer.ok) { return; }
    const html = await answer.clone().text();
    const files = Array.from(new Set(html.match(/\/assets\/[^"]+/g)));
    const cache = await caches.open(shelf);
    await cache.addAll(files);
    await cache.put(page, answer);
    const kept = files.concat(page);
    for (const request of await cache.keys()) {
        const url = new URL(request.url);
        if (!kept.includes(url.pathname + url.search)) { await cache.delete(request); }
    }
    isFresh = true;
}

function late() {
    return new Promise(function (resolve, reject) {
        setTimeout(function () { reject(new Error("The server is late.")); }, patience);
    });
}

/** The server's page, or the kept one. The first page after this worker began brings a fresh copy along. */
async function visit(event) {
    try {
        const answer = await Promise.race([fetch(event.request), late()]);
        if (!isFresh) { event.waitUntil(keep().catch(function () { /* The older copy stays. */ })); }
        return answer;
    } catch (error) {
        return await caches.match(page) || Response.error();
    }
}

async function file(request) {
    try {
        return await fetch(request);
    } catch (error) {
        return await caches.match(request) || Response.error();
    }
}

async function openFocus() {
    const tabs = await self.clients.matchAll({ type: "window" });
    const tab = tabs.find(function (one) { return new URL(one.url).pathname.startsWith("/focus"); });
    return tab ? tab.focus() : self.clients.openWindow("/focus");
}

self.addEventListener("install", function (event) {
    self.skipWaiting();
    event.waitUntil(keep());
});

self.addEventListener("activate", function (event) { event.waitUntil(self.clients.claim()); });

self.addEventListener("fetch", function (event) {
    const request = event.request;
    if (request.method !== "GET") { return; }
    if (request.mode === "navigate") {
        event.respondWith(visit(event));
    } else if (new URL(request.url).pathname.startsWith("/assets/")) {
        event.respondWith(file(request));
    }
});

self.addEventListener("notificationclick", function (event) {
    event.notification.close();
    event.waitUntil(openFocus());
});
