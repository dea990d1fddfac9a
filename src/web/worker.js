/* The engine in a worker: it answers requests as the server of `vato gui` does. What it is sent first is the module, if
   another worker has compiled it, and whether the larger tables are wanted; these may be wanted later, too. */
"use strict";

const TABLES = ["3v3", "2v4", "4v2", "1v5", "5v1"];

/** Milliseconds that a request waits for the larger tables. */
const PATIENCE = 2000;

const [coder, decoder] = [new TextEncoder(), new TextDecoder()];
let engine = null;
let tables = null;
/** The request that is being answered. */
let asked = null;

const read = (memory, length) => decoder.decode(new Uint8Array(engine.memory.buffer, memory, length));

/** Bytes in the engine's memory. */
function put(bytes) {
  const memory = engine.alloc(bytes.length);
  if (memory === 0) {
    throw new Error("out of memory");
  }
  new Uint8Array(engine.memory.buffer, memory, bytes.length).set(bytes);
  return [memory, bytes.length];
}

/** The module, also where the host does not know its type. */
async function compile() {
  const response = await fetch("vato.wasm");
  const copy = response.clone();
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
}

async function start(module) {
  const env = {
    now: () => performance.now(),
    random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
    report: (memory, length) => postMessage({ id: asked, report: read(memory, length) }),
  };
  const compiled = module ?? (await compile());
  engine = (await WebAssembly.instantiate(compiled, { env })).exports;
  module ?? postMessage({ module: compiled });
}

async function addTables() {
  for (const slice of TABLES) {
    const response = await fetch(`${slice}.vtb`);
    if (!response.ok) {
      throw new Error(response.statusText);
    }
    engine.add_table(...put(new Uint8Array(await response.arrayBuffer())));
  }
}

let ready = null;
let areWanted = false;

async function hear({ module, areTablesWanted, id, route, body }) {
  ready ??= start(module);
  await ready;
  areWanted ||= areTablesWanted;
  if (areWanted) {
    // Without them there are those of five stones; nobody waits long for them, and the next request tries again.
    tables ??= Promise.race([addTables().catch(() => { tables = null; }), new Promise((done) => { setTimeout(done, PATIENCE); })]);
  }
  await tables;
  if (!id) {
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
