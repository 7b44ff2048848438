/** Calls of clients: of the surface, and through it of the tools of servers. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { mayDownload } from "../mcp/installer.js";
import { reasonOf } from "../values.js";
import { type Down, descriptions, searchAnswer } from "./answers.js";
import type { FindableTool, View } from "./catalog.js";
import type { Peer } from "./clients.js";
import type { Forwarder } from "./forwarder.js";
import type { Lists } from "./lists.js";
import type { Servers } from "./servers.js";
import { hasTasks } from "./tasks.js";
import { allows, CALLS, callerOf, DESCRIBE, SEARCH } from "./surface.js";
import { withOwnNames } from "../loop/own-names.js";
import type { Effect } from "./types.js";

/** The parameters of `tools/call`. */
interface ToolCallParams {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

/** Answers `tools/call`: the tools of the surface, and the tools of servers that they call. */
export class Calls {
  readonly #servers: Servers;
  readonly #lists: Lists;
  readonly #forwarder: Forwarder;
  constructor(servers: Servers, lists: Lists, forwarder: Forwarder) {
    this.#servers = servers;
    this.#lists = lists;
    this.#forwarder = forwarder;
  }

  /** Answers `tools/call`. */
  async tool(peer: Peer, params: ToolCallParams, context: ServerContext): Promise<unknown> {
    const resumed = this.#forwarder.resumed(context);
    if (resumed !== undefined) return resumed;
    const { name, arguments: args = {} } = params;
    const { view } = peer;
    const { calls } = this.#servers.settings;
    // The gateway's own tools answer whenever they were listed: with servers that came later, all may pass through.
    if (this.#lists.isListed(view, name) || (!isOwn(name) && !this.#lists.isSearching(view)))
      return this.#dispatch(peer, name, params, context);
    if (name === SEARCH) return this.#search(peer, args);
    if (name === DESCRIBE) {
      const answer = descriptions(
        this.#servers.catalog,
        (tool) => this.#reachable(view, tool) !== undefined,
        (tool) => this.#servers.whyNot(view, tool),
        args["names"],
        calls,
      );
      this.#servers.event({ type: "describe", session: peer.id, names: answer.names });
      return text(answer.text, answer.isError);
    }
    const caller = callerEffect(name, calls);
    if (caller !== undefined) return this.#through(peer, name, caller, params, context);
    const entry = this.#reachable(view, name);
    if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, this.#servers.whyNot(view, name));
    const help = `call it with ${callerOf(entry.effect, calls)}, as { "name": ${JSON.stringify(name)}, "arguments": … }`;
    return text(`${name} was not called: ${help}`, true);
  }

  /** A call through one of the surface's call tools, which a client has approved by what that tool says of its effect. */
  async #through(
    peer: Peer,
    caller: string,
    most: Effect,
    params: ToolCallParams,
    context: ServerContext,
  ): Promise<unknown> {
    const { name: wanted, arguments: given, ...beside } = params.arguments ?? {};
    if (typeof wanted !== "string") return text("name must be the name of a tool, as search_tools gave it", true);
    if (isOwn(wanted)) return text(`${wanted} is called by itself, not through ${caller}.`, true);
    const name = this.#named(wanted);
    const entry = this.#reachable(peer.view, name);
    if (entry !== undefined && !allows(most, entry.effect)) {
      const { server, tool } = entry;
      const about = { session: peer.id, server, tool: tool.name, name };
      this.#servers.event({ type: "call", ...about, ms: 0, outcome: "refused", code: "wrong_caller" });
      const right = callerOf(entry.effect, this.#servers.settings.calls);
      return text(`${name} was not called: ${caller} must not call it. Call it with ${right}.`, true);
    }
    const args = entry === undefined ? {} : argumentsIn(peer.view, name, given);
    if (typeof args === "string") return text(args, true);
    // Models also write the parameters beside the name.
    return this.#dispatch(peer, name, { ...params, arguments: Object.keys(args).length > 0 ? args : beside }, context);
  }

  #search(peer: Peer, args: Record<string, unknown>): CallToolResult {
    const { view } = peer;
    const start = performance.now();
    const { catalog, settings } = this.#servers;
    const { admission } = this.#servers;
    const awaited = (query: string) => admission.awaited(view, query);
    const answer = searchAnswer(catalog, view, args["query"], settings.calls, this.#down(view), awaited);
    if (answer.isError) return text(answer.text, true);
    const { found, shown } = answer;
    const query = String(args["query"]);
    this.#servers.event({
      type: "search",
      session: peer.id,
      query,
      found,
      shown,
      ms: Math.round(performance.now() - start),
    });
    if (view.keeps) peer.changed("tools");
    return text(answer.text);
  }

