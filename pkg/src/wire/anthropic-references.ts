/**
 * Finds the tools to which a conversation refers. The API reads every reference with every request, and refuses dead ones.
 */

import type Anthropic from "@anthropic-ai/sdk";
import { objectsIn } from "./reply.js";

type Message = Anthropic.MessageParam;
type Block = Anthropic.ContentBlockParam;
type ResultPart = Exclude<Anthropic.ToolResultBlockParam["content"], string | undefined>[number];

/** The names of all tools that the conversation refers to: the model sees their definitions. */
export function referencesIn(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap(({ content }) => (Array.isArray(content) ? content.flatMap(namesIn) : [])));
}

function namesIn(block: Block): string[] {
  if (block.type === "tool_search_tool_result") return found(block).map(({ tool_name }) => tool_name);
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return [];
  return block.content.flatMap((part) => (part.type === "tool_reference" ? [part.tool_name] : []));
}

function found({ content }: Anthropic.ToolSearchToolResultBlockParam): Anthropic.ToolReferenceBlockParam[] {
  if (content?.type !== "tool_search_tool_search_result") return [];
  return [...objectsIn("tool_references", content.tool_references)];
}

/**
 * The conversation as it can be sent with some tools: a reference to a tool that is not among them would make the API
 * refuse it for good, as would any at all on a model that cannot defer tools. The host's messages stay as they are.
 *
 * @param sent the names of the tools that are sent
 * @param deferring whether the tools are deferred; otherwise references are written as text
 */
export function resolvable(messages: readonly Message[], sent: ReadonlySet<string>, deferring: boolean): Message[] {
  const resolves = (block: Block) => (deferring ? namesIn(block).every((name) => sent.has(name)) : !refers(block));
  return messages.flatMap((message): Message[] => {
    const { role, content } = message;
    if (role === "system" || !Array.isArray(content) || content.every(resolves)) return [message];
    const blocks = content.flatMap((block) => (resolves(block) ? [block] : repaired(block, sent, deferring)));
    return blocks.length === 0 ? [] : [{ role, content: blocks }];
  });
}

/** Whether it is part of a search that a model without such searches does not know. */
function refers(block: Block): boolean {
  const isQuestion = block.type === "server_tool_use" && String(block.name).startsWith("tool_search_tool_");
  return isQuestion || block.type === "tool_search_tool_result" || namesIn(block).length > 0;
}

function repaired(block: Block, sent: ReadonlySet<string>, deferring: boolean): Block[] {
  const names = namesIn(block).filter((name) => sent.has(name));
  if (block.type === "tool_result" && Array.isArray(block.content)) {
    const others = block.content.filter(({ type }) => type !== "tool_reference");
    const parts = deferring && names.length > 0 ? names.map(reference) : [loaded(names)];
    return [{ ...block, content: [...others, ...parts] }];
  }
  if (block.type !== "tool_search_tool_result") return [];
  if (!deferring) return namesIn(block).length === 0 ? [] : [loaded(names)];
  const tool_references = found(block).filter(({ tool_name }) => sent.has(tool_name));
  return [{ ...block, content: { type: "tool_search_tool_search_result", tool_references } }];
}

function loaded(names: readonly string[]): Anthropic.TextBlockParam {
  const said = names.length > 0 ? `Loaded: ${names.join(", ")}` : "Tools were loaded that are no longer there.";
  return { type: "text", text: said };
}

/** A reference to a tool, which the API replaces by its definition. */
export function reference(tool_name: string): ResultPart {
  return { type: "tool_reference", tool_name };
}
