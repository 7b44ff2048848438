/**
 * Tests `toolsift/gateway` as a `fetch` handler in workerd, Bun and Deno (short form: workerd), with remote servers of both
 * protocols.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { listen } from "../../cli/src/listen/listen.ts";
import { isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { programOf } from "../runtimes/lib/programs.mjs";
import { bundleWorker, runWorker } from "../lib/workerd.mjs";
import { folder, until } from "./command-line.mjs";
import { call, object, said, search, server, text } from "./gateways.mjs";

const notes = server("notes", {
  add_note: {
    description: "Adds a note",
    input: object({ body: { type: "string" } }),
    run: ({ body }) => text(`added ${body}`),
  },
  find_note: { description: "Finds a note", annotations: { readOnlyHint: true } },
});

/** A remote server on this machine. */
async function remote(t) {
  const handler = createMcpHandler(notes);
  const listening = await listen((request) => handler.fetch(request), { port: 0 });
  t.onTestFinished(async () => {
    await handler.close();
    await listening.close();
  });
  return listening.url;
}

const program = (url, serve) => `
import { gateway } from "toolsift/gateway";
const open = gateway({ mcpServers: { notes: { url: ${JSON.stringify(url)} } }, activation: "on", stateless: true });
const fetch = async (request) => (await open).fetch(request);
${serve}`;

/** Both protocols through a gateway: a search, a call, a search again. */
async function converse(url) {
  for (const mode of ["legacy", { pin: "2026-07-28" }]) {
    const who = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await who.connect(new StreamableHTTPClientTransport(new URL(url)));
    assert.equal((await who.listTools()).tools.length, 4);
    assert.match(said(await search(who, "add a note")), /"name":"add_note","server":"notes"/);
    assert.equal(said(await call(who, "add_note", { body: "milk" })), "added milk");
    assert.match(said(await search(who, "find a note")), /"name":"find_note","server":"notes"/);
    await who.close();
  }
}

/** A folder in which the package and its peers can be imported. */
function app() {
  const made = folder();
  for (const name of ["toolsift", "@modelcontextprotocol", "zod"]) {
    const link = join(made, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(at("node_modules", name), link);
  }
  writeFileSync(join(made, "package.json"), '{ "type": "module" }');
  return made;
}

test("in workerd", async (t) => {
  const made = app();
  writeFileSync(join(made, "worker.mjs"), program(await remote(t), "export default { fetch };"));
  const file = join(made, "dist", "worker.js");
  await bundleWorker(join(made, "worker.mjs"), file, { external: ["node:*"] });
  const worker = runWorker(file, { compatibilityFlags: ["nodejs_compat"] });
  t.onTestFinished(() => worker.dispose());
  await converse(new URL("/mcp", await worker.ready));
});

const OTHERS = [
  [
    "bun",
    [],
    'const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });\nconsole.log(`at http://127.0.0.1:${server.port}/`);',
  ],
  [
    "deno",
    ["run", "--allow-all", "--node-modules-dir=manual"],
    'Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(`at http://127.0.0.1:${port}/`) }, fetch);',
  ],
];

for (const [name, args, serve] of isFull ? OTHERS : []) {
  test(`in ${name}`, async (t) => {
    const made = app();
    writeFileSync(join(made, "serve.mjs"), program(await remote(t), serve));
    const child = spawn(programOf(name).file, [...args, "serve.mjs"], { cwd: made, stdio: ["ignore", "pipe", "pipe"] });
    t.onTestFinished(() => void child.kill("SIGKILL"));
    let written = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (written += chunk));
    await until(() => /at (http:\S+)/.test(written), `listening: ${written}`);
    await converse(/at (http:\S+)/.exec(written)[1]);
  });
}