  #down(view: View): Down[] {
    return this.#servers.seenBy(view).flatMap((upstream) => {
      const { name, error, installer } = upstream;
      if (this.#servers.isStarting(upstream)) {
        const download = installer === undefined ? "" : `: ${mayDownload(installer)}`;
        return { name, reason: `still starting${download}; search again in a moment`, isStarting: true };
      }
      return error === undefined ? [] : { name, reason: error };
    });
  }

  /** Whether a call names a tool of a server that is known, so that it waits for no other server. */
  isKnown({ name, arguments: args }: ToolCallParams): boolean {
    const wanted = callerEffect(name, this.#servers.settings.calls) === undefined ? name : args?.["name"];
    return typeof wanted === "string" && this.#servers.catalog.entry(this.#named(wanted)) !== undefined;
  }

  /** The tool of a name, if this client may call it. */
  #reachable({ session }: View, name: string): FindableTool | undefined {
    return session.call(name, {}).kind === "dispatch" ? this.#servers.catalog.entry(name) : undefined;
  }

  /** The name of a tool that was named by its server, as people write it: `github:create_issue`. */
  #named(name: string): string {
    const { catalog } = this.#servers;
    const at = name.indexOf(":");
    if (at < 0 || catalog.entry(name) !== undefined) return name;
    return catalog.nameOf(name.slice(0, at), name.slice(at + 1)) ?? name;
  }

  async #dispatch(peer: Peer, name: string, params: ToolCallParams, context: ServerContext): Promise<unknown> {
    const entry = this.#reachable(peer.view, name);
    const upstream = entry && this.#servers.named(entry.server);
    if (entry === undefined || upstream === undefined) return text(this.#servers.whyNot(peer.view, name), true);
    const { tool, server } = entry;
    const start = performance.now();
    const tell = (outcome: "ok" | "error", code?: string) => {
      const ms = Math.round(performance.now() - start);
      const about = { session: peer.id, server, tool: tool.name, name };
      this.#servers.event({ type: "call", ...about, ms, outcome, ...(code !== undefined && { code }) });
    };
    const own = { ...params, name: tool.name, arguments: withOwnNames(params.arguments ?? {}, entry.parameterNames) };
    try {
      const asTask = peer.era === "legacy" && params["task"] !== undefined && hasTasks(upstream.definitions);
      const result = await this.#forwarder.forward(
        peer,
        upstream,
        { method: "tools/call", params: own, tool, asTask },
        context,
      );
      tell((result as CallToolResult).isError === true ? "error" : "ok");
      return result;
    } catch (error) {
      const { aborted } = context.mcpReq.signal;
      // The SDK has one error for a time that is over and for a client that waits no longer.
      tell("error", aborted ? "cancelled" : codeOf(error));
      if (aborted || error instanceof ProtocolError) throw error;
      return text(reasonOf(error), true);
    }
  }
}

/**
 * The arguments of a call, or what is wrong with them. Models write JSON text, or nothing where there are none: the core reads
 * that, as it does for all doors.
 */
function argumentsIn({ session }: View, name: string, given: unknown): Record<string, unknown> | string {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  const outcome = session.call(name, given ?? "");
  if (outcome.kind === "dispatch") return outcome.arguments;
  const reason = outcome.kind === "refused" ? outcome.error.message : outcome.content;
  return `${name.slice(0, 80)} was not called: ${reason}`;
}

/** Whether a name is one of the gateway's own tools. */
function isOwn(name: string): boolean {
  return name === SEARCH || name === DESCRIBE || Object.hasOwn(CALLS, name);
}

/** The effect that a call tool may have at most; undefined for a name that is no call tool. */
function callerEffect(name: string, calls: "by-effect" | "one"): Effect | undefined {
  if (calls === "one") return name === "call_tool" ? "destroy" : undefined;
  return Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
}

function text(content: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text: content }], ...(isError && { isError }) };
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" || typeof code === "number" ? String(code) : "error";
}
