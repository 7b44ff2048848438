/** Handles the calls of clients. The core decides calls of the gateway's own tools, which call the tools of servers. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { queryOf } from "../loop/rank.js";
import { mayDownload } from "../upstream/installer.js";
import type { Outcome } from "../types/index.js";
import { reasonOf } from "../base/values.js";
import type { Peer } from "./clients.js";
import { foreign } from "../trust/foreign.js";
import type { Forwarder } from "./forwarder.js";
import type { Lists } from "./lists.js";
import type { Servers } from "./servers.js";
import { CALL_ANY, isOwn, READ_SKILL, SEARCH } from "./surface.js";

interface ToolCallParams {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

type Dispatched = Extract<Outcome, { kind: "dispatch" }>;

/** The maximum number of unreachable servers in an answer, and of characters of each reason. */
const MOST_TOLD = 10;
const REASON_CHARS = 100;

/** Answers `tools/call`: for the gateway's own tools, and for the servers' tools that they call. */
export class Calls {
  constructor(
    private readonly servers: Servers,
    private readonly lists: Lists,
    private readonly forwarder: Forwarder,
  ) {}

  async tool(peer: Peer, params: ToolCallParams, context: ServerContext): Promise<unknown> {
    const resumed = this.forwarder.resumed(context);
    if (resumed !== undefined) return resumed;
    const start = performance.now();
    const { name, arguments: args = {} } = params;
    const outcome = this.#decided(peer, params);
    if (outcome.kind === "dispatch" && outcome.skill !== undefined) return readSkill(peer, outcome);
    if (outcome.kind === "dispatch") return this.#dispatch(peer, outcome, params, context);
    const content = outcome.kind === "result" ? outcome.content : outcome.error.message;
    const code = outcome.kind === "result" ? outcome.errorCode : outcome.error.code;
    if (outcome.kind === "result" && !outcome.isError) {
      const { described = [], skillsFound = [] } = outcome;
      const found = [...outcome.found, ...skillsFound];
      const query = queryOf(args) ?? "";
      const ms = Math.round(performance.now() - start);
      this.servers.event({ type: "search", session: peer.id, query, found, shown: described, ms });
      const missing = [this.#downText(peer), this.servers.admission.awaited(peer.view, query)];
      return text([...missing.flatMap((part) => part ?? []), content].join("\n\n"));
    }
    if (code === "wrong_caller") this.#tellRefused(peer, args);
    const wanted = name === READ_SKILL ? args["skill"] : isOwn(name) && name !== SEARCH ? args["name"] : name;
    const isUnknown = typeof wanted === "string" && (code === "tool_unknown" || code === "tool_out_of_scope");
    const why = isUnknown ? this.servers.whyMissing(peer.view, wanted) : undefined;
    const said = why?.instead ?? `${content}${why?.beside ?? ""}`;
    // If the client knows the tool list, an unknown name is an error of the protocol.
    if (isUnknown && !isOwn(name) && this.lists.isSearching(peer.view))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, said);
    return text(said, true);
  }

  /** Checks if a call is for a tool of a known server, so that it need not wait for other servers. */
  isKnown(peer: Peer, { name, arguments: args }: ToolCallParams): boolean {
    if (!isOwn(name)) return this.servers.catalog.entry(name) !== undefined;
    return name !== SEARCH && peer.view.session.forwarded(CALL_ANY, args) !== undefined;
  }

  /** Returns the outcome of a call. A tool that is in the client's list is called directly. */
  #decided({ view, session }: Peer, { name, arguments: args = {} }: ToolCallParams): Outcome {
    const isItself = this.lists.isListed(view, name);
    return isItself ? session.call(CALL_ANY, { name, arguments: args }) : session.call(name, args);
  }

  /** Reports a call that was refused because the discovery tool is limited to less than the called tool may do. */
  #tellRefused(peer: Peer, args: Record<string, unknown>): void {
    const meant = peer.view.session.forwarded(CALL_ANY, args);
    if (meant === undefined) return;
    const about = this.#about(peer, meant);
    if (about !== undefined) {
      this.servers.event({ type: "call", ...about, ms: 0, outcome: "refused", code: "wrong_caller" });
    }
  }

  #about(peer: Peer, { modelName: name }: Dispatched) {
    const entry = this.servers.catalog.entry(name);
    return entry && { session: peer.id, server: entry.server, tool: entry.tool.name, name };
  }

  /** Returns the text on servers that cannot answer, which precedes a search's answer; undefined if all servers can. */
  #downText({ view }: Peer): string | undefined {
    const down = this.servers.seenBy(view).flatMap((upstream) => {
      const { name, error, installer } = upstream;
      if (this.servers.isStarting(upstream)) {
        const download = installer === undefined ? "" : `: ${mayDownload(installer)}`;
        return `${name} (still starting${download}; search again in a moment)`;
      }
      return error === undefined ? [] : `${name} (${JSON.stringify(brief(error))})`;
    });
    if (down.length === 0) return undefined;
    const more = down.length > MOST_TOLD ? ` and ${down.length - MOST_TOLD} more` : "";
    return `Not available now, so their tools may be missing: ${down.slice(0, MOST_TOLD).join("; ")}${more}.`;
  }

  async #dispatch(peer: Peer, outcome: Dispatched, params: ToolCallParams, context: ServerContext): Promise<unknown> {
    const entry = this.servers.catalog.entry(outcome.modelName);
    const upstream = entry && this.servers.named(entry.server);
    if (entry === undefined || upstream === undefined) return text(`${outcome.modelName} is not available now.`, true);
    const { tool } = entry;
    const start = performance.now();
    const tell = (outcomeOfCall: "ok" | "error", code?: string) => {
      const ms = Math.round(performance.now() - start);
      const about = this.#about(peer, outcome)!;
      this.servers.event({ type: "call", ...about, ms, outcome: outcomeOfCall, ...(code !== undefined && { code }) });
    };
    const own = { ...params, name: tool.name, arguments: outcome.arguments };
    try {
      const result = await this.forwarder.forward(peer, upstream, { method: "tools/call", params: own, tool }, context);
      tell((result as CallToolResult).isError === true ? "error" : "ok");
      return result;
    } catch (error) {
      const { aborted } = context.mcpReq.signal;
      // The SDK uses the same error for a timeout and for a client that has cancelled.
      tell("error", aborted ? "cancelled" : codeOf(error));
      if (aborted || error instanceof ProtocolError) throw error;
      return text(reasonOf(error), true);
    }
  }
}

/** Shortens a server's error. It leaves out the server's output, which is for people and costs tokens in every answer. */
function brief(reason: string): string {
  const [firstLine = ""] = reason.split(/; it wrote:|\n/, 1);
  return foreign(firstLine, REASON_CHARS, "line");
}

/** Answers with a file of a skill. */
async function readSkill({ session }: Peer, outcome: Dispatched): Promise<CallToolResult> {
  try {
    return text(await session.readSkill(outcome));
  } catch (error) {
    return text(reasonOf(error), true);
  }
}

function text(content: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text: content }], ...(isError && { isError }) };
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" || typeof code === "number" ? String(code) : "error";
}
