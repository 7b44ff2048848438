/** What do the examples work with? The tools of two real MCP servers: a memory, and the files of the current folder. */

import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolSift } from "toolsift";
import { connectMcp } from "toolsift/mcp";

/**
 * A client of a server that npx fetches and starts.
 *
 * @param {string[]} args
 */
async function start(args, env = {}) {
  const client = new Client({ name: "example", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: "npx", args: ["-y", ...args], env }));
  return client;
}

const [memory, files] = await Promise.all([
  start(["@modelcontextprotocol/server-memory"], { MEMORY_FILE_PATH: resolve("memory.jsonl") }),
  start(["@modelcontextprotocol/server-filesystem", process.cwd()]),
]);

/**
 * The catalog of their tools. They are so few that all of them would be sent by default; `activation: "on"` searches always.
 */
export const sift = new ToolSift({ activation: "on" });

/** The servers: `servers.execute` runs a tool, `servers.close()` ends them, and with them the program. */
export const servers = await connectMcp(sift, { memory, files });
