/**
 * Tests a `toolsift()` that one request of a Worker makes and later requests reuse: every call reaches its server, although
 * workerd forbids a request to use another request's connection.
 */

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { listen } from "../../cli/src/listen/listen.ts";
import { bundleWorker, runWorker } from "../lib/workerd.mjs";
import { install } from "../../scripts/lib/installed.mjs";

const WORKER = `
  import { toolsift } from "toolsift/openai";
  let made;
  export default {
    async fetch(request, env) {
      made ??= await toolsift({ activation: "off", mcpServers: { sea: { url: env.SEA } } });
      const calls = [1, 2].map(() => made.servers.execute(made.session("s").call("tide_times", {})));
      const answers = await Promise.all(calls);
      const [{ state, tools, error }] = made.status();
      return Response.json({ texts: answers.map(({ content }) => content[0].text), state, tools, error });
    },
  };`;

test("a kept toolsift() serves every request", async (t) => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "sea", version: "1" });
    server.registerTool("tide_times", { description: "Tides" }, async () => ({ content: [{ type: "text", text: "high" }] }));
    return server;
  });
  const { url, close } = await listen((request) => handler.fetch(request), { port: 0 });
  t.onTestFinished(close);
  const { app } = await install();
  const outdir = mkdtempSync(join(app, "worker-"));
  const file = join(outdir, "worker.js");
  await bundleWorker({ contents: WORKER, resolveDir: app, sourcefile: "worker.js" }, file);
  const worker = runWorker(file, { compatibilityFlags: ["nodejs_compat"], bindings: { SEA: `${url}/mcp` } });
  t.onTestFinished(() => worker.dispose());
  const base = await worker.ready;
  const ask = async () => (await fetch(base)).json();
  const well = { texts: ["high", "high"], state: "connected", tools: 1, error: null };
  for (let request = 0; request < 3; request++) assert.deepEqual(await ask(), well);
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [well, well, well], "at the same time");
});
