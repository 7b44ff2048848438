/**
 * Do clients of either SDK fit, where the other is not installed? A strict program of an application with one SDK compiles;
 * what is no client, and options that do not exist, do not.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { appWith } from "./lib/app.mjs";
import { SDKS } from "./lib/mcp.mjs";

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

for (const { label, packages, modules } of SDKS) {
  test(`toolsift/mcp: a client of ${label} fits by its type`, async () => {
    const { folder } = await appWith(packages);
    const name = `typed-${label}.mts`;
    writeFileSync(join(folder, name), program(modules[0]));
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true };
    const kind = { target: "ES2022", module: "node16", moduleResolution: "node16", lib: ["ES2022", "DOM"], types: [], noEmit: true };
    const config = join(folder, `tsconfig.${name}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...kind, ...strict }, files: [name] }));
    await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", config]);
  });
}
