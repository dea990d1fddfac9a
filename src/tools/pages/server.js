/* What the page asks of its server, and what it does while that does not answer. */

/** What stands behind `#` in the address: the token, or a ticket that is exchanged for it once. */
const SECRET = /^(once-)?[0-9a-f]{64}$/;

/** The number of this page, by which the server knows its searches. It is not kept: a tab that is copied is another page. */
const PAGE = Math.floor(Math.random() * 2 ** 50);

/** The server as the page knows it. */
const server = {
  token: "",
  /** A link to a game that is to be opened. */
  link: kept("link"),
  /** Why it cannot be asked: it does not answer (`no-server`), or does not know the token (`other-server`). */
  trouble: null,
  /** Milliseconds after which a server that is asked whether it is there is not. */
  patience: 5000,
  /** Told when there is trouble, and when there is none any longer. */
  changed: () => {},
};

/** The server cannot be asked. Nobody has to do anything: what has not been answered is asked again. */
class NoServer extends Error {}

function lost(trouble) {
  if (server.trouble !== trouble) {
    server.trouble = trouble;
    server.changed();
    if (trouble === "no-server") {
      waitForServer();
    }
  }
  return new NoServer(troubleText());
}

/** What is the matter. The page of another port would be another page, which has nothing of what is kept. Where nothing is shown, nothing is kept. */
const troubleText = () => (server.trouble ? t(server.trouble === "other-server" && !app.tree ? "wrong-address" : server.trouble, location.port || 80) : "");

async function waitForServer() {
  while (server.trouble === "no-server") {
    await pause(1000);
    await reach();
  }
}

/** Waits until a server that could not be asked can be. */
async function serverBack() {
  do {
    await pause(200);
  } while (server.trouble);
}

/** Whether the server is there, and knows the token. */
async function reach() {
  const signal = AbortSignal.timeout(server.patience);
  try {
    await answerOf(await send("/position", { place: { rules: "tsivy" } }, signal));
  } catch {
    if (signal.aborted) {
      lost("no-server");
    }
    return false;
  }
  if (server.trouble) {
    server.trouble = null;
    server.changed();
  }
  return true;
}

/** Some programs write signs of an address by their numbers. */
const withSigns = (address) => address.replace(/%(23|3d|26)/gi, decodeURIComponent);

/** The secret of the address, which does not stay there. Nor does a link to a game, which is kept until it can be opened. */
function takeSecret() {
  const hash = withSigns(location.hash);
  const link = /[#&](game=.*)$/.exec(hash);
  if (hash) {
    history.replaceState(null, "", location.pathname);
  }
  if (link) {
    server.link = link[1];
    keep("link", server.link);
  }
  return hash.slice(1, link?.index);
}

/** Finds the token by a secret, and keeps it for when the page is loaded anew: what the server began with. A wrong one changes nothing. */
async function enter(secret) {
  const before = server.token;
  server.token = secret;
  try {
    if (secret.startsWith("once-")) {
      ({ token: server.token } = await ask("/enter"));
    }
    const start = await ask("/start");
    keep("token", server.token);
    // Only a server for other machines keeps its token.
    server.token && !/^(localhost$|127\.|\[::1\]$)/.test(location.hostname) && stored.set("token", server.token);
    isKnown(start.site) && stored.set("site", start.site);
    keep("start", JSON.stringify({ ...start, opening: null }));
    return start;
  } catch (error) {
    server.token = before || secret;
    throw error;
  }
}

/** The address of a server that has been started anew, put into the address bar: the page stays as it is. */
let entering = Promise.resolve();
addEventListener("hashchange", () => {
  const secret = takeSecret();
  if (SECRET.test(secret)) {
    entering = entering.then(() => enter(secret)).then((start) => app.renew(start)).catch(() => {}).then(reach);
  }
  entering.then(openLinked);
});

/** Keeps something as long as the tab is open; whether there is room for it. */
function keep(name, value) {
  try {
    sessionStorage.removeItem(`vato-${name}`);
    sessionStorage.setItem(`vato-${name}`, value);
    return true;
  } catch {
    return false;
  }
}

/** What has been kept, or nothing. */
function kept(name) {
  try {
    return sessionStorage.getItem(`vato-${name}`);
  } catch {
    return null;
  }
}

function keptData(name) {
  try {
    return JSON.parse(kept(name));
  } catch {
    return null;
  }
}

/** Sends a command: the response to one that is right, or an error with the server's message. Where there are too many, it waits for its turn. */
async function send(route, body, signal) {
  const { token } = server;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  let response;
  try {
    // A page without a server has its own way to the engine.
    response = await (globalThis.transport ?? fetch)(route, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store", signal });
  } catch (error) {
    throw signal?.aborted ? error : lost("no-server");
  }
  if (response.status === 401) {
    // Another token may have been found meanwhile.
    throw token === server.token ? lost("other-server") : new NoServer(t("other-server"));
  }
  if (response.status === 429) {
    await pause(500);
    return send(route, body, signal);
  }
  if (!response.ok) {
    throw new Error(translated((await answerOf(response)).error));
  }
  return response;
}

/** The answer in a response; one that breaks off is none. */
async function answerOf(response) {
  try {
    return await response.json();
  } catch {
    throw lost("no-server");
  }
}

/** Asks for one answer. What takes long may never come: meanwhile the server is asked whether it is there. */
async function ask(route, body = {}) {
  const watching = setInterval(reach, server.patience);
  try {
    return await answerOf(await send(route, body));
  } finally {
    clearInterval(watching);
  }
}

/** How to wait for what nobody cancels. */
const always = (answer) => answer;

/** The search of the page that runs: there is one at a time, and the next one ends it. */
let running = null;

function beginSearch() {
  running?.abort();
  running = new AbortController();
  return running;
}

/** Searches until there is an answer, which it gives; `hear` is told of the lines before. Nothing if it is ended by the signal. */
async function search(route, body, signal, hear) {
  const watching = setInterval(reach, server.patience);
  try {
    const response = await send(route, { page: PAGE, ...body }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const read = () => reader.read().catch((error) => { throw signal.aborted ? error : lost("no-server"); });
    let waiting = "";
    for (let part = await read(); !part.done; part = await read()) {
      const reports = (waiting + part.value).split("\n");
      waiting = reports.pop();
      for (const report of reports.map((text) => JSON.parse(text))) {
        if (signal.aborted) {
          return null;
        } else if (report.kind === "failed") {
          throw new Error(translated(report.error));
        } else if (report.kind === "done") {
          return report;
        }
        hear(report);
      }
    }
    throw lost("no-server");
  } catch (error) {
    if (signal.aborted) {
      return null;
    }
    throw error;
  } finally {
    clearInterval(watching);
  }
}

/** How many faults there are, and the first of them. */
const toldOf = (key, faults) => t(key, faults.length, faults.slice(0, 3).join("; "));

/** A message of the server in the page's language: it is known by its English text, and so are its parts. */
function translated(message, isWhole = true) {
  for (const [key, [english]] of language === 0 ? [] : Object.entries(TEXTS)) {
    if (key.startsWith("error-")) {
      const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const found = new RegExp(`^${parts.join("(.*?)")}$`, "s").exec(message);
      if (found) {
        // What is quoted is as somebody wrote it.
        return t(key, ...found.slice(1).map((part, index) => (parts[index].endsWith("'") ? part : translated(part, isWhole && key === "error-line" && index === 1))));
      }
    }
  }
  return isWhole && language !== 0 ? t("in-english", message) : message;
}

const pause = (time) => new Promise((done) => { setTimeout(done, time); });
