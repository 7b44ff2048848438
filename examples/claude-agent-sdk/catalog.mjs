/** What does the agent search? The tools of two real MCP servers: a memory, and the files of the current folder. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolSift } from "toolsift";
import { connectMcp } from "toolsift/mcp";

/** @param {string[]} args */
async function start(args, env = {}) {
  const client = new Client({ name: "example", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: "npx", args: ["-y", ...args], env }));
  return client;
}

const [memory, files] = await Promise.all([
  start(["@modelcontextprotocol/server-memory"], { MEMORY_FILE_PATH: `${process.cwd()}/memory.jsonl` }),
  start(["@modelcontextprotocol/server-filesystem", process.cwd()]),
]);

// The list of tools stays as it is while the agent works: tools are searched, described and called through three others.
const sift = new ToolSift({ profile: "bridge", activation: "on" });

export const servers = await connectMcp(sift, { memory, files });
export const session = sift.session("chat-42");
