/* What the page asks of its server. */

/** The secret of the address, which does not stay there: the token, or a ticket that is exchanged for it once. */
let token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
/** Whether the page has been loaded anew: then the token is the one that was kept. */
const isReloaded = token === "";

/** Finds the token, and keeps it for when the page is loaded anew. */
async function enter() {
  try {
    if (isReloaded) {
      token = sessionStorage.getItem("vato-token") ?? "";
    } else if (token.startsWith("once-")) {
      ({ token } = await ask("/enter"));
    }
  } finally {
    keep("token", token);
  }
}

/** Keeps something as long as the page is open, where that is allowed. */
function keep(name, value) {
  try {
    sessionStorage.setItem(`vato-${name}`, value);
  } catch {
    // It is forgotten when the page is loaded anew.
  }
}

function send(route, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return fetch(route, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" });
}

/** Asks for something: the answer, or an error with the server's message. */
async function ask(route, body = {}) {
  let response;
  try {
    response = await send(route, body);
  } catch {
    throw new Error(t("no-server"));
  }
  if (response.status === 204) {
    return null;
  }
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.error);
  }
  return answer;
}

/** A number for a search, so that its reports are known from those of others. */
const searchNumber = () => Math.floor(Math.random() * 2 ** 50);

const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/** Hears the reports of the engine as long as the page is open; `onState` is told whether it does. */
async function listen(onReport, onState) {
  for (;;) {
    try {
      const response = await send("/events", {});
      if (!response.ok) {
        throw new Error((await response.json()).error);
      }
      onState(true);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let waiting = "";
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const events = (waiting + part.value).split("\n\n");
        waiting = events.pop();
        for (const event of events) {
          onReport(JSON.parse(event.replace(/^data: /, "")));
        }
      }
    } catch {
      // Asked again below.
    }
    onState(false);
    await pause(1000);
  }
}
