// The module under Node: its signature, its speed, and tables that are added. Arguments: the module, and that it may
// have no fewer nodes a second (default: any number).
import assert from "node:assert";
import { readFileSync } from "node:fs";

const SIGNATURE = 5331741n;
const TABLES = new URL("../engine/tablebase/built_in/", import.meta.url);

const [path, least = "0"] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
assert.deepStrictEqual(WebAssembly.Module.imports(module), [{ module: "env", name: "now", kind: "function" }]);
const imports = { env: { now: () => performance.now() } };
const engine = new WebAssembly.Instance(module, imports).exports;

const add = (name, change = () => {}) => {
    const bytes = readFileSync(new URL(name, TABLES));
    change(bytes);
    const memory = engine.alloc(bytes.length);
    assert.notEqual(memory, 0);
    new Uint8Array(engine.memory.buffer, memory, bytes.length).set(bytes);
    return engine.add_table(memory, bytes.length);
};
assert.equal(add("tsivy/3v3.vtb", (bytes) => bytes.fill(1, 100)), 0);
assert.equal(add("dimy/2v2.vtb"), 0);
const stones = ["3v3", "2v4", "4v2", "1v5", "5v1"].map((slice) => add(`tsivy/${slice}.vtb`));
assert.deepStrictEqual(stones, [5, 5, 5, 5, 6]);

const memory = engine.alloc(1 << 20);
engine.free(memory, 1 << 20);
assert.equal(engine.alloc(-1 >>> 0), 0);

const begun = performance.now();
assert.equal(engine.bench(), SIGNATURE);
const speed = Math.round(Number(SIGNATURE) / (performance.now() - begun) * 1e3);
console.log(`${SIGNATURE} nodes ${speed} nps`);
assert.ok(speed >= Number(least), `expected at least ${least} nps`);
