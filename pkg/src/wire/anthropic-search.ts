/** Anthropic's own tool search: the models that have it, and its blocks in requests, replies and conversations. */

import { type Fields, fieldsOf, objectsIn, textIn } from "./fields.js";

/**
 * The names of models that have `defer_loading` and the hosted tool search, on any platform (`anthropic.claude-opus-4-5-v1`,
 * `claude-opus-4-5@20251101`). The source is "Model compatibility" on Anthropic's page on the tool search tool: Haiku, Opus
 * and Sonnet from 4.5, and the families of 5; Opus 4.1 and earlier have neither. Newer names of these families are those of
 * `Model` in @anthropic-ai/sdk 1.12.0.
 */
const TOOL_SEARCH_MODELS: readonly RegExp[] = [
  /\bclaude-(haiku|opus|sonnet)-4-[5-9]\b/,
  /\bclaude-(fable|haiku|mythos|opus|sonnet)-[5-9]\b/,
];

/** Checks by its name if a model has Anthropic's tool search. */
export function searches(model: string): boolean {
  return TOOL_SEARCH_MODELS.some((pattern) => pattern.test(model));
}

/** Returns the tool names in a block: a result of Anthropic's search, or your program's result with references. */
export function namesIn({ type, content }: Fields): string[] {
  if (type !== "tool_search_tool_result" && type !== "tool_result") return [];
  const found = type === "tool_result" ? objectsIn(content).filter(isReference) : foundIn(content);
  return found.flatMap(({ tool_name }) => textIn(tool_name) ?? []);
}

function foundIn(content: unknown): Fields[] {
  return objectsIn(fieldsOf(content)["tool_references"]);
}

/** Checks if a part of an answer refers to a tool. */
export function isReference({ type }: Fields): boolean {
  return type === "tool_reference";
}

/** The prefix of the types and names of Anthropic's own searches. */
const SEARCH = "tool_search_tool_";

/** Checks if a tool of a request is Anthropic's own search. */
export function isSearch({ type }: { type?: unknown }): boolean {
  return textIn(type)?.startsWith(SEARCH) === true;
}

/** Checks if a block is a call of such a search. */
export function isQuestion({ type, name }: Fields): boolean {
  return type === "server_tool_use" && String(name).startsWith(SEARCH);
}

/** Checks if a block is part of a search. A model without such searches does not know these blocks. */
export function refers(block: Fields): boolean {
  return isQuestion(block) || block["type"] === "tool_search_tool_result" || namesIn(block).length > 0;
}

/** Returns the names of all tools to which a conversation refers. The model sees their definitions. */
export function referencesIn(messages: readonly object[]): Set<string> {
  return new Set(messages.flatMap((message) => objectsIn((message as Fields)["content"]).flatMap(namesIn)));
}

/**
 * Returns a conversation without references that the API refuses: references to tools that are not sent, and all references
 * on models without deferred tools. Results get a text instead. The given messages are not changed.
 *
 * @param sent the names of the tools to which the conversation may refer
 */
export function resolvable<M extends object>(messages: readonly M[], sent: ReadonlySet<string>): M[] {
  const isDead = (part: Fields) => isReference(part) && !sent.has(String(part["tool_name"]));
  const repaired = (block: Fields) => {
    const parts = block["type"] === "tool_result" ? objectsIn(block["content"]) : [];
    const dead = parts.filter(isDead).map(({ tool_name }) => tool_name);
    if (dead.length === 0) return block;
    const left = parts.filter((part) => !isDead(part));
    const text = `Loaded then: ${dead.join(", ")}. Call only tools that you have now.`;
    return { ...block, content: left.length > 0 ? left : [{ type: "text", text }] };
  };
  return messages.map((message) => {
    const { content } = message as Fields;
    const refers = objectsIn(content).some((block) => namesIn(block).some((name) => !sent.has(name)));
    return refers ? { ...message, content: objectsIn(content).map(repaired) } : message;
  });
}
