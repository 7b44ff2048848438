/**
 * Clients of `@ai-sdk/mcp`, of its latest release and of the oldest that lists tools, given to `connectMcp` as they are.
 *
 * 1. The tools of a real server over stdio are listed and run. 2. Lists that change, instructions, pages, annotations, a
 * connection that ends and `reconnect` work as with MCP's own SDKs. 3. Calls end when they take too long and when the host
 * says so. 4. By its types, a strict program compiles without a cast.
 */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { scratch } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { appWith } from "./lib/app.mjs";
import { ECHO, said, tool, until, wireTo } from "./lib/mcp.mjs";
import { compiles } from "./lib/strict.mjs";

const BOTH = { "@ai-sdk/mcp 1": "@ai-sdk/mcp-1", "@ai-sdk/mcp 2": "@ai-sdk/mcp" };

/** Both majors, or the one that `npm run peers` installed. */
async function majors() {
  if (process.env.TOOLSIFT_PEERS === undefined) return BOTH;
  const label = `@ai-sdk/mcp ${(await appWith({ "@ai-sdk/mcp": "@ai-sdk/mcp" })).version("@ai-sdk/mcp")[0]}`;
  return { [label]: BOTH[label] };
}

const PROGRAM = readFileSync(new URL("types/mcp-ai-sdk.mts", import.meta.url), "utf8");

for (const [label, folder] of Object.entries(await majors())) {
  async function bench() {
    const app = await appWith({ "@ai-sdk/mcp": folder });
    const [{ ToolSift }, { connectMcp }] = [await app.load("toolsift"), await app.load("toolsift/mcp")];
    const [{ createMCPClient }, stdio] = [await app.load("@ai-sdk/mcp"), await app.load("@ai-sdk/mcp/mcp-stdio")];
    const wired = async (server) => {
      const wire = wireTo(server);
      return { wire, client: await createMCPClient({ transport: wire }) };
    };
    const sift = new ToolSift({ activation: "on" });
    return { app, sift, connectMcp, createMCPClient, stdio, wired, of: () => sift.tools().map(({ name }) => name) };
  }

  test(`${label}: a real server over stdio`, async () => {
    const { sift, connectMcp, createMCPClient, stdio } = await bench();
    const cwd = mkdtempSync(join(scratch(), "memory-"));
    const Transport = stdio.StdioMCPTransport ?? stdio.Experimental_StdioMCPTransport;
    const args = [at("node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js")];
    const env = { MEMORY_FILE_PATH: join(cwd, "memory.jsonl") };
    const client = await createMCPClient({
      transport: new Transport({ command: process.execPath, args, env, cwd, stderr: "ignore" }),
    });
    const servers = await connectMcp(sift, { memory: client });
    try {
      assert.equal(servers.status()[0].message, `The MCP server memory is connected with ${sift.tools().length} tools.`);
      const session = sift.session("chat");
      session.reveal(["create_entities", "read_graph"]);
      const entities = [{ name: "Ada", entityType: "person", observations: ["likes engines"] }];
      await servers.execute(session.call("create_entities", { entities }));
      assert.match((await servers.execute(session.call("read_graph", {}))).content[0].text, /likes engines/);
    } finally {
      await servers.close();
    }
    assert.deepEqual(sift.tools(), []);
  });

  test(`${label}: lists, pages, annotations, instructions and failures`, async () => {
    const { sift, connectMcp, wired, of } = await bench();
    const lists = [[{ ...tool("one"), annotations: { readOnlyHint: true } }], [tool("two")]];
    const server = {
      instructions: "Say it twice.",
      list: (cursor = "0") => ({ tools: lists[Number(cursor)], ...(cursor === "0" && { nextCursor: "1" }) }),
      call: (name, args, wire) => {
        if (args.text !== "grow") return said(`${name}: ${args.text}`);
        lists[1].push(tool("three"));
        wire.change();
        return said("grown");
      },
    };
    const a = await wired(server);
    const servers = await connectMcp(sift, { a: a.client });
    assert.deepEqual(of(), ["one", "two"]);
    assert.deepEqual(sift.tools()[0].annotations, { readOnlyHint: true });
    // The oldest release that lists tools does not keep what its server says.
    assert.match(servers.instructions(), folder === "@ai-sdk/mcp-1" ? /^$/ : /The server "a" says:\n> Say it twice\.$/);
    assert.equal((await servers.execute(ECHO)).content[0].text, "one: x");
    await servers.execute({ ...ECHO, arguments: { text: "grow" } });
    assert.deepEqual(of(), ["one", "two", "three"], "the new list is there with the answer");
    await a.client.close();
    await until("closed", () => servers.status()[0].state === "closed");
    assert.deepEqual(of(), []);
    await assert.rejects(servers.execute(ECHO), { code: "not_currently_available" });
    assert.equal((await servers.add("a", (await wired(server)).client)).state, "connected");
    assert.deepEqual(of(), ["one", "two", "three"]);
  });

  test(`${label}: a connection that ends is made anew by reconnect`, async () => {
    const { sift, connectMcp, wired, of } = await bench();
    const a = await wired({ tools: [tool("one")] });
    const anew = await wired({ tools: [tool("one"), tool("two")], call: () => said("anew") });
    const servers = await connectMcp(sift, { a: a.client }, { reconnect: () => anew.client });
    await a.client.close();
    assert.equal((await servers.execute(ECHO)).content[0].text, "anew");
    assert.deepEqual(of(), ["one", "two"]);
  });

  test(`${label}: calls end when they take too long, and when the host says so`, async () => {
    const { sift, connectMcp, wired } = await bench();
    const never = { tools: [tool("one")], call: () => new Promise(() => {}) };
    const servers = await connectMcp(sift, { a: { client: (await wired(never)).client, callTimeoutMs: 80 } });
    await assert.rejects(servers.execute(ECHO), {
      code: "not_currently_available",
      message: "one of a took longer than 80 ms",
    });
    const slow = await wired(never);
    await servers.add("a", { client: slow.client, callTimeoutMs: 60_000 });
    const aborted = new AbortController();
    const ending = servers.execute({ ...ECHO, signal: aborted.signal });
    await until("asked", () => slow.wire.count("tools/call") === 1);
    aborted.abort(new Error("enough"));
    await assert.rejects(ending, /enough/);
  });

  compiles(`${label}: a client fits by its type`, PROGRAM, { "@ai-sdk/mcp": folder });
}
