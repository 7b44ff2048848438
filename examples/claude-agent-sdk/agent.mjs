/** How does an agent of Claude's Agent SDK look with these tools? It searches the tools of MCP servers, and calls one. */

import { query } from "@anthropic-ai/claude-agent-sdk";
import { session, servers } from "./catalog.mjs";
import { toolsiftServer } from "./server.mjs";

const messages = query({
  prompt: "Remember that Ada likes engines.",
  options: {
    mcpServers: { toolsift: toolsiftServer(session, servers.execute) },
    allowedTools: ["mcp__toolsift__tool_search", "mcp__toolsift__tool_describe", "mcp__toolsift__tool_call"],
  },
});
for await (const message of messages) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
await servers.close();
