/** What do the examples work with? A server that has a memory, and one that has the files of the current folder. */

import { resolve } from "node:path";

export const mcpServers = {
  memory: {
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-memory"],
    env: { MEMORY_FILE_PATH: resolve("memory.jsonl") },
  },
  files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] },
};
