/** Opens a gateway: the hub for all clients, and what serves them over HTTP or any transport of the SDK. */

import type { McpRequestContext, Server } from "@modelcontextprotocol/server";
import { Connection } from "./connection.js";
import { HttpSide } from "./http.js";
import { Hub } from "./hub.js";
import { serversOf, settingsOf } from "./options.js";
import type { GatewayOptions, ServerStatus } from "./types.js";

/** An open gateway. */
export interface Gateway {
  /**
   * Serves one HTTP request: Streamable HTTP in both protocols. It checks neither Host nor Origin nor who asks: do so first.
   * The function can be passed around by itself.
   */
  fetch: (request: Request) => Promise<Response>;
  /** Makes the MCP server for one client: the factory that `serveStdio` of the SDK takes. */
  server: (context: { era: "legacy" | "modern" }) => Server;
  /** Follows resources for clients of the newer protocol on a transport of yours, which sees `subscriptions/listen` first. */
  follow(uris: readonly string[]): Promise<void>;
  /** How the servers stand. */
  status(): ServerStatus[];
  /** Asks the trust policy again, after something was approved. */
  reviewAgain(): Promise<void>;
  /**
   * Takes another configuration of servers: those that stand in it as before go on, the others are ended or begun.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`; nothing has changed then
   */
  setServers(mcpServers: GatewayOptions["mcpServers"]): Promise<void>;
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
  const hub: Hub = new Hub(sift, settings, ToolSift.version, (change) => http.publish(change));
  const connect = ({ era, requestInfo }: Pick<McpRequestContext, "era" | "requestInfo">): Server => {
    return new Connection(hub, era, hub.view(requestInfo, era)).server;
  };
  const follow = async (request: Request | undefined, uris: readonly string[]) => {
    const view = hub.view(request, "modern");
    for (const uri of uris) await hub.notices.subscribe(view, uri);
  };
  const http = new HttpSide({
    maxSessions: settings.maxSessions,
    isStateless: settings.stateless,
    connect,
    scopeKey: (request) => hub.scopeKey(request),
    follow,
    problem: (message) => hub.servers.problem(message),
  });
  return {
    fetch: (request) => {
      hub.clients.isPublic = true;
      return http.fetch(request);
    },
    server: ({ era }) => connect({ era }),
    follow: (uris) => follow(undefined, uris),
    status: () => hub.servers.status(),
    reviewAgain: () => hub.servers.reviewAgain(),
    setServers: async (mcpServers) => hub.servers.replan(serversOf(mcpServers, settings.env)),
    ready: () => hub.servers.ready(),
    close: async () => {
      await http.close();
      await hub.close();
    },
  };
}
