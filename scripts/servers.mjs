/**
 * The six real MCP servers for the tests and the playground, started over stdio with the official client, with only files of
 * this machine. Two of them (memory, filesystem) really work, each in a temporary folder. The others need an account and
 * only list their tools.
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "./lib/paths.mjs";

/** The servers and their commands. `folder` is a new temporary folder. */
export const SERVERS = [
  { name: "everything", package: "@modelcontextprotocol/server-everything", args: () => ["stdio"] },
  { name: "filesystem", package: "@modelcontextprotocol/server-filesystem", args: (folder) => [folder] },
  {
    name: "memory",
    package: "@modelcontextprotocol/server-memory",
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
  },
  {
    name: "github",
    package: "@modelcontextprotocol/server-github",
    env: () => ({ GITHUB_PERSONAL_ACCESS_TOKEN: "none" }),
  },
  {
    name: "slack",
    package: "@modelcontextprotocol/server-slack",
    env: () => ({ SLACK_BOT_TOKEN: "none", SLACK_TEAM_ID: "none" }),
  },
  {
    name: "cloudflare",
    package: "@cloudflare/mcp-server-cloudflare",
    args: () => ["run", "0".repeat(32)],
    env: () => ({ CLOUDFLARE_API_TOKEN: "none" }),
  },
];

/** The time that a server may take to start and to list its tools, in ms. */
const PATIENCE = 20_000;

/**
 * Starts all servers together, or those with the given `names`, and lists their tools. Each running server is
 * `{ name, package, version, client, tools, folder, close }`. A server that does not start is in `failed`, as
 * `{ name, error }`. `close` ends all servers and removes their folders.
 */
export async function startServers({ names, patience = PATIENCE } = {}) {
  const wanted = SERVERS.filter(({ name }) => !names || names.includes(name));
  const started = await Promise.allSettled(wanted.map((server) => start(server, patience)));
  const servers = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.flatMap((one, i) =>
    one.status === "rejected" ? [{ name: wanted[i].name, error: one.reason.message }] : [],
  );
  return { servers, failed, close: async () => void (await Promise.all(servers.map((server) => server.close()))) };
}

async function start(server, patience) {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const home = at("node_modules", server.package);
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const folder = mkdtempSync(join(tmpdir(), `toolsift-${server.name}-`));

  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(home, "dist", "index.js"), ...(server.args?.(folder) ?? [])],
    // In addition, the transport passes on only variables that every program needs, such as PATH.
    env: server.env?.(folder) ?? {},
    cwd: folder,
    stderr: "pipe",
  });
  let complaints = "";
  transport.stderr.on("data", (text) => (complaints = (complaints + text).slice(-2_000)));
  const client = new Client({ name: "toolsift", version: "0.1.0" });
  const close = async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await client.connect(transport, { timeout: patience });
    const tools = await listTools(client, patience);
    return { name: server.name, package: server.package, version, client, tools, folder, close };
  } catch (error) {
    await close();
    throw new Error([error.message, complaints.trim()].filter(Boolean).join(": "));
  }
}

/** Returns the tools from all pages of a server's list. */
async function listTools(client, timeout) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
