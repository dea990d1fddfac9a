/* Keeps the site for when there is no network. All files but the page are in a folder of their version, so that versions
   never mix; the page and its folder are kept together, and another version is used when no page of the old one is open. */
"use strict";

const VERSION = "VERSION-OF-THE-SITE";
const FILES = ["manifest.webmanifest", "icon.svg", `${VERSION}/worker.js`];
const NAME = `vato ${registration.scope} ${VERSION}`;

/** Keeps all files. What the browser or the host has kept of the page may be of another version: then it is tried later. */
async function install() {
  const cache = await caches.open(NAME);
  const page = await fetch(".", { cache: "no-cache" });
  if (!page.ok || !(await page.clone().text()).includes(VERSION)) {
    throw new Error("the page is of another version");
  }
  // The module that the page uses.
  const engine = page.headers.has("Cross-Origin-Embedder-Policy") ? "vato-threads.wasm" : "vato.wasm";
  await cache.addAll([...FILES, `${VERSION}/${engine}`]);
  await cache.put(".", page);
}

addEventListener("install", (event) => event.waitUntil(install()));

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(`vato ${registration.scope} `) && name !== NAME;
  const forget = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(Promise.all([forget(), clients.claim()]));
});

/** What is kept, else what the network has; that of the version's folder is kept, too. */
async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) {
    return kept;
  }
  const response = await fetch(request);
  if (response.ok && new URL(request.url).pathname.includes(`/${VERSION}/`)) {
    await cache.put(request, response.clone()).catch(() => {});
  }
  return response;
}

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
