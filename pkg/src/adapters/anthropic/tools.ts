/** Which tools go into a request? Those that the model sees, or on the roads that defer tools all of them. */

import type Anthropic from "@anthropic-ai/sdk";
import { ToolSiftError } from "../../errors.js";
import type { HeldBack } from "../../index.js";
import { beside } from "../lib/own.js";
import { searches } from "./models.js";
import { referencesIn } from "./references.js";
import type { MessagesAssembly, MessagesOptions, MessagesParams } from "./types.js";

type Tool = Anthropic.ToolUnion;

/** Deferred tools that the API takes in one request. */
const MOST_DEFERRED = 10_000;

/** The version that the names of Anthropic's searches carry. */
export const SEARCH_VERSION = "20251119";

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
  return { road: "plain", tools: plain(params, request, options), own };
}

/** By which name the model calls a tool; an MCP toolset has none. */
export function nameOf(tool: Tool): string | undefined {
  return "name" in tool ? tool.name : undefined;
}

function automatic(model: string, { supportsHosted = searches }: MessagesOptions): Offer["road"] {
  return supportsHosted(model) ? "hosted" : "plain";
}

/** What is revealed stands behind what is always there. */
function plain({ tools = [] }: MessagesParams, request: MessagesAssembly, { toolsCache }: MessagesOptions): Tool[] {
  const { discovery, eager } = request.size.parts;
  const stable = discovery.tools + eager.tools;
  const own = request.tools as unknown as Tool[];
  return [...marked([...tools, ...own.slice(0, stable)], toolsCache), ...own.slice(stable)];
}

/**
 * Everything at once, and always the same: what is deferred the model sees where the conversation refers to it. A tool
 * that was revealed elsewhere (by the host, on another road, in a conversation whose messages are gone) has no
 * reference; it is sent like any other, behind those that are always there.
 */
function deferring(
  road: "client" | "hosted",
  params: MessagesParams,
  { session, tools, size }: MessagesAssembly,
  { hostedSearch = "bm25", toolsCache }: MessagesOptions,
  deferrable: readonly HeldBack[],
): Tool[] {
  const all = deferrable.map(({ name, definition }) => [name, definition as unknown as Anthropic.Tool] as const);
  const definitions = new Map(all);
  const referred = referencesIn(params.messages);
  const loose = session.revealed.filter((name) => definitions.has(name) && !referred.has(name));
  const shown = tools.slice(road === "hosted" ? size.parts.discovery.tools : 0);
  const always = shown.filter(({ name }) => !definitions.has(name as string)) as unknown as Tool[];
  const open = loose.map((name) => definitions.get(name)!);
  for (const name of loose) definitions.delete(name);
  if (definitions.size > MOST_DEFERRED) throw tooMany(definitions.size);
  const own = params.tools ?? [];
  const search = road === "hosted" && !own.some(isSearch) ? [searchTool(hostedSearch)] : [];
  const deferred = [...definitions.values()].map((tool) => ({ ...tool, defer_loading: true }));
  return [...marked([...own, ...search, ...always], toolsCache), ...open, ...deferred];
}

function isSearch(tool: Tool): boolean {
  return tool.type?.startsWith("tool_search_tool_") === true;
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
