/* The engine in a worker: it answers requests as the server of `vato gui` does. What it is sent first are the modules that
   other workers have compiled, the number of its threads, and whether the larger tables and the proof are wanted; these may be wanted
   later, too. The threads besides its own are workers of this script that it starts, and which wait in the module. */
"use strict";

const TABLES = ["3v3", "2v4", "4v2", "1v5", "5v1"];

/** The size of a thread's stack, as the module has it. */
const STACK_BYTES = 2 ** 24;

/** The most threads that are worth their memory. */
const MOST_THREADS = 16;

/** The pages of the memory that threads share, at first and at most, as in `threads.toml`. */
const SHARED = { initial: 512, maximum: 16384, shared: true };

/** Milliseconds that a request waits for the larger tables, and for threads. */
const PATIENCE = 2000;

/** The status of an answer that needs the proof where it cannot be had, as `web.js` knows it. */
const NO_PROOF = 424;

const [coder, decoder] = [new TextEncoder(), new TextDecoder()];
let engine = null;
let memory = null;
let tables = null;
/** The request that is being answered. */
let asked = null;

/** A text in the engine's memory; of shared memory no decoder takes more than a copy. */
const read = (place, length) => decoder.decode(new Uint8Array(memory.buffer, place, length).slice());

/** Bytes in the engine's memory. */
function put(bytes) {
  const place = engine.alloc(bytes.length);
  if (place === 0) {
    throw new Error("out of memory");
  }
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  return [place, bytes.length];
}

/** What `use` makes of a file. One that is damaged may only be kept so by the browser: it is asked for once more. */
const load = (name, use) => fetch(name).then(use).catch(() => fetch(name, { cache: "no-cache" }).then(use));

/** The module, also where the host does not know its type. */
const compile = (name) => load(name, (response) => {
  const copy = response.clone();
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
});

/** Gives the engine a file, which is not what it should be where `add` says no. */
const give = (name, add) => load(name, async (response) => {
  if (!response.ok || !add(...put(new Uint8Array(await response.arrayBuffer())))) {
    throw new Error(name);
  }
});

async function instantiate(module, shared, processors = 1) {
  const env = {
    // The same in all workers.
    now: () => performance.timeOrigin + performance.now(),
    random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
    processors: () => processors,
    report: (place, length) => postMessage({ id: asked, report: read(place, length) }),
    memory: shared,
  };
  engine = (await WebAssembly.instantiate(module, { env })).exports;
  memory = shared || engine.memory;
}

/** Starts a worker that lends its thread. If it cannot be started, there is one thread less; if it fails later, all does. */
const startThread = (module) => new Promise((done) => {
  const thread = new Worker(location.href);
  thread.onerror = done;
  thread.onmessage = () => {
    thread.onerror = () => { throw new Error("a thread has failed"); };
    done();
  };
  thread.postMessage({ thread: { module, memory, stack: engine.stack() } });
  setTimeout(done, PATIENCE);
});

/** What such a worker does. Its stack, which grows downwards, has its own data at the bottom. */
async function lendThread({ module, memory: shared, stack }) {
  await instantiate(module, shared);
  if (stack === 0) {
    throw new Error("out of memory");
  }
  const { __stack_pointer: top, __tls_align: align, __wasm_init_tls: initialise } = engine;
  top.value = stack + STACK_BYTES & -16;
  initialise(Math.ceil(stack / align.value) * align.value);
  postMessage("ready");
  engine.lend_thread();
}

async function begin(modules, processors, shared, threads = 1) {
  const name = shared ? "vato-threads.wasm" : "vato.wasm";
  const module = modules[name] ?? (await compile(name));
  await instantiate(module, shared, processors);
  postMessage({ modules: { [name]: module }, stop: shared && { memory, place: engine.stop_flag() } });
  await Promise.all(Array.from({ length: threads - 1 }, () => startThread(module)));
}

/** Begins with so many threads, if there is the room. There may be several where the host has isolated the page. */
async function start(modules, threads) {
  const processors = crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, MOST_THREADS) : 1;
  try {
    await begin(modules, processors, threads > 1 && new WebAssembly.Memory(SHARED), threads);
  } catch {
    // It has one then, whatever it is told.
    await begin(modules, threads > 1 ? 1 : processors, null);
  }
}

async function addTables() {
  for (const slice of TABLES) {
    await give(`${slice}.vtb`, engine.add_table);
  }
}

let ready = null;
let areWanted = false;
let proof = null;

async function hear({ thread, modules, threads, areTablesWanted, isProofWanted, id, route, body, needsProof }) {
  if (thread) {
    await lendThread(thread);
  }
  ready ??= start(modules, threads);
  await ready;
  areWanted ||= areTablesWanted;
  if (areWanted) {
    // Without them there are those of five stones; nobody waits long for them, and the next request tries again.
    tables ??= Promise.race([addTables().catch(() => { tables = null; }), new Promise((done) => { setTimeout(done, PATIENCE); })]);
  }
  if (isProofWanted || needsProof) {
    // Who asks for it waits as long as it takes; without it there is no answer in its name, and the next request tries again.
    proof ??= give("standard.strategy", engine.add_proof).then(() => true, () => { proof = null; });
  }
  const [, hasProof] = await Promise.all([tables, proof]);
  if (!id) {
    return;
  }
  if (needsProof && !hasProof) {
    postMessage({ id, status: NO_PROOF });
    return;
  }
  asked = id;
  const [routes, bodies] = [route, body].map((text) => put(coder.encode(text)));
  const status = engine.answer(...routes, ...bodies);
  const text = read(engine.answer_text(), engine.answer_length());
  postMessage({ id, status, text });
}

// What goes wrong is an error event for the page.
onmessage = ({ data }) => hear(data).catch((error) => { setTimeout(() => { throw error; }); });
