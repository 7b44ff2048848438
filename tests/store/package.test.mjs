/**
 * Is `toolsift/store` a good part of the package?
 *
 * 1. `import` and `require` work, and errors are of the one class that the package has. 2. It holds no wasm, asks for
 * nothing at import, and needs no unstorage. 3. The storages of unstorage are what its types ask for, and so is a small
 * object; what is misspelt does not compile.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { install, runProgram } from "../package/installed.mjs";

const STORY = `
  const kept = new Map();
  const storage = {
    getKeys: () => [...kept.keys()],
    getItem: (key) => kept.get(key),
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  const filled = () => {
    const sift = new ToolSift();
    sift.register(["a", "b"].map((name) => ({ name })), { server: "s" });
    return sift;
  };
  const caught = async (work) => { try { await work(); } catch (error) { return [error.code, error instanceof ToolSiftError]; } };
  (async () => {
    await new SessionStore(filled(), storage).use("chat", (session) => session.reveal(["b", "a"]));
    const { revealed } = await new SessionStore(filled(), storage).open("chat");
    const option = await caught(() => new SessionStore(filled(), storage, { tll: 1 }));
    storage.getKeys = () => { throw new Error("down"); };
    const down = await caught(() => new SessionStore(filled(), storage).open("chat"));
    console.log(JSON.stringify({ revealed, texts: [...kept.values()].every((text) => typeof text === "string"), option, down }));
  })();`;

const TOLD = { revealed: ["b", "a"], texts: true, option: ["option_unknown", true], down: ["store_failed", true] };

test("import", async () => {
  const source = `import { ToolSift, ToolSiftError } from "toolsift"; import { SessionStore } from "toolsift/store"; ${STORY}`;
  assert.deepEqual(await runProgram("store.mjs", source), TOLD);
});

test("require", async () => {
  const source = `const { SessionStore } = require("toolsift/store"); const { ToolSift, ToolSiftError } = require("toolsift"); ${STORY}`;
  assert.deepEqual(await runProgram("store.cjs", source), TOLD);
});

test("bundled for a page or a worker, together with slim", async () => {
  const { app } = await install();
  const { build } = await import("esbuild");
  const entry = join(app, "store-slim.mjs");
  const read = `import { readFile } from "node:fs/promises"; await init(await readFile(process.argv[2]));`;
  const source = `import { init, ToolSift, ToolSiftError } from "toolsift/slim"; import { SessionStore } from "toolsift/store"; ${read} ${STORY}`;
  writeFileSync(entry, source);
  const outfile = join(app, "store-slim.bundled.mjs");
  await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    outfile,
    external: ["node:fs/promises"],
    logLevel: "silent",
  });
  const wasm = join(app, "node_modules", "toolsift", "dist", "toolsift.wasm");
  assert.deepEqual(JSON.parse((await node(outfile, [wasm], { cwd: app })).stdout), TOLD);
  assert.ok(readFileSync(outfile).length < 100_000);
});

/** A file of dist with those that it imports. */
function closure(dist, name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  const named = [...readFileSync(join(dist, name), "utf8").matchAll(/(?:from|import|require\()\s*"\.\/([^"]+\.js)"/g)];
  for (const [, next] of named) closure(dist, next, seen);
  return seen;
}

test("it holds no wasm, and nothing happens at import", async () => {
  const { home } = await install();
  const dist = join(home, "dist");
  assert.ok(readdirSync(dist).includes("store.js"));
  const files = [...closure(dist, "store.js")];
  assert.ok(
    files.every((name) => name === "store.js" || name.startsWith("shared-")),
    files.join(),
  );
  const text = files.map((name) => readFileSync(join(dist, name), "utf8")).join("");
  assert.ok(!/WebAssembly|__wbg|unstorage"/.test(text) && text.length < 50_000, `${text.length} characters`);

  const source = `
    const asked = [];
    globalThis.crypto.getRandomValues = () => { asked.push("chance"); };
    globalThis.setTimeout = () => { asked.push("timer"); };
    await import("toolsift/store");
    console.log(JSON.stringify([asked, typeof globalThis[Object.getOwnPropertySymbols(globalThis).find((one) => String(one).includes("toolsift.wasm"))]]));`;
  assert.deepEqual(await runProgram("store-import.mjs", source), [[], "undefined"]);
});

const PROGRAM = `
import { ToolSift } from "toolsift";
import type { Session } from "toolsift";
import { SessionStore } from "toolsift/store";
import type { KeyValueStore, SessionStoreOptions } from "toolsift/store";
import { createStorage, prefixStorage } from "unstorage";
import type { Storage } from "unstorage";

const sift = new ToolSift();
const options: SessionStoreOptions = { ttl: 60, prefix: "app", settleMs: 60_000, timeoutMs: 1_000 };
const store = new SessionStore(sift, createStorage(), options);
export const others: KeyValueStore[] = [
  createStorage<string>(),
  prefixStorage(createStorage(), "app"),
  createStorage() as Storage,
  { getKeys: async () => [], getItem: async () => null, setItem: async () => {}, removeItem: async () => {} },
];
export const map = new Map<string, string>();
export const small = new SessionStore(sift, {
  getKeys: () => [...map.keys()],
  getItem: (key) => map.get(key),
  setItem: (key, value, options) => void map.set(key, value + (options?.ttl ?? 0).toFixed()),
  removeItem: (key) => map.delete(key),
});
export async function run(): Promise<string[]> {
  const session: Session = await store.open("chat", { scope: { servers: ["s"] } });
  await store.save(session);
  await store.delete("chat");
  const answer: number = await store.use("chat", async (one) => one.revealed.length, { scope: {} });
  return store.use("chat", (one) => one.revealed.slice(answer));
}
// @ts-expect-error a misspelt option
new SessionStore(sift, createStorage(), { tll: 1 });
// @ts-expect-error no store
new SessionStore(sift, new Map());
// @ts-expect-error a scope is no option of the store
new SessionStore(sift, createStorage(), { scope: {} });
// @ts-expect-error an id is no session
await store.save("chat");
`;

test("types", async () => {
  const { app } = await install();
  writeFileSync(join(app, "store-types.mts"), PROGRAM);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    module: "node16",
    moduleResolution: "node16",
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    types: [],
    noEmit: true,
    paths: { unstorage: [at("node_modules", "unstorage", "dist", "index.d.mts")] },
  };
  const config = join(app, "tsconfig.store.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["store-types.mts"] }));
  await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", config]);
});
