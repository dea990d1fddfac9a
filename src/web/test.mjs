// The module under Node: its signature, its speed, tables that are added, the memory of 200 short games, and a search by two
// threads if it has them. Arguments: the module, and that it may have no fewer nodes a second (default: any number).
import assert from "node:assert";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

const SIGNATURE = 5511715n;
const TABLES = new URL("../engine/tablebase/built_in/", import.meta.url);

const [path, least = "0"] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
const shared = imported.includes("memory") && new WebAssembly.Memory({ initial: 512, maximum: 16384, shared: true });
const reports = [];
const env = {
    now: () => performance.now(), random: () => 1n, processors: () => (shared ? 2 : 1),
    report: (place, length) => { reports.push(Buffer.from(memory.buffer, place, length).toString()); },
    ...(shared && { memory: shared }),
};
assert.deepStrictEqual(imported.sort(), Object.keys(env).sort());
const engine = new WebAssembly.Instance(module, { env }).exports;
const memory = shared || engine.memory;

const put = (bytes) => {
    const place = engine.alloc(bytes.length);
    assert.notEqual(place, 0);
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    return [place, bytes.length];
};
const add = (name, change = () => {}) => {
    const bytes = readFileSync(new URL(name, TABLES));
    change(bytes);
    return engine.add_table(...put(bytes));
};
assert.equal(add("tsivy/3v3.vtb", (bytes) => bytes.fill(1, 100)), 0);
assert.equal(add("dimy/2v2.vtb"), 0);
const stones = ["3v3", "2v4", "4v2", "1v5", "5v1"].map((slice) => add(`tsivy/${slice}.vtb`));
assert.deepStrictEqual(stones, [5, 5, 5, 5, 6]);

assert.equal(engine.alloc(-1 >>> 0), 0);

const begun = performance.now();
assert.equal(engine.bench(), SIGNATURE);
const speed = Math.round(Number(SIGNATURE) / (performance.now() - begun) * 1e3);
console.log(`${SIGNATURE} nodes ${speed} nps`);
assert.ok(speed >= Number(least), `expected at least ${least} nps`);

const text = () => Buffer.from(memory.buffer, engine.answer_text(), engine.answer_length()).toString();
const ask = (route, request) => {
    assert.equal(engine.answer(...put(Buffer.from(route)), ...put(Buffer.from(JSON.stringify(request)))), 200, text());
    return text();
};
const play = () => {
    const place = { rules: "dimy", moves: [] };
    for (let ply = 0; ply < 6; ply += 1) {
        const { stones: [{ from, next: [{ to, how = "" }] }] } = JSON.parse(ask("/position", { place }));
        const { turn } = JSON.parse(ask("/position", { place, turn: `${from}-${to}${how}` }));
        place.moves.push(turn.word.split(":")[0]);
        ask("/play", { page: 1, place, level: 0, clock: { remaining: 100, increment: 0 } });
    }
};
play();
const before = memory.buffer.byteLength;
for (let game = 0; game < 200; game += 1) {
    play();
}
assert.equal(memory.buffer.byteLength, before);
assert.ok(reports.length >= 201 * 6);

if (shared) {
    // In a browser the worker's own script does this.
    const script = `const { workerData: { module, memory, stack }, parentPort } = require("node:worker_threads");
        const env = { now: () => 0, random: () => 1n, processors: () => 2, report: () => {}, memory };
        const engine = new WebAssembly.Instance(module, { env }).exports;
        engine.__stack_pointer.value = stack + 2 ** 24 & -16;
        engine.__wasm_init_tls(stack + 15 & -16);
        parentPort.postMessage("ready");
        engine.lend_thread();`;
    const stack = engine.stack();
    const thread = new Worker(script, { eval: true, workerData: { module, memory, stack } });
    await once(thread, "message");
    const place = { rules: "tsivy", moves: [] };
    // It uses its stack when it searches.
    const used = () => new Uint8Array(memory.buffer, stack + 2 ** 23, 2 ** 23).filter((byte) => byte !== 0).length;
    for (const [threads, isUsed] of [[1, false], [2, true]]) {
        ask("/engine", { threads });
        // With other tables there is another searcher, which has as many threads.
        add("tsivy/3v3.vtb");
        ask("/analyse", { page: 1, place, lines: 1, time: 1000 });
        assert.equal(used() > 1000, isUsed);
        const { kind, turn, comment } = JSON.parse(reports.at(-1));
        assert.equal(kind, "done");
        ask("/position", { place: { ...place, moves: [turn.split(":")[0]] } });
        console.log(`${threads} threads: ${comment}`);
    }
    await thread.terminate();
}
