/**
 * What does a host get wrong, and when is it told?
 *
 * 1. By the types, where only one of the SDKs is installed: a strict program compiles; with what is no client, and with options
 * that do not exist, it does not. 2. By a ToolSiftError, and nothing has changed. 3. A listener of its own that throws, and a
 * catalog that it has disposed of, end nothing.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { ECHO, SDKS, pair, until } from "./lib/mcp.mjs";
import { compiles } from "./lib/strict.mjs";

const program = (module) => `
import { Client } from "${module}";
import { type Execute, type Session, ToolSift, runTools } from "toolsift";
import { type McpClient, type McpServers, type McpState, type McpToolResult, connectMcp } from "toolsift/mcp";

declare const session: Session;
const client = new Client({ name: "a", version: "1" });
const sift = new ToolSift();
export const servers: McpServers = await connectMcp(sift, { memory: client, github: { client, deferral: "never" } }, {
  names: "strict",
  timeoutMs: 1_000,
  reconnect: async (name) => new Client({ name, version: "1" }),
  onChange: ({ name, state, rejected }) => void [name, state satisfies McpState, rejected.length],
});
export const execute: Execute = servers.execute;
export const report = await runTools(session, { send: () => ({ calls: [] }), execute: servers.execute });
export const result: McpToolResult = await servers.execute({ server: "memory", name: "a", arguments: {} });
export const text: string = servers.instructions(session) + servers.instructions();
export const state: McpState = (await servers.add("memory", client)).state;
export const taken: McpClient = servers.remove("memory");
export const mixed = servers.has(null) ? await servers.refresh() : servers.status();
await servers.close();

// @ts-expect-error what is no client
await connectMcp(sift, { memory: {} });
// @ts-expect-error a policy that does not exist
await connectMcp(sift, { memory: { client, names: "any way" } });
// @ts-expect-error an option that does not exist
await connectMcp(sift, { memory: client }, { reconnects: () => client });
`;

for (const sdk of SDKS) {
  const { packages, modules } = sdk;
  const label = `toolsift/mcp (${sdk.label}): `;
  const opened = (options) => pair(sdk, options);

  compiles(`${label}a client fits by its type`, program(modules[0]), packages);

  test(`${label}what the host does wrong is a ToolSiftError`, async () => {
    const { servers, sift, connectMcp, wired, Client, a } = await opened();
    const client = a.client;
    const wrong = (work, code, message) => assert.rejects(async () => work(), { name: "ToolSiftError", code, message });
    await wrong(
      () => connectMcp({}, { a: client }),
      "option_invalid",
      /sift must be a ToolSift or a session, got an object without register/,
    );
    await wrong(() => connectMcp(sift, [client]), "option_invalid", /clients must be an object/);
    await wrong(() => connectMcp(sift, new Map([["a", client]])), "option_invalid", /clients must be an object/);
    await wrong(() => connectMcp(sift, { a: {} }), "option_invalid", /client of a must be a Client of .* without listTools/);
    await wrong(() => connectMcp(sift, { a: null }), "option_invalid", /client of a must be a Client of .* got null/);
    await wrong(() => connectMcp(sift, { "": client }), "option_invalid", /no name of a server/);
    const unconnected = new Client({ name: "t", version: "1" });
    await wrong(() => connectMcp(sift, { a: unconnected }), "option_invalid", /not connected; await client\.connect/);
    await wrong(() => connectMcp(sift, { a: client }, { reconnects: 1 }), "option_unknown", /did you mean reconnect/);
    await wrong(() => connectMcp(sift, { a: client }, { reconnect: 1 }), "option_invalid", /reconnect/);
    await wrong(() => connectMcp(sift, { a: client }, { timeoutMs: 0 }), "limit_out_of_range", /timeoutMs is 0/);
    await wrong(() => connectMcp(sift, { a: client }, { maxTools: 1e9 }), "limit_out_of_range", /maxTools/);
    await wrong(() => connectMcp(sift, { a: client }, { names: "any way" }), "option_invalid", /names/);
    await wrong(() => connectMcp(sift, { a: { client, deferral: "maybe" } }), "option_invalid", /deferral/);
    await wrong(() => connectMcp(sift, { a: { client, names: "" } }), "option_invalid", /names/);
    await wrong(() => connectMcp(sift, { a: { client, server: "b" } }), "option_unknown", /server/);
    await wrong(() => servers.execute({ ...ECHO, server: "z" }), "option_invalid", /no MCP server "z"; there are: a, b/);
    await wrong(() => servers.execute(), "option_invalid", /no MCP server/);
    await wrong(() => servers.remove("z"), "option_invalid", /no MCP server "z"/);
    await wrong(() => servers.refresh("z"), "option_invalid", /no MCP server "z"/);
    await wrong(() => servers.instructions("chat"), "option_invalid", /session must be what sift\.session/);
    assert.deepEqual([servers.has("a"), servers.has("z"), servers.has(null)], [true, false, false]);
    assert.equal(sift.tools().length, 3, "nothing has changed");

    await servers.close();
    assert.deepEqual([sift.tools(), servers.status(), client.transport], [[], [], undefined]);
    await servers.close();
    await wrong(async () => servers.add("a", (await wired({ tools: [] })).client), "disposed", /closed/);
  });

  test(`${label}neither a listener that throws nor a catalog that is no more ends anything`, async () => {
    let told = 0;
    const { servers, sift, a, b } = await opened({
      onChange: () => {
        if (++told % 2 === 0) return Promise.reject(new Error("mine, later"));
        throw new Error("mine");
      },
    });
    assert.equal(told, 2);
    sift.dispose();
    a.wire.change();
    await until("read", () => a.wire.count("tools/list") === 2);
    await until("told", () => servers.status()[0].error !== null);
    assert.match(servers.status()[0].error, /dispose/);
    await b.wire.close();
    await until("closed", () => servers.status()[1].state === "closed");
    assert.equal((await servers.execute(ECHO)).content[0].text, "one ran");
    await servers.close();
  });
}
