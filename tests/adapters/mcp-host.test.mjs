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
