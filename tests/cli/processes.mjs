/** The gateway as a process: over stdio or HTTP, with servers that are processes too. */

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { realServer, serverSdk } from "../../scripts/lib/real-server.mjs";
import { BIN, folder } from "./command-line.mjs";

export { BIN, folder };

/** A real server of the workspace, as a configuration has it. */
export const real = (name, ...args) => {
  return {
    command: process.execPath,
    args: [realServer(name), ...args],
  };
};

/** A server of a few lines: `body` sees `server` (of SDK v1) and its `schemas`. */
export function small(folder, name, body) {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `import { schemas, Server, StdioServerTransport } from ${JSON.stringify(serverSdk())};
const server = new Server({ name: ${JSON.stringify(name)}, version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
const tool = (name, description) => ({ name, description, inputSchema: { type: "object" } });
const text = (said) => ({ content: [{ type: "text", text: said }] });
${body}
await server.connect(new StdioServerTransport());
`,
  );
  return { command: process.execPath, args: [file] };
}

/** Writes a configuration and returns its file. */
export function config(inside, mcpServers, toolsift = {}) {
  const file = join(inside, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers, toolsift }, null, 2));
  return file;
}

/** A client of a gateway over stdio; `stderr()` is what the gateway wrote. */
export async function overStdio(t, home, args, { era = "legacy", set = () => {}, capabilities = {} } = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...args],
    env: { ...process.env, TOOLSIFT_HOME: join(home, "state") },
    stderr: "pipe",
  });
  let written = "";
  transport.stderr.on("data", (chunk) => (written += chunk));
  const client = made(era, capabilities, set);
  t.after(() => client.close());
  await client.connect(transport);
  return { client, stderr: () => written, pid: transport.pid };
}

function made(era, capabilities, set) {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  set(client);
  return client;
}

/** A gateway that listens: its `url`, what it wrote, and `client()`. */
export async function overHttp(t, home, args) {
  const env = { ...process.env, TOOLSIFT_HOME: join(home, "state") };
  const child = spawn(process.execPath, [BIN, "mcp", "--http", "0", ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  let written = "";
  child.stderr.on("data", (chunk) => (written += chunk));
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  t.after(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  for (let tries = 0; !/listening on (\S+)/.test(written); tries++) {
    if (tries > 400 || child.exitCode !== null) throw new Error(`it does not listen: ${written}`);
    await pause(25);
  }
  const [, url] = /listening on (\S+)/.exec(written);
  const client = async ({ era = "legacy", set = () => {}, capabilities = {}, headers = {} } = {}) => {
    const connected = made(era, capabilities, set);
    await connected.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    t.after(() => connected.close().catch(() => {}));
    return connected;
  };
  return { url, stderr: () => written, client, pid: child.pid, child, ended };
}

/** Waits until something holds, at most a minute. */
export async function until(holds, what = "it") {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 2_400) throw new Error(`${what} did not happen within a minute`);
    await pause(25);
  }
}
