/**
 * Searches with the Responses API's own `tool_search`, which the client answers. The definitions of loaded tools are in the
 * conversation, and the tools of the requests never change.
 */

import type OpenAI from "openai";
import type { Answer, ModelRequest, OpenAIResponsesTool, Session } from "../../index.js";
import { objectsIn } from "../../wire/fields.js";
import { answersOf, loaded, TOOL_SEARCH } from "../../wire/openai-responses.js";
import { deferredIn, requireLoading } from "../lib/defer-loading.js";

type Input = OpenAI.Responses.ResponseInputItem;

/** The names of the discovery tools that search, in all profiles. A catalog may also have tools of these names. */
const SEARCHES = ["search_tools", "ToolSearch", TOOL_SEARCH];

/** The tools of one request. */
export interface Parted {
  /** The name of the discovery tool that `tool_search` replaces; undefined if nothing is deferred. */
  search: string | undefined;
  /** The tools that every request contains. */
  standing: OpenAI.Responses.Tool[];
  /** The loaded tools, in the order of loading. */
  revealed: OpenAIResponsesTool[];
}

/**
 * Divides the tools of a request into the tools that every request contains, and the loaded tools.
 *
 * @throws ToolSiftError `option_conflict` if the session's settings load no tools
 */
export function part({ tools, session }: Pick<ModelRequest<"openai-responses">, "tools" | "session">): Parted {
  requireLoading(session);
  const catalog = session.named(tools.map(({ name }) => name));
  const search = tools.find(({ name }) => SEARCHES.includes(name) && !catalog.has(name))?.name;
  if (search === undefined) return { search, standing: tools, revealed: [] };
  const standing = tools.flatMap((tool): OpenAI.Responses.Tool[] => {
    const info = catalog.get(tool.name);
    if (info !== undefined) return info.state === "deferred" || info.state === "revealed" ? [] : [tool];
    const description = renamed(tool.description, search);
    if (tool.name !== search) return [{ ...tool, description }];
    return [{ type: TOOL_SEARCH, execution: "client", description, parameters: tool.parameters }];
  });
  return { search, standing, revealed: tools.filter(({ name }) => catalog.get(name)?.state === "revealed") };
}

/** Replaces the name of the search tool in a text for the model by `tool_search`. */
export function renamed(text: string, search: string | undefined): string {
  // Names of other tools may begin or end with it.
  return search === undefined ? text : text.replace(new RegExp(`(?<![\\w.:/-])${search}(?![\\w-])`, "g"), TOOL_SEARCH);
}

/**
 * Returns the items that answer the calls of a reply, with the definitions of the tools that its searches loaded.
 *
 * @param search `search` of the request's `Parted`
 */
export function searchAnswers(answers: readonly Answer[], search: string | undefined, session: Session) {
  // The texts of discovery tools and refusals contain the search tool's name. Answers of other tools stay unchanged.
  const named = answers.map((answer) =>
    answer.outcome.kind === "dispatch" ? answer : { ...answer, content: renamed(answer.content, search) },
  );
  return answersOf(named, ({ outcome }) => {
    const names = outcome.kind === "result" ? outcome.revealed : [];
    if (names.length === 0) return [];
    const deferred = deferredIn(session, "openai-responses");
    return names.flatMap((name) => deferred.get(name) ?? []);
  });
}

/**
 * Appends to a conversation the definitions that it lacks: of tools that your program loaded, and of tools that changed.
 *
 * @param before the result of `definitionsIn` for the part of the conversation that the vendor stores
 */
export function addMissing(input: Input[], revealed: readonly OpenAIResponsesTool[], before: Definitions): void {
  const given = definitionsIn(input, before);
  const missing = revealed.filter((tool) => given.get(tool.name) !== canonical(tool));
  if (missing.length === 0) return;
  const call_id = `call_${globalThis.crypto.randomUUID()}`;
  const query = missing.map(({ name }) => name).join(" ");
  const call = {
    type: "tool_search_call",
    call_id,
    execution: "client",
    status: "completed",
    arguments: { query },
  } as const;
  input.push(call, loaded(call_id, missing));
}

/** The definitions in a conversation, as JSON texts by the names of the tools. */
export type Definitions = ReadonlyMap<string, string>;

/** Returns the definitions in a conversation, the last one of each tool. A compaction may have removed earlier ones. */
export function definitionsIn(input: readonly Input[], before: Definitions): Definitions {
  const given = new Map(before);
  for (const item of input) {
    if (item.type === "compaction") given.clear();
    if (item.type !== "tool_search_output") continue;
    for (const { defer_loading: _, ...tool } of objectsIn(item.tools)) given.set(String(tool["name"]), canonical(tool));
  }
  return given;
}

/** Returns JSON with sorted keys, because the storage of your program may change the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
