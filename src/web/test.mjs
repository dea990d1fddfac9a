// The module under Node: its signature, its speed, tables that are added, and the memory of 200 short games. Arguments: the
// module, and that it may have no fewer nodes a second (default: any number).
import assert from "node:assert";
import { readFileSync } from "node:fs";

const SIGNATURE = 5331741n;
const TABLES = new URL("../engine/tablebase/built_in/", import.meta.url);

const [path, least = "0"] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
let reports = 0;
const env = { now: () => performance.now(), random: () => 1n, report: () => { reports += 1; } };
assert.deepStrictEqual(WebAssembly.Module.imports(module).map(({ name }) => name).sort(), Object.keys(env).sort());
const engine = new WebAssembly.Instance(module, { env }).exports;

const put = (bytes) => {
    const memory = engine.alloc(bytes.length);
    assert.notEqual(memory, 0);
    new Uint8Array(engine.memory.buffer, memory, bytes.length).set(bytes);
    return [memory, bytes.length];
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

const text = () => Buffer.from(engine.memory.buffer, engine.answer_text(), engine.answer_length()).toString();
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
const before = engine.memory.buffer.byteLength;
for (let game = 0; game < 200; game += 1) {
    play();
}
assert.equal(engine.memory.buffer.byteLength, before);
assert.ok(reports >= 201 * 6);
