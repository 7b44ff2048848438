/** Tests that `toolsift/store` works like the other entries of the package. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { build } from "esbuild";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { install, runProgram } from "../package/installed.mjs";

const STORY = `
  const kept = new Map();
  const storage = {
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
    storage.getItem = () => { throw new Error("down"); };
    const down = await caught(() => new SessionStore(filled(), storage).open("chat"));
    console.log(JSON.stringify({ revealed, texts: [...kept.values()].every((text) => typeof text === "string"), down }));
  })();`;
const TOLD = { revealed: ["b", "a"], texts: true, down: ["store_failed", true] };

for (const [file, source] of [
  [
    "store.mjs",
    `import { ToolSift, ToolSiftError } from "toolsift"; import { SessionStore } from "toolsift/store"; ${STORY}`,
  ],
  [
    "store.cjs",
    `const { SessionStore } = require("toolsift/store"); const { ToolSift, ToolSiftError } = require("toolsift"); ${STORY}`,
  ],
]) {
  test(file, async () => assert.deepEqual(await runProgram(file, source), TOLD));
}

test("bundled for a page or a worker, together with slim", async () => {
  const { app } = await install();
  const imports = `import { init, ToolSift, ToolSiftError } from "toolsift/slim"; import { SessionStore } from "toolsift/store";`;
  const read = `import { readFile } from "node:fs/promises"; await init(await readFile(process.argv[2]));`;
  const stdin = { contents: `${imports} ${read} ${STORY}`, resolveDir: app };
  const outfile = join(app, "store-slim.bundled.mjs");
  await build({ stdin, bundle: true, minify: true, format: "esm", outfile, external: ["node:fs/promises"] });
  const wasm = join(app, "node_modules", "toolsift", "dist", "toolsift.wasm");
  assert.deepEqual(JSON.parse((await node(outfile, [wasm], { cwd: app })).stdout), TOLD);
  const text = readFileSync(outfile, "utf8");
  assert.ok(text.length < 100_000 && !text.includes('unstorage"'));
});

test("a store can be made while a worker loads, where neither chance nor timers are allowed", async () => {
  const source = `
    const { ToolSift } = await import("toolsift");
    const sift = new ToolSift();
    const asked = [];
    globalThis.crypto.getRandomValues = () => { asked.push("chance"); };
    globalThis.setTimeout = () => { asked.push("timer"); };
    const { SessionStore } = await import("toolsift/store");
    new SessionStore(sift, { getItem() {}, setItem() {}, removeItem() {} });
    console.log(JSON.stringify(asked));`;
  assert.deepEqual(await runProgram("store-import.mjs", source), []);
});

const PROGRAM = `
import { ToolSift } from "toolsift";
import { SessionStore, type KeyValueStore } from "toolsift/store";
import { createStorage, prefixStorage, type Storage } from "unstorage";

const map = new Map<string, string>();
export const storages: KeyValueStore[] = [
  createStorage<string>(),
  prefixStorage(createStorage(), "app"),
  createStorage() as Storage,
  {
    getItem: (key) => map.get(key),
    setItem: (key, value, options) => void map.set(key, value + (options?.ttl ?? 0).toFixed()),
    removeItem: (key) => map.delete(key),
  },
];
const store = new SessionStore(new ToolSift(), createStorage(), { ttl: 60, prefix: "app" });
export const answer: number = await store.use("chat", async (one) => one.revealed.length, { scope: {} });
// @ts-expect-error no store
new SessionStore(new ToolSift(), new Map());
// @ts-expect-error an id is no session
await store.save("chat");
`;

test("types", async () => {
  const { app } = await install();
  writeFileSync(join(app, "store-types.mts"), PROGRAM);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true, types: [] },
    ...{ module: "node16", moduleResolution: "node16", target: "ES2022", lib: ["ES2022", "DOM"] },
    paths: { unstorage: [at("node_modules", "unstorage", "dist", "index.d.mts")] },
  };
  const config = join(app, "tsconfig.store.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["store-types.mts"] }));
  await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", config]);
});
