/** How does Claude's Agent SDK search tools? By an MCP server in this process, whose three tools stand for all others. */

import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

/** @import { CallToolResult } from "@modelcontextprotocol/sdk/types.js" */
/** @import { Execute, Session } from "toolsift" */

/**
 * A server for `mcpServers`. Its tools never change, so that the prompt cache keeps them.
 *
 * @param {Session} session of a `ToolSift` with the profile `bridge`
 * @param {Execute} execute runs a tool, as `servers.execute` of `connectMcp` does
 */
export function toolsiftServer(session, execute) {
  /** @param {string} name */
  const answers = (name) => /** @param {unknown} args @returns {Promise<CallToolResult>} */ async (args) => {
    const outcome = session.call(name, args);
    if (outcome.kind === "dispatch") return /** @type {CallToolResult} */ (await execute(outcome));
    const text = outcome.kind === "result" ? outcome.content : outcome.error.message;
    return { content: [{ type: "text", text }], isError: outcome.kind === "refused" || outcome.isError };
  };
  /** @type {Record<string, z.ZodRawShape>} */
  const shapes = {
    tool_search: { query: z.string().describe("Words that say what you need"), limit: z.number().int().optional() },
    tool_describe: { name: z.string() },
    tool_call: { name: z.string(), arguments: z.record(z.string(), z.unknown()) },
  };
  const tools = session.assemble().tools.flatMap(({ name, description = "" }) => {
    const shape = shapes[name];
    return shape === undefined ? [] : [tool(name, description, shape, answers(name), { alwaysLoad: true })];
  });
  return createSdkMcpServer({ name: "toolsift", tools });
}
