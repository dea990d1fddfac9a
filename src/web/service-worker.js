/* Keeps the site for when there is no network. All files but the page are in a folder of their version, so that versions
   never mix; the page and its folder are kept together, and another version is used when no page of the old one is open. */
"use strict";

const VERSION = "VERSION-OF-THE-SITE";
/** The SHA-256 of the version's files: what a host or a network gives in place of one is not kept. */
const DIGESTS = {};
/** What the page needs from the start. */
const FIRST = [".", "manifest.webmanifest", "icon.svg", `${VERSION}/worker.js`, `${VERSION}/vato.wasm`];
const NAME = `vato ${registration.scope} ${VERSION}`;

/** Whether these bytes are the file of this version. */
async function isRight(path, bytes) {
  const [, file] = path.split(`${VERSION}/`);
  if (!file) {
    return path !== "." || new TextDecoder().decode(bytes).includes(VERSION);
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return DIGESTS[file] === [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Asks the network, also where the browser has kept a file, and keeps what is right. */
async function load(path) {
  const found = await fetch(path, { cache: "no-cache" });
  const bytes = await found.arrayBuffer();
  // A page to which the host has redirected could not be shown as it is.
  const response = new Response(bytes, { status: found.status, headers: found.headers });
  const right = found.ok && await isRight(path, bytes);
  if (right) {
    await (await caches.open(NAME)).put(path, response.clone());
  }
  return { response, right };
}

async function install() {
  const loaded = await Promise.all(FIRST.map(load));
  // What the browser or the host has kept may be of another version: then it is tried later.
  if (!loaded.every(({ right }) => right)) {
    throw new Error("a file is of another version");
  }
}

addEventListener("install", (event) => event.waitUntil(install()));

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(`vato ${registration.scope} `) && name !== NAME;
  const forget = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(Promise.all([forget(), clients.claim()]));
});

/** What is kept, else what the network has. */
async function answer(path, request) {
  const kept = await (await caches.open(NAME)).match(path, { ignoreVary: true });
  return kept ?? (FIRST.includes(path) || path.startsWith(VERSION) ? (await load(path)).response : fetch(request));
}

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) {
    const path = url.slice(registration.scope.length).replace(/[?#].*$/, "");
    const answered = answer(["", "index.html"].includes(path) ? "." : path, event.request);
    event.respondWith(answered.catch(() => fetch(event.request)));
  }
});
