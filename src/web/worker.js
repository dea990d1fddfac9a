/* The engine in a worker: it answers requests as the server of `vato gui` does. What it is sent first is the module, if
   another worker has compiled it, and whether the larger tables are wanted; these may be wanted later, too. */
"use strict";

const TABLES = ["3v3", "2v4", "4v2", "1v5", "5v1"];

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

async function start(module) {
  const env = {
    now: () => performance.now(),
    random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
    report: (memory, length) => postMessage({ id: asked, report: read(memory, length) }),
  };
  if (module) {
    engine = (await WebAssembly.instantiate(module, { env })).exports;
  } else {
    const found = await WebAssembly.instantiateStreaming(fetch("vato.wasm"), { env });
    engine = found.instance.exports;
    postMessage({ module: found.module });
  }
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

onmessage = async ({ data: { module, areTablesWanted, id, route, body } }) => {
  ready ??= start(module);
  try {
    await ready;
    if (areTablesWanted) {
      // Without them there are those of five stones.
      tables ??= addTables().catch(() => {});
    }
    await tables;
  } catch (error) {
    // An error event tells the page.
    setTimeout(() => { throw error; });
    return;
  }
  if (!id) {
    return;
  }
  asked = id;
  const [routes, bodies] = [route, body].map((text) => put(coder.encode(text)));
  const status = engine.answer(...routes, ...bodies);
  const text = read(engine.answer_text(), engine.answer_length());
  postMessage({ id, status, text });
};
