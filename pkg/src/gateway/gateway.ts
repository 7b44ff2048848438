/** Opens a gateway: the parts that all clients share, and those that serve them over HTTP or a transport of the SDK. */

import type { McpRequestContext, Server } from "@modelcontextprotocol/server";
import type { ToolSift } from "../core/sift.js";
import { shaped } from "../base/shape.js";
import { wordsOf } from "../author/background/load.js";
import { withTranslations } from "../packs/with-packs.js";
import { ToolSiftError } from "../base/errors.js";
import { kind, reasonOf } from "../base/values.js";
import { Connection } from "./connection.js";
import { HttpSide, urisIn } from "./http.js";
import { Hub } from "./hub.js";
import { RULES, rulesOf, serversOf, settingsOf } from "./options.js";
import type { GatewayOptions, GatewayRules, GatewayTool, ServerStatus } from "./types.js";

/** The time limit of `ready()`, in ms. */
const READY_MS = 25_000;

/** An open gateway. */
export interface Gateway {
  /**
   * Serves one HTTP request: Streamable HTTP, in the protocols with and without `initialize`. It checks neither `Host` nor
   * `Origin` nor the caller: check them first. It does not use `this`.
   */
  fetch: (request: Request) => Promise<Response>;
  /**
   * Makes the MCP server for one client: the factory that `serveStdio` of the SDK takes.
   *
   * @throws ToolSiftError `option_invalid`, and `disposed` after `close`
   */
  server: (context: { era: "legacy" | "modern" }) => Promise<Server>;
  /**
   * Subscribes to the resources in a `subscriptions/listen` request. If you have a transport of your own, call it for each
   * of these requests before you pass the request on.
   *
   * @throws ToolSiftError `option_invalid`; the SDK's `ProtocolError` if no server has a resource: send it to the client
   */
  follow(request: unknown): Promise<void>;
  /** Returns the state of each server. */
  status(): ServerStatus[];
  /** Returns the number of HTTP sessions. Only clients of the protocol with `initialize` have sessions. */
  sessions(): number;
  /** Returns the tools that can be found, of all servers. */
  tools(): GatewayTool[];
  /** Asks the trust policy again. Call it after an approval. */
  reviewAgain(): Promise<void>;
  /**
   * Replaces the configuration of servers. Unchanged servers keep running, removed servers are stopped, new ones are added.
   *
   * @param rules new `allow`, `deny` and `effects`; if absent, the rules stay as they are
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`, and `disposed` after `close`. Nothing has
   * changed then.
   */
  setServers(mcpServers: GatewayOptions["mcpServers"], rules?: GatewayRules): Promise<void>;
  /** Waits until every server has listed its tools or has failed, for 25 seconds at most. */
  ready(): Promise<void>;
  /** Closes all connections to clients and to servers. */
  close(): Promise<void>;
}

/** Opens a gateway. */
export async function open(options: GatewayOptions): Promise<Gateway> {
  const settings = settingsOf(options);
  settings.words = await wordsOf(settings.enrich);
  const { ToolSift } = await import("toolsift:self");
  const catalog = settings.packs ? await withTranslations(settings.catalog) : settings.catalog;
  const sift = new ToolSift({ ...catalog, surface: "constant" });
  checkScope(sift, settings.scope);
  const hub: Hub = new Hub(sift, settings, ToolSift.version, (change) => http.publish(change));
  let isClosed = false;
  const connect = async ({ era, requestInfo }: Pick<McpRequestContext, "era" | "requestInfo">): Promise<Connection> => {
    if (isClosed) throw new ToolSiftError("disposed", "the gateway was closed");
    // The gateway's capabilities and instructions are made from the definitions that are stored on disk.
    await hub.servers.remembered();
    return new Connection(hub, era, hub.view(requestInfo));
  };
  const http = new HttpSide(hub, connect);
  return {
    fetch: async (request) => {
      if (isClosed) return failed(503, "The gateway was closed");
      hub.clients.isPublic = true;
      try {
        return await http.fetch(request);
      } catch (error) {
        // An error of your program's `scope` is reported to your program, not to clients.
        hub.servers.problem(`a request over HTTP failed: ${reasonOf(error)}`);
        return failed(500, "Internal error");
      }
    },
    server: async (context) => {
      const { era } = Object(context) as Partial<typeof context>;
      if (era === "legacy" || era === "modern") return (await connect({ era })).server;
      throw new ToolSiftError("option_invalid", `the context's era is ${kind(era)}; it must be legacy or modern`);
    },
    follow: async (request) => {
      const view = hub.view(undefined);
      for (const uri of urisIn(request)) await hub.notices.subscribe(view, uri);
    },
    status: () => hub.servers.status(),
    sessions: () => http.sessions,
    tools: () => hub.servers.catalog.entries.map(({ server, tool, name }) => ({ server, tool: tool.name, name })),
    reviewAgain: () => hub.servers.reviewAgain(),
    setServers: async (mcpServers, rules) => {
      const plans = serversOf(mcpServers, settings.env);
      const newRules = rules === undefined ? undefined : rulesOf(shaped(rules, RULES, "rules"));
      await hub.servers.replan(plans, newRules);
    },
    ready: () => hub.servers.ready({ ms: READY_MS }),
    close: async () => {
      isClosed = true;
      await http.close();
      await hub.close();
    },
  };
}

/** Checks a scope that is the same for all clients, so that an invalid scope is refused at the start. */
function checkScope(sift: ToolSift, scope: GatewayOptions["scope"]): void {
  if (scope === undefined || typeof scope === "function") return;
  try {
    sift.session("scope", { scope }).close();
  } catch (error) {
    sift.dispose();
    throw error;
  }
}

function failed(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_603, message }, id: null }, { status });
}
