/**
 * Answers the vendor's own `tool_search`. It replaces our search among the tools, loaded definitions come by value in the
 * conversation, and the tools of the requests never change.
 */

import type OpenAI from "openai";
import { ToolSiftError } from "../../base/errors.js";
import type { ModelRequest, OpenAIResponsesTool, Session } from "../../index.js";
import { TOOL_SEARCH, loaded } from "../../wire/openai-responses.js";

type Definition = OpenAI.Responses.FunctionTool;
type Input = OpenAI.Responses.ResponseInputItem;
type Output = OpenAI.Responses.ResponseToolSearchOutputItemParam;

/**
 * How tools join the conversation that no search of the model revealed: as the output of a search that is put into its
 * mouth, which every model knows that knows the tool search; or as an `additional_tools` item.
 */
export type Additions = "tool_search" | "additional_tools";

/** Definitions in a conversation, by name; undefined where one is known to be there, but not how it reads. */
export type GivenTools = Map<string, Definition | undefined>;

/** The tools of one request, parted by how they reach the model. */
export interface Parted {
  /** The name of the discovery tool that `tool_search` stands for; undefined where nothing is deferred. */
  search: string | undefined;
  /** The tools of every request. */
  standing: OpenAI.Responses.Tool[];
  /** The revealed tools, in the order of their reveal. */
  revealed: OpenAIResponsesTool[];
}

/** The discovery tools that search, of all profiles. A catalog may have tools of some of these names too. */
const SEARCHES = ["search_tools", "ToolSearch", TOOL_SEARCH];

/**
 * Parts the tools of a request.
 *
 * @throws ToolSiftError `option_conflict` under settings that load nothing, or that send tools before they are loaded
 */
export function part({ tools, session }: Pick<ModelRequest<"openai-responses">, "tools" | "session">): Parted {
  fitting(session);
  const catalog = session.named(SEARCHES);
  const search = tools.find(({ name }) => SEARCHES.includes(name) && !catalog.has(name));
  if (search === undefined) return { search: undefined, standing: tools, revealed: [] };
  const names = new Set(session.revealed);
  const isRevealed = ({ name }: OpenAIResponsesTool) => names.has(name);
  const { name, description, parameters } = search;
  const standsIn = { type: TOOL_SEARCH, execution: "client", description, parameters } as const;
  const standing = tools.filter((tool) => !isRevealed(tool)).map((tool) => (tool === search ? standsIn : tool));
  return { search: name, standing, revealed: tools.filter(isRevealed) };
}

function fitting(session: Session): void {
  const { profile, reveal, disclosure } = session.settings;
  const sendsAll = ["stubs", "short-stubs", "full"].includes(disclosure);
  if (reveal !== "never" && !sendsAll) return;
  const why = sendsAll ? `disclosure is ${disclosure}: every tool is sent` : "reveal is never: no search loads a tool";
  throw new ToolSiftError("option_conflict", `toolSearch: "client" does not go with profile ${profile}, whose ${why}`);
}

/** What is said of the discovery tool, said of the tool that stands for it. Other names may end or begin like its own. */
export function renamed(text: string, search: string | undefined): string {
  return search === undefined ? text : text.replace(new RegExp(`(?<![\\w.:/-])${search}(?![\\w-])`, "g"), TOOL_SEARCH);
}

/**
 * Brings a conversation up to what is revealed: placeholders become the definitions that they stand for, and what is in
 * no output yet is appended.
 *
 * @param before what the conversation holds that is not in `input`, where the vendor keeps it
 */
export function update(input: Input[], revealed: readonly Definition[], before: GivenTools, additions: Additions): void {
  const byName = new Map(revealed.map((tool) => [tool.name, tool]));
  for (const item of input) {
    if (item.type === "tool_search_output" && toolsOf(item).some(isPlaceholder)) fill(item, byName);
  }
  const given = givenIn(input, before);
  const missing = revealed.filter((tool) => {
    const { name } = tool;
    return !given.has(name) || (given.get(name) !== undefined && !same(given.get(name), tool));
  });
  if (missing.length > 0) input.push(...added(missing, additions));
}

/** A tool that is not revealed any more has no definition to come. */
function fill(item: Output, byName: ReadonlyMap<string, Definition>): void {
  item.tools = item.tools.flatMap((tool): Output["tools"] => {
    if (!isPlaceholder(tool)) return [tool];
    const definition = byName.get(tool.name);
    return definition === undefined ? [] : [deferred(definition)];
  });
}

function isPlaceholder(tool: Output["tools"][number]): tool is Definition {
  return tool?.type === "function" && tool.parameters === null;
}

function deferred(tool: Definition): Definition {
  return { ...tool, defer_loading: true };
}

function added(tools: readonly Definition[], additions: Additions): Input[] {
  if (additions === "additional_tools") {
    return [{ type: "additional_tools", role: "developer", tools: [...tools] }];
  }
  const call_id = `call_${globalThis.crypto.randomUUID()}`;
  const query = tools.map(({ name }) => name).join(" ");
  return [
    { type: "tool_search_call", call_id, execution: "client", status: "completed", arguments: { query } },
    loaded(call_id, tools.map(deferred)),
  ];
}

/** The definitions in a conversation, the last one of each name. A compaction may have removed earlier ones. */
export function givenIn(input: readonly Input[], before: GivenTools): GivenTools {
  const given: GivenTools = new Map(before);
  for (const item of input) {
    if (item.type === "compaction") given.clear();
    if (item.type !== "tool_search_output" && item.type !== "additional_tools") continue;
    for (const tool of toolsOf(item)) {
      if (tool?.type !== "function" || tool.parameters === null) continue;
      const { defer_loading: _, ...definition } = tool;
      given.set(tool.name, definition);
    }
  }
  return given;
}

/** A host's own items may lack required fields; the API reports that. */
function toolsOf({ tools }: { tools: Output["tools"] }): Output["tools"] {
  return Array.isArray(tools) ? tools : [];
}

/** Whether two JSON values say the same, in whatever order their keys come back from a host's storage. */
function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
