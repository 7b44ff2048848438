/** Helpers for the tests of `toolsift()`: servers over stdio from a configuration, and processes that must end. */

import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../../scripts/lib/installed.mjs";
import { realServer } from "../../../scripts/lib/real-server.mjs";
import { httpServer } from "../../lib/http.mjs";

/** An MCP SDK, beside the packages of an application. */
export const MCP = { "@modelcontextprotocol/client": "@modelcontextprotocol/client" };
export const MCP_V1 = { "@modelcontextprotocol/sdk": "@modelcontextprotocol/sdk" };

const server = (name, ...args) => [realServer(name), ...args];

/** The configuration of real servers, as JSON would have it; each in a folder of its own. */
export function configOf(...names) {
  const folder = mkdtempSync(join(scratch(), "doorway-"));
  const all = {
    memory: { command: process.execPath, args: server("memory"), env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } },
    filesystem: { type: "stdio", command: process.execPath, args: server("filesystem", folder), cwd: folder },
  };
  return { folder, mcpServers: Object.fromEntries(names.map((name) => [name, all[name]])) };
}

/** The processes of this machine whose command line holds a text: at the latest after some seconds, as many as wanted. */
export async function processes(text, wanted) {
  for (const end = Date.now() + 10_000; ; ) {
    const lines = execFileSync("ps", ["-eo", "pid,stat,args"], { encoding: "utf8" }).split("\n");
    const found = lines.filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line) && !line.includes("ps -eo"));
    if (found.length === wanted || Date.now() > end) return found.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An HTTP server that answers every request with a status: `{ url, asked, close }`. */
export async function answering(status) {
  const asked = [];
  const { url, close } = await httpServer((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization ?? ""}`.trim());
    response.writeHead(status, { "content-type": "text/plain" }).end("no");
  });
  return { url: `${url}/mcp`, asked, close };
}
