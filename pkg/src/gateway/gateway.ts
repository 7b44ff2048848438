/** Opens a gateway: the core for all clients, and what serves them over HTTP or any transport of the SDK. */

import type { McpRequestContext, Server } from "@modelcontextprotocol/server";
import { Connection } from "./connection.js";
import { Core } from "./core.js";
import { HttpSide } from "./http.js";
import { settingsOf } from "./options.js";
import type { GatewayOptions, ServerStatus } from "./types.js";

/** An open gateway. */
export interface Gateway {
  /**
   * Serves one HTTP request: Streamable HTTP in both protocols. It checks neither Host nor Origin nor who asks: do so before it.
   * The function can be passed around by itself.
   */
  fetch: (request: Request) => Promise<Response>;
  /** Makes the MCP server for one client: the factory that `serveStdio` of the SDK takes. */
  server: (context: { era: "legacy" | "modern" }) => Server;
  /** A client follows resources: for transports of one's own, which see `subscriptions/listen` first. */
  follow(uris: readonly string[]): Promise<void>;
  /** How the servers stand. */
  status(): ServerStatus[];
  /** Asks the trust policy again, after something was approved. */
  reviewAgain(): Promise<void>;
  /** Waits until every server is known or has failed, 25 seconds at most. */
  ready(): Promise<void>;
  /** Ends all connections, those of the servers included. */
  close(): Promise<void>;
}

/**
 * Opens a gateway in front of MCP servers. Its clients see a search tool, a tool that describes and tools that call; or all
 * tools as they are, where these take fewer tokens than searching would save.
 *
 * ```ts
 * import { gateway } from "toolsift/gateway";
 *
 * export default await gateway({ mcpServers: { docs: { url: "https://example.com/mcp" } } });
 * ```
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`
 */
export async function gateway(options: GatewayOptions): Promise<Gateway> {
  const settings = settingsOf(options);
  const { ToolSift } = await import("toolsift:self");
  const sift = new ToolSift({ ...settings.catalog, unrevealedCall: "allow" });
  const core = new Core(sift, settings, ToolSift.version);
  const connect = ({ era, requestInfo }: McpRequestContext): Server => {
    return new Connection(core, { era }, core.view(requestInfo, era)).server;
  };
  const http = new HttpSide({
    maxSessions: settings.maxSessions,
    connect,
    scopeKey: (request) => core.scopeKey(request),
    follow: async (request, uris) => {
      const view = core.view(request, "modern");
      for (const uri of uris) await core.subscribe(view, uri);
    },
  });
  core.publish = (kind) => http.publish(kind);
  return {
    fetch: (request) => {
      core.makePublic();
      return http.fetch(request);
    },
    server: ({ era }) => connect({ era }),
    follow: async (uris) => {
      const view = core.view(undefined, "modern");
      for (const uri of uris) await core.subscribe(view, uri);
    },
    status: () => core.status(),
    reviewAgain: () => core.reviewAgain(),
    ready: () => core.ready(),
    close: async () => {
      await http.close();
      await core.close();
    },
  };
}
