/** Which tools does a conversation refer to? The API reads every reference with every request, and refuses dead ones. */

import type Anthropic from "@anthropic-ai/sdk";

type Message = Anthropic.MessageParam;
type Block = Anthropic.ContentBlockParam;
type ResultPart = Exclude<Anthropic.ToolResultBlockParam["content"], string | undefined>[number];

/** The names of all tools that the conversation refers to: the model sees their definitions. */
export function referencesIn(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap(({ content }) => (typeof content === "string" ? [] : content.flatMap(namesIn))));
}

function namesIn(block: Block): string[] {
  if (block.type === "tool_search_tool_result") return found(block).map(({ tool_name }) => tool_name);
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return [];
  return block.content.flatMap((part) => (part.type === "tool_reference" ? [part.tool_name] : []));
}

function found({ content }: Anthropic.ToolSearchToolResultBlockParam): Anthropic.ToolReferenceBlockParam[] {
  return content.type === "tool_search_tool_search_result" ? content.tool_references : [];
}

/**
 * The conversation as it can be sent with some tools: a reference to a tool that is not among them would make the API
 * refuse it for good, as would any at all on a model that cannot defer tools. The host's messages stay as they are.
 *
 * @param sent the names of the tools that are sent
 * @param deferring whether the tools are deferred; otherwise our own search's references are written as text
 */
export function resolvable(messages: readonly Message[], sent: ReadonlySet<string>, deferring: boolean): Message[] {
  return messages.map((message) => {
    const { role, content } = message;
    if (role === "system" || typeof content === "string") return message;
    if (!content.some((block) => namesIn(block).some((name) => !deferring || !sent.has(name)))) return message;
    return { role, content: content.map((block) => repaired(block, sent, deferring)) };
  });
}

function repaired(block: Block, sent: ReadonlySet<string>, deferring: boolean): Block {
  if (block.type === "tool_search_tool_result" && block.content.type === "tool_search_tool_search_result") {
    const tool_references = found(block).filter(({ tool_name }) => sent.has(tool_name));
    return { ...block, content: { ...block.content, tool_references } };
  }
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
  const names = namesIn(block).filter((name) => sent.has(name));
  if (names.length === namesIn(block).length && (deferring || names.length === 0)) return block;
  const others = block.content.filter(({ type }) => type !== "tool_reference");
  if (deferring && names.length > 0) return { ...block, content: [...others, ...names.map(reference)] };
  const said = names.length > 0 ? `Loaded: ${names.join(", ")}` : "Tools were loaded that are no longer there.";
  return { ...block, content: [...others, { type: "text", text: said }] };
}

/** A reference to a tool, which the API replaces by its definition. */
export function reference(tool_name: string): ResultPart {
  return { type: "tool_reference", tool_name };
}
