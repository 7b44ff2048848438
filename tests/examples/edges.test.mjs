/** Tests the example for edge functions in the other runtimes that it names. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { beforeAll, test } from "vitest";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { install } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { programOf } from "../runtimes/lib/programs.mjs";

let folder;

beforeAll(async () => {
  const { app, home } = await install();
  folder = mkdtempSync(join(app, "edges-"));
  cpSync(at("examples", "worker"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  const link = (from, name) => symlinkSync(from, join(folder, "node_modules", name), "junction");
  link(home, "toolsift");
  for (const name of ["unstorage", "@types/node"]) link(at("node_modules", name), name);
  await node(join(folder, "build-index.mjs"), [], { cwd: folder });
});

test("its types are right", async () => {
  await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", folder]);
});

/** A conversation over HTTP, from the first search to the end. */
async function converse(fetch) {
  const ask = async (path, body, method = body === undefined ? "GET" : "POST") => {
    const headers = { authorization: "Bearer sesame", ...(body && { "content-type": "application/json" }) };
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  assert.equal((await ask("/")).body.tools, 7);
  const found = await ask("/sessions/chat-42/call", {
    name: "search_tools",
    arguments: { query: "high and low water at a port" },
  });
  assert.deepEqual(found.body.revealed, ["tides"]);
  assert.deepEqual((await ask("/sessions/chat-42")).body, { revealed: ["tides"] });
  const { tools } = (await ask("/sessions/chat-42/assemble", { format: "openai" })).body;
  assert.ok(tools.some((tool) => tool.function.name === "tides"));
  assert.equal((await ask("/sessions/chat-42", undefined, "DELETE")).status, 200);
  assert.deepEqual((await ask("/sessions/chat-42")).body, { revealed: [] });
  assert.equal((await fetch("/", { method: "GET", headers: {} })).status, 401);
}

test("Deno serves it", async () => {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const args = scripts.deno.split("&& deno ")[1].split(" ");
  const port = await freePort();
  const env = { ...process.env, KV_PATH: ":memory:", TOKEN: "sesame", PORT: String(port), DENO_NO_UPDATE_CHECK: "1" };
  const deno = spawn(programOf("deno").file, args, { cwd: folder, env: { ...env, DENO_DIR: join(folder, ".deno") } });
  let said = "";
  const ended = new Promise((done) => deno.once("exit", done));
  try {
    await new Promise((ready, fail) => {
      const hear = (chunk) => (said += chunk).includes("Listening on") && ready();
      deno.stdout.on("data", hear);
      deno.stderr.on("data", hear);
      deno.once("exit", () => fail(new Error(said)));
    });
    await converse((path, init) => fetch(new URL(path, `http://127.0.0.1:${port}`), init));
  } finally {
    deno.kill();
    await ended;
  }
});

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** What the edge has, as far as a service needs it. */
const GLOBALS = {
  AbortController,
  AbortSignal,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  clearTimeout,
  console,
  crypto,
  setTimeout,
};

/** Runs an entry as Vercel bundles it, and answers what it exports. */
async function atTheEdge(entry) {
  let wasm;
  const edge = {
    name: "edge",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => {
        wasm = readFileSync(resolve(resolveDir, path.replace("?module", "")));
        return { path, namespace: "edge" };
      });
      // Its server cannot be reached from here.
      onResolve({ filter: /^@upstash\/redis$/ }, ({ path }) => ({ path, namespace: "edge" }));
      onLoad({ filter: /wasm/, namespace: "edge" }, () => ({ contents: "export default globalThis.compiledWasm;" }));
      onLoad({ filter: /upstash/, namespace: "edge" }, () => ({ contents: "export class Redis {}" }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "served",
    target: "es2022",
    conditions: ["edge-light"],
    loader: { ".index": "binary" },
    plugins: [edge],
    logLevel: "silent",
  });
  const process = { env: { TOKEN: "sesame" } };
  const global = { ...GLOBALS, process, compiledWasm: new WebAssembly.Module(wasm) };
  const context = createContext(global, { codeGeneration: { strings: false, wasm: false } });
  runInContext(outputFiles[0].text, context);
  return runInContext("served", context);
}

test("its bundle for Vercel answers, and has an edge's configuration", async () => {
  const { default: serve, config } = await atTheEdge(join(folder, "src", "vercel.ts"));
  assert.equal(config.runtime, "edge");
  const response = await serve(new Request("http://edge/", { headers: { authorization: "Bearer sesame" } }));
  assert.equal((await response.json()).tools, 7);
});

test("the service holds a conversation where nothing but the web's globals is", async () => {
  const entry = join(folder, "src", "edge.ts");
  writeFileSync(
    entry,
    `
    import { createStorage } from "unstorage";
    import index from "./catalog.index";
    import { service } from "./service.ts";
    export default service({ index, storage: createStorage(), token: "sesame" });`,
  );
  const { default: serve } = await atTheEdge(entry);
  await converse((path, init) => serve(new Request(new URL(path, "http://edge"), init)));
});
