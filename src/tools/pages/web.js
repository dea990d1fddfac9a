/* Vato without a server: the engine runs in workers of the page. */

/** With so few stones, the larger tables are loaded. */
const FEW_STONES = 8;

/** The status of an answer for which the proof cannot be had, as `worker.js` knows it. */
const NO_PROOF = 424;

/** What another worker begins with: the modules that others have compiled, whether it needs the larger tables and the proof, and
    the engine's threads and memory. */
const begun = { modules: {}, areTablesWanted: false, isProofWanted: false, engine: keptEngine(), hasFailed: false, isGone: false };

/** The engine's threads and memory that were chosen; whether there are several threads, the host says. */
function keptEngine() {
  const engine = recalled("engine", null);
  return engine && JSON.stringify({ ...engine, threads: Math.min(engine.threads, crossOriginIsolated ? navigator.hardwareConcurrency : 1) });
}

/** Has files loaded, also by the workers that there are. */
function want(wanted) {
  Object.assign(begun, wanted);
  Object.values(workers).forEach((worker) => worker?.tell());
}

/** Where the script of the workers is. */
const WORKER = document.querySelector("[data-worker]").dataset.worker;

/** A worker with an engine. It answers one request after another. */
class EngineWorker {
  #worker = new Worker(WORKER);
  #threads;
  #stop = null;
  #asked = new Map();
  #count = 0;

  constructor(threads) {
    this.#threads = threads;
    this.#worker.onmessage = ({ data: { modules, stop, id, report, status, text } }) => {
      Object.assign(begun.modules, modules);
      this.#stop ??= stop;
      const asked = this.#asked.get(id);
      if (isKnown(report)) {
        asked?.hear(report);
      } else if (isKnown(status)) {
        this.#asked.delete(id);
        asked?.answer({ status, text });
      }
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // Not even its script was there.
      begun.isGone ||= !event.message;
      begun.hasFailed = true;
      TEXTS["no-server"] = TEXTS[begun.isGone ? "no-site" : "no-engine"];
      this.end();
    };
    this.tell();
    begun.engine && this.ask("/engine", begun.engine).catch(() => {});
  }

  tell() {
    this.#worker?.postMessage({ ...begun, threads: this.#threads });
  }

  /** Asks for an answer: its status and its JSON. `hear` is told of what a search reports before. */
  ask(route, body, hear = () => {}, needsProof = false) {
    this.#count += 1;
    this.#worker?.postMessage({ id: this.#count, route, body, needsProof });
    return new Promise((answer, fail) => {
      this.#worker ? this.#asked.set(this.#count, { answer, fail, hear }) : fail(new TypeError());
    });
  }

  get isOver() {
    return this.#worker === null;
  }

  get isBusy() {
    return this.#asked.size > 0;
  }

  /** Ends it at once, in the middle of a search, too. What has not been answered fails. */
  end() {
    if (this.#stop) {
      // Threads that search may go on for seconds.
      new Uint8Array(this.#stop.memory.buffer)[this.#stop.place] = 1;
    }
    this.#worker?.terminate();
    this.#worker = null;
    this.#asked.forEach(({ fail }) => fail(new TypeError()));
    this.#asked.clear();
  }
}

/** One worker answers, and one searches; the next one is ready when a search is ended, as that ends its worker. */
const workers = { answers: null, search: null, next: null };

const threadsOf = (name) => (name === "answers" ? 1 : JSON.parse(begun.engine ?? "{}").threads ?? 1);

const aWorker = (name) => (workers[name]?.isOver === false ? workers[name] : (workers[name] = new EngineWorker(threadsOf(name))));

/** The worker of the next search. */
function searchWorker() {
  if (workers.search?.isOver !== false) {
    [workers.search, workers.next] = [workers.next, null];
  }
  return aWorker("search");
}

/** Settings are those of new workers. A search goes on until it is ended. */
function renew() {
  for (const name of ["search", "next"]) {
    workers[name]?.isBusy || workers[name]?.end();
    workers[name] = null;
  }
}

/** Whether the larger tables, which are for boards of 45 points, are soon needed. */
function hasFewStones(fen) {
  const [board] = fen.split(" ");
  const stones = (board.match(/[wb]/g) ?? []).length;
  return stones <= FEW_STONES && [...board].reduce((points, sign) => points + (Number(sign) || 0), stones) === 45;
}

const noProof = () => Response.json({ error: TEXTS["error-proof"][0] }, { status: NO_PROOF });

/** Asks the engine as `fetch` asks a server. */
async function transport(route, { body, signal }) {
  if (begun.hasFailed) {
    // What the browser has kept may be what is wrong.
    begun.hasFailed = false;
    const isThere = await fetch(WORKER, { cache: "no-cache" }).then(({ ok }) => ok, () => false);
    begun.isGone &&= !isThere;
    if (begun.isGone) {
      begun.hasFailed = true;
      throw new TypeError();
    }
  }
  if (route === "/enter") {
    // The address of a server was opened here: there is no token.
    return Response.json({ token: "" });
  }
  const needsProof = route === "/proof" || JSON.parse(body).level === PERFECT_LEVEL;
  if (needsProof && !begun.isProofWanted) {
    // It ends in the tables.
    want({ areTablesWanted: true, isProofWanted: true });
  }
  if (!["/analyse", "/play"].includes(route)) {
    const givenUp = new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
    const { status, text } = await Promise.race([aWorker("answers").ask(route, body, () => {}, needsProof), givenUp]);
    if (route === "/proof") {
      return status === NO_PROOF ? noProof() : Response.json({});
    } else if (route === "/engine" && status === 200 && body !== "{}") {
      begun.engine = text;
      stored.set("engine", text);
      renew();
    } else if (route === "/position" && status === 200 && !begun.areTablesWanted && hasFewStones(JSON.parse(text).fen)) {
      want({ areTablesWanted: true });
      return transport(route, { body });
    }
    return new Response(text, { status });
  }
  signal.throwIfAborted();
  const worker = searchWorker();
  const stop = () => worker.end();
  signal.addEventListener("abort", stop);
  const coder = new TextEncoder();
  return new Promise((begin, fail) => {
    let out = null;
    const reports = new Response(new ReadableStream({ start: (controller) => { out = controller; } }));
    const hear = (report) => {
      begin(reports);
      out.enqueue(coder.encode(report));
    };
    worker.ask(route, body, hear, needsProof).then(({ status, text }) => {
      begin(status === 200 ? reports : status === NO_PROOF ? noProof() : new Response(text, { status }));
      out.close();
    }, (error) => {
      fail(error);
      out.error(error);
    }).finally(() => {
      signal.removeEventListener("abort", stop);
      worker === workers.search || worker.end();
    });
    aWorker("next");
  });
}

// Where there is none, the page needs the network.
(async () => navigator.serviceWorker?.register("service-worker.js"))().catch(() => {});
