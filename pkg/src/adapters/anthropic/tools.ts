/** Selects the tools of a request: those that the model sees, or all of them in the modes that defer tools. */

import type Anthropic from "@anthropic-ai/sdk";
import { ToolSiftError } from "../../base/errors.js";
import type { HeldBack, Session, ToolInfo } from "../../index.js";
import { LIMITS } from "../../wire/limits.js";
import { beside } from "../lib/own-tools.js";
import { nameOf } from "../../wire/anthropic.js";
import { SEARCH_VERSION, searches } from "../../wire/anthropic-models.js";
import { isSearch, referencesIn } from "../../wire/anthropic-references.js";
import type { MessagesAssembly, MessagesOptions, MessagesParams } from "./types.js";

type Tool = Anthropic.ToolUnion;

/** Deferred tools that the API takes in one request. */
const MOST_DEFERRED = LIMITS.anthropicDeferred.most;

/** The tools of a request, and who searches among them. */
export interface Offer {
  road: "plain" | "client" | "hosted";
  tools: Tool[];
  /** Those of them that are the host's own. */
  own: Tool[];
}

/** The tools of one request. */
export function offer(given: MessagesParams, request: MessagesAssembly, options: MessagesOptions): Offer {
  const { mode = "plain" } = options;
  const own = beside(given.tools ?? [], request, nameOf);
  const params = { ...given, tools: own };
  const wanted = mode === "auto" ? automatic(params.model, options) : mode;
  if (wanted !== "plain") {
    const deferrable = request.session.heldBack({ format: "anthropic" });
    const fits = deferrable.length > 0 && (mode !== "auto" || deferrable.length <= MOST_DEFERRED);
    if (fits) return { road: wanted, tools: deferring(wanted, params, request, options, deferrable), own };
  }
  return { road: "plain", tools: orderedTools(params, request, options), own };
}

function automatic(model: string, { supportsHosted = searches }: MessagesOptions): Offer["road"] {
  return supportsHosted(model) ? "hosted" : "plain";
}

/** A revealed tool comes after the tools that are always sent, or replaces its stub. */
function orderedTools(
  { tools: own = [] }: MessagesParams,
  request: MessagesAssembly,
  { toolsCache }: MessagesOptions,
): Tool[] {
  const tools: Tool[] = request.tools;
  if (toolsCache === undefined) return [...own, ...tools];
  const catalog = catalogsOf(tools, request.session);
  const first = tools.findIndex((tool) => (catalog.get(nameOf(tool) ?? "")?.state ?? "eager") !== "eager");
  const stable = first === -1 ? tools.length : first;
  return [...marked([...own, ...tools.slice(0, stable)], toolsCache), ...tools.slice(stable)];
}

/** Those of some tools that the catalog has. */
function catalogsOf(tools: readonly Tool[], session: Session): ReadonlyMap<string, ToolInfo> {
  return session.named(tools.map((tool) => nameOf(tool) ?? ""));
}

/**
 * Sends all tools, deferred ones with `defer_loading`; tool references in the conversation load them. A tool that was revealed
 * without a reference (by the host, on another road, in messages that are gone) is sent in full, behind the eager tools.
 */
function deferring(
  road: "client" | "hosted",
  params: MessagesParams,
  { session, tools }: MessagesAssembly,
  { hostedSearch = "bm25", toolsCache }: MessagesOptions,
  deferrable: readonly HeldBack<"anthropic">[],
): Tool[] {
  const definitions = new Map(deferrable.map(({ name, definition }) => [name, definition]));
  const referred = referencesIn(params.messages);
  const loose = session.revealed.filter((name) => definitions.has(name) && !referred.has(name));
  const always = tools.filter(({ name }) => !definitions.has(name));
  const open = loose.map((name) => definitions.get(name)!);
  for (const name of loose) definitions.delete(name);
  if (definitions.size > MOST_DEFERRED) throw tooMany(definitions.size);
  const own = params.tools ?? [];
  const search = road === "hosted" && !own.some(isSearch) ? [searchTool(hostedSearch)] : [];
  const deferred = [...definitions.values()].map((tool) => ({ ...tool, defer_loading: true }));
  const shown = road === "hosted" ? withoutOurs(always, session) : always;
  return [...marked([...own, ...search, ...shown], toolsCache), ...open, ...deferred];
}

function withoutOurs(tools: Tool[], session: Session): Tool[] {
  const catalog = catalogsOf(tools, session);
  return tools.filter((tool) => catalog.has(nameOf(tool) ?? ""));
}

function searchTool(kind: "bm25" | "regex"): Tool {
  return kind === "bm25"
    ? { type: `tool_search_tool_bm25_${SEARCH_VERSION}`, name: "tool_search_tool_bm25" }
    : { type: `tool_search_tool_regex_${SEARCH_VERSION}`, name: "tool_search_tool_regex" };
}

/** With a breakpoint on the last of the tools, which the host's own tools may have already. */
function marked(tools: Tool[], toolsCache: MessagesOptions["toolsCache"]): Tool[] {
  const last = tools.at(-1);
  if (last === undefined || toolsCache === undefined) return tools;
  return [...tools.slice(0, -1), { ...last, cache_control: toolsCache } as Tool];
}

function tooMany(tools: number): ToolSiftError {
  const advice = `at most ${MOST_DEFERRED} are taken: narrow the session's scope, or use mode "plain"`;
  return new ToolSiftError("limit_out_of_range", `${tools} tools would be deferred; ${advice}`);
}
