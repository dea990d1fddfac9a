/* Vato without a server: the engine runs in workers of the page. */

/** With so few stones, the larger tables are loaded. */
const FEW_STONES = 8;

/** What another worker begins with: the module that the first one has compiled, whether it needs the larger tables, and the engine's
    threads and memory. */
const begun = { module: null, areTablesWanted: false, engine: null };

/** Where the script of the workers is. */
const WORKER = document.querySelector("[data-worker]").dataset.worker;

/** A worker with an engine. It answers one request after another. */
class EngineWorker {
  #worker = new Worker(WORKER);
  #asked = new Map();
  #count = 0;

  constructor() {
    this.#worker.onmessage = ({ data: { module, id, report, status, text } }) => {
      begun.module ??= module;
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
      this.end();
    };
    this.tell();
    begun.engine && this.ask("/engine", begun.engine);
  }

  tell() {
    this.#worker?.postMessage({ module: begun.module, areTablesWanted: begun.areTablesWanted });
  }

  /** Asks for an answer: its status and its JSON. `hear` is told of what a search reports before. */
  ask(route, body, hear = () => {}) {
    this.#count += 1;
    this.#worker?.postMessage({ id: this.#count, route, body });
    return new Promise((answer, fail) => {
      this.#worker ? this.#asked.set(this.#count, { answer, fail, hear }) : fail(new TypeError());
    });
  }

  get isOver() {
    return this.#worker === null;
  }

  /** Ends it at once, in the middle of a search, too. What has not been answered fails. */
  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#asked.forEach(({ fail }) => fail(new TypeError()));
    this.#asked.clear();
  }
}

/** One worker answers, and one searches; the next one is ready when a search is ended, as that ends its worker. */
const workers = { answers: null, search: null, next: null };

const aWorker = (name) => (workers[name]?.isOver === false ? workers[name] : (workers[name] = new EngineWorker()));

const hasFewStones = (fen) => (fen.split(" ")[0].match(/[wb]/g) ?? []).length <= FEW_STONES;

/** Asks the engine as `fetch` asks a server. */
async function transport(route, { body, signal }) {
  if (!["/analyse", "/play"].includes(route)) {
    const { status, text } = await aWorker("answers").ask(route, body);
    if (route === "/engine" && status === 200 && body !== "{}") {
      begun.engine = text;
      ["search", "next"].forEach((name) => workers[name]?.end());
    } else if (route === "/position" && status === 200 && !begun.areTablesWanted && hasFewStones(JSON.parse(text).fen)) {
      begun.areTablesWanted = true;
      Object.values(workers).forEach((worker) => worker?.tell());
    }
    return new Response(text, { status });
  }
  const worker = aWorker("search");
  signal.addEventListener("abort", () => {
    worker.end();
    [workers.search, workers.next] = [workers.next, null];
  });
  const coder = new TextEncoder();
  return new Promise((begin, fail) => {
    let out = null;
    const reports = new Response(new ReadableStream({ start: (controller) => { out = controller; } }));
    const hear = (report) => {
      begin(reports);
      out.enqueue(coder.encode(report));
    };
    worker.ask(route, body, hear).then(({ status, text }) => {
      begin(status === 200 ? reports : new Response(text, { status }));
      out.close();
    }, (error) => {
      fail(error);
      out.error(error);
    });
    aWorker("next");
  });
}

TEXTS["no-server"] = TEXTS["no-engine"];

// Where there is none, the page needs the network.
navigator.serviceWorker?.register("service-worker.js").catch(() => {});
