/**
 * A conversation for a request without tools: the API refuses calls and their answers there. They are told in words, which is
 * what the model needs of them in a last round.
 */

import { type Fields, isObject, objectsIn, textIn } from "../../wire/fields.js";

/** A message as text, with its calls and answers in words; unchanged where it has none. */
export function untooled(text: string): string {
  if (!text.includes('"tool_')) return text;
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || !objectsIn(message["content"]).some(isTool)) return text;
  return JSON.stringify({ ...message, content: objectsIn(message["content"]).flatMap(inWords) });
}

function isTool({ type }: Fields): boolean {
  return type === "tool_use" || type === "tool_result";
}

function inWords(block: Fields): Fields[] {
  if (!isTool(block)) return [block];
  const { type, name, input, content, cache_control } = block;
  const isCall = type === "tool_use";
  const said = isCall
    ? `I called ${String(name)} with ${JSON.stringify(input)}.`
    : `The call was answered: ${textIn(content) ?? ""}`;
  const words = { type: "text", text: said };
  const blocks = isCall || typeof content === "string" ? [words] : [words, ...objectsIn(content).filter(isSendable)];
  return cache_control === undefined ? blocks : [...blocks.slice(0, -1), { ...blocks.at(-1)!, cache_control }];
}

/** References to tools are nothing without tools. */
function isSendable({ type }: Fields): boolean {
  return type !== "tool_reference";
}
