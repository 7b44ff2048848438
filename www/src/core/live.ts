/**
 * Asks a live MCP server for its tools over Streamable HTTP. The MCP SDK is loaded when the first server is asked. A token
 * goes into the requests to that server and nowhere else; nothing keeps it.
 */
import type { ToolDefinition } from "toolsift";

/** Pages of a list that are read at most. */
const MOST_PAGES = 100;

/** A server has so long for each answer. */
const TIMEOUT_MS = 20_000;

export interface Answer {
  /** What the server calls itself. */
  name: string;
  tools: ToolDefinition[];
}

/** @throws Error that says what the server, or the browser, refused */
export async function listLive(url: string, token: string): Promise<Answer> {
  const { config } = await import("zod");
  // The page's policy forbids code that is made at run time; without this, zod would try.
  config({ jitless: true });
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const headers: Record<string, string> = token === "" ? {} : { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: "toolsift-playground", version: "1.0.0" });
  try {
    await client.connect(transport, { timeout: TIMEOUT_MS });
    const tools: ToolDefinition[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await client.listTools(params, { timeout: TIMEOUT_MS });
      tools.push(...(answer.tools as ToolDefinition[]));
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return { name: client.getServerVersion()?.name ?? "", tools };
  } finally {
    await client.close().catch(() => undefined);
  }
}
