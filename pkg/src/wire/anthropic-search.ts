/** Anthropic's own tool search: the models that have it, and what requests, replies and conversations have of it. */

import { type Fields, fieldsOf, objectsIn, textIn } from "./fields.js";

/**
 * Names of models that have `defer_loading` and the hosted tool search, on any platform
 * (`anthropic.claude-opus-4-5-v1`, `claude-opus-4-5@20251101`). After "Model compatibility" on Anthropic's page on the
 * tool search tool, which lists Haiku, Opus and Sonnet from 4.5 on and the families of 5, and says that Opus 4.1 and
 * earlier have neither; newer names of these families are those of `Model` in @anthropic-ai/sdk 1.12.0.
 */
const TOOL_SEARCH_MODELS: readonly RegExp[] = [
  /\bclaude-(haiku|opus|sonnet)-4-[5-9]\b/,
  /\bclaude-(fable|haiku|mythos|opus|sonnet)-[5-9]\b/,
];

/** Whether a model has a search of its own, judged by its name. */
export function searches(model: string): boolean {
  return TOOL_SEARCH_MODELS.some((pattern) => pattern.test(model));
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

/** Whether a block is part of a search, which a model without such searches does not know. */
export function refers(block: Fields): boolean {
  return isQuestion(block) || block["type"] === "tool_search_tool_result" || namesIn(block).length > 0;
}

/** The names of all tools to which a conversation refers: the model sees their definitions. */
export function referencesIn(messages: readonly object[]): Set<string> {
  return new Set(messages.flatMap((message) => objectsIn((message as Fields)["content"]).flatMap(namesIn)));
}

/**
 * Returns a conversation that the API takes: it refuses references to tools that are not sent, and on models that cannot defer
 * tools all references. Results get a text in their place. The given messages stay as they are.
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
