/**
 * Finds the tools to which a conversation refers. The API reads every reference with every request, and refuses dead ones.
 */

import { type Fields, fieldsOf, objectsIn, textIn } from "./fields.js";

/** The names of all tools that the conversation refers to: the model sees their definitions. */
export function referencesIn(messages: readonly object[]): Set<string> {
  return new Set(messages.flatMap((message) => objectsIn((message as Fields)["content"]).flatMap(namesIn)));
}

/** The names that a block refers to: the answer of Anthropic's search, or one of the host's with references in it. */
export function namesIn({ type, content }: Fields): string[] {
  if (type !== "tool_search_tool_result" && type !== "tool_result") return [];
  const found = type === "tool_result" ? objectsIn(content).filter(isReference) : foundIn(content);
  return found.flatMap(({ tool_name }) => textIn(tool_name) ?? []);
}

function foundIn(content: unknown): Fields[] {
  return objectsIn(fieldsOf(content)["tool_references"]);
}

/** Whether a part of an answer refers to a tool. */
export function isReference({ type }: Fields): boolean {
  return type === "tool_reference";
}

/** What the types and names of Anthropic's own searches begin with. */
const SEARCH = "tool_search_tool_";

/** Whether a tool of a request is Anthropic's own search. */
export function isSearch({ type }: { type?: unknown }): boolean {
  return textIn(type)?.startsWith(SEARCH) === true;
}

/** Whether a block is a call of such a search. */
export function isQuestion({ type, name }: Fields): boolean {
  return type === "server_tool_use" && String(name).startsWith(SEARCH);
}

/**
 * The conversation as it can be sent with some tools: a reference to a tool that is not among them would make the API
 * refuse it for good, as would any at all on a model that cannot defer tools. The host's messages stay as they are.
 *
 * @param sent the names of the tools that are sent
 * @param deferring whether the tools are deferred; otherwise references are written as text
 */
export function resolvable<M extends object>(messages: readonly M[], sent: ReadonlySet<string>, deferring: boolean): M[] {
  const resolves = (block: Fields) => (deferring ? namesIn(block).every((name) => sent.has(name)) : !refers(block));
  return messages.flatMap((message): M[] => {
    const { role, content } = message as Fields;
    if (role === "system" || !Array.isArray(content) || objectsIn(content).every(resolves)) return [message];
    const blocks = objectsIn(content).flatMap((block) => (resolves(block) ? [block] : repaired(block, sent, deferring)));
    return blocks.length === 0 ? [] : [{ role, content: blocks } as unknown as M];
  });
}

/** Whether a block is part of a search, which a model without such searches does not know. */
export function refers(block: Fields): boolean {
  return isQuestion(block) || block["type"] === "tool_search_tool_result" || namesIn(block).length > 0;
}

function repaired(block: Fields, sent: ReadonlySet<string>, deferring: boolean): Fields[] {
  const names = namesIn(block).filter((name) => sent.has(name));
  const { type, content } = block;
  if (type === "tool_result") {
    const others = objectsIn(content).filter((part) => !isReference(part));
    const parts = deferring && names.length > 0 ? names.map(reference) : [loaded(names)];
    return [{ ...block, content: [...others, ...parts] }];
  }
  if (type !== "tool_search_tool_result") return [];
  if (!deferring) return namesIn(block).length === 0 ? [] : [loaded(names)];
  const tool_references = foundIn(content).filter(({ tool_name }) => sent.has(String(tool_name)));
  return [{ ...block, content: searchResult(tool_references) }];
}

function loaded(names: readonly string[]): Fields {
  const text = names.length > 0 ? `Loaded: ${names.join(", ")}` : "Tools were loaded that are no longer there.";
  return { type: "text", text };
}

/** What Anthropic's own search found, as the content of its answer. */
function searchResult(tool_references: readonly object[]): Fields {
  return { type: "tool_search_tool_search_result", tool_references };
}

/** A reference to a tool, which the API replaces by its definition. */
export function reference(tool_name: string) {
  return { type: "tool_reference" as const, tool_name };
}
