/** Starts the gateway as a process, over stdio or HTTP, with servers that are processes too. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { at } from "../../scripts/lib/paths.mjs";
import { realServer, serverSdk } from "../../scripts/lib/real-server.mjs";
import { BIN, listening } from "./command-line.mjs";
import { versioned } from "./gateways.mjs";

/** A real server of the workspace, as a configuration has it. */
export const real = (name, ...args) => ({ command: process.execPath, args: [realServer(name), ...args] });

/** The fake server as a configuration has it, and the file in which it writes its process id. */
export const fake = (inside, name, { args = [], pidFile = join(inside, `${name}.pid`), ...more } = {}) => ({
  command: process.execPath,
  args: [at("tests", "cli", "fake-server.mjs"), name, pidFile, ...args],
  ...more,
});

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
export async function overStdio(t, home, args, { cwd, env, ...about } = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...args],
    cwd,
    env: { ...process.env, TOOLSIFT_HOME: join(home, "state"), ...env },
    stderr: "pipe",
  });
  let written = "";
  transport.stderr.on("data", (chunk) => (written += chunk));
  const client = versioned(about);
  t.onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, stderr: () => written, pid: transport.pid };
}

/** A gateway that listens: `client()` connects to it with the token that it has made, which the headers in `own` hold. */
export async function overHttp(t, home, args) {
  const open = await listening(t, ["mcp", "--http", "0", ...args], { env: { TOOLSIFT_HOME: join(home, "state") } });
  const token = join(home, "state", "http-token");
  const own = existsSync(token) ? { authorization: `Bearer ${readFileSync(token, "utf8").trim()}` } : {};
  const client = async ({ headers = {}, ...about } = {}) => {
    const connected = versioned(about);
    await connected.connect(
      new StreamableHTTPClientTransport(new URL(open.url), { requestInit: { headers: { ...own, ...headers } } }),
    );
    t.onTestFinished(() => connected.close().catch(() => {}));
    return connected;
  };
  return { ...open, own, client };
}
