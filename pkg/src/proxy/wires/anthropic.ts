/** Anthropic's Messages API, and compatible APIs. */

import * as api from "../../wire/anthropic.js";
import { isSearch } from "../../wire/anthropic-search.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn, textOf } from "../../wire/fields.js";
import { elementsOf, type JsonText, listOf } from "../json-text.js";
import { sseText } from "../sse.js";
import { promptMark, replyMark } from "../marks.js";
import type { Decided, Handed } from "../../loop/rounds.js";
import type { WireRequest, ListedTool, RoundRequest, Route, Wire } from "../wire.js";
import { stopOf, unwrappedBlock, markedBlock, withoutMarks } from "./anthropic-thinking.js";
import { AnthropicJoiner } from "./anthropic-stream.js";
import { isWhole, oneLine, roundsIn, usageOf } from "./shared.js";

export const anthropic: Wire = {
  api,
  format: "anthropic",
  route,
  toolsIn,
  read,
  definitions: (assembled) => [...assembled],
  stub,
  write,
  joined,
  markOf: (body) => markOf(body.value("content")),
  joiner: (request) => new AnthropicJoiner(request),
  error: (status, code, message) => JSON.stringify(error(`${message} (${code})`, status)),
  streamError: (body) => sseText(oneLine(body, error), "error"),
};

/** Returns the tools of the client; undefined if the client uses the vendor's own tool search. */
function toolsIn(text: string): ListedTool[] | undefined {
  const listed: ListedTool[] = [];
  for (const element of elementsOf(text) ?? []) {
    const tool = fieldsOf(JSON.parse(element));
    const { type, name, input_schema, defer_loading, cache_control, ...others } = tool;
    if (defer_loading === true || isSearch(tool)) return undefined;
    const isOwn = isObject(input_schema) && (type === undefined || type === null || type === "custom");
    if (!isOwn) {
      listed.push({ text: element, name: textIn(name) });
      continue;
    }
    // A breakpoint of the prompt cache is moved to the end of the list, which has other tools.
    const isMarked = isObject(cache_control);
    const bare = isMarked ? JSON.stringify({ ...(type ? { type } : {}), name, ...others, input_schema }) : element;
    const breakpoint = isMarked ? JSON.stringify(cache_control) : undefined;
    listed.push({ text: bare, name: textIn(name), definition: tool, breakpoint });
  }
  return listed;
}

/** Parses the paths of Anthropic and of Google's Vertex AI. */
function route(path: string): Route | undefined {
  if (/\/messages\/?$/.test(path)) return {};
  if (/\/messages\/count_tokens\/?$/.test(path)) return { counts: true };
  const [, model, method] = /\/publishers\/anthropic\/models\/([^/:]+):(rawPredict|streamRawPredict)$/.exec(path) ?? [];
  if (model === "count-tokens") return { counts: true };
  return model === undefined ? undefined : { model, stream: method === "streamRawPredict" };
}

function read(body: JsonText, about: Route): WireRequest | undefined {
  const messages = body.value("messages");
  if (!Array.isArray(messages)) return undefined;
  const format = body.value("output_format") ?? fieldsOf(body.value("output_config"))["format"];
  const roleIs = (role: string) => (message: unknown) => fieldsOf(message)["role"] === role;
  const first: unknown = messages.find(roleIs("user"));
  const answer: unknown = messages.find(roleIs("assistant"));
  return {
    body,
    stream: about.stream ?? body.value("stream") === true,
    model: textIn(body.value("model")) ?? about.model,
    messages,
    ...api.choiceIn(body.value("tool_choice")),
    isStructured: isObject(format),
    conversation: undefined,
    beginning: {
      first: JSON.stringify([
        systemText(body.value("system")),
        fieldsOf(body.value("metadata"))["user_id"],
        firstText(fieldsOf(first)["content"]),
      ]),
      reply: answer === undefined ? undefined : markOf(fieldsOf(answer)["content"]),
    },
  };
}

/** Returns the system prompt without its cache breakpoints, which clients move from one block to the next. */
function systemText(system: unknown): string {
  return promptMark([textIn(system), ...objectsIn(system).map(({ text }) => textIn(text))]);
}

/** Returns the content without its cache breakpoints, which clients move from one message to the next. */
function firstText(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const blocks = objectsIn(content).map(({ cache_control: _, ...block }) => block);
  const [only] = blocks;
  return blocks.length === 1 && only?.["type"] === "text" ? only["text"] : blocks;
}

/** Returns a stub. It loses `strict`, because vendors refuse a stub's schema as a strict schema. */
function stub(own: object, shown: object): string {
  const { strict: _, input_examples: __, cache_control: ___, ...others } = own as Fields;
  return JSON.stringify({ ...others, ...shown });
}

function write({ body }: WireRequest, { always, tools, systemPrompt, turns, breakpoint }: RoundRequest): string {
  const all = [...always, ...tools];
  const last = all.length - 1;
  if (breakpoint !== undefined && last >= 0) all[last] = withBreakpoint(all[last]!, breakpoint);
  const own = elementsOf(body.raw("messages")!)!.map(withoutMarks);
  const messages = [...own, ...roundsIn(api, turns)];
  const system = withSystem(body, systemPrompt);
  if (all.length > 0) return body.with({ ...system, messages: listOf(messages), tools: listOf(all) });
  const told = listOf(messages.map(untooled));
  return body.with({ ...system, messages: told, tools: undefined, tool_choice: undefined });
}

function withBreakpoint(tool: string, breakpoint: string): string {
  return JSON.stringify({ ...fieldsOf(JSON.parse(tool)), cache_control: JSON.parse(breakpoint) as unknown });
}

function withSystem(body: JsonText, section: string): { system?: string } {
  if (section === "") return {};
  const system = body.value("system");
  const own = Array.isArray(system) ? elementsOf(body.raw("system")!)! : textIn(system);
  return { system: listOf(api.withPrompt(own, section, (block) => JSON.stringify(block))) };
}

function joined({ isStructured }: WireRequest, replies: readonly JsonText[], { handed }: Decided): string {
  const last = replies.at(-1)!;
  const calls = objectsIn(last.value("content")).filter(({ type }) => type === "tool_use");
  if (replies.length === 1 && isWhole(handed, calls.length)) return last.text;
  const content = replies.flatMap((one, at) => {
    return blocksOf(one, at + 1, one === last ? handed : [], isStructured && one !== last);
  });
  const stop_reason = JSON.stringify(stopOf(last.value("stop_reason"), handed));
  return last.with({ content: listOf(content), stop_reason, ...usageOf("usage", replies) });
}

function blocksOf(body: JsonText, round: number, handed: readonly Handed[], isSilent: boolean): string[] {
  const calls = new Map(handed.map((one) => [one.at, one]));
  let nth = 0;
  return elementsOf(body.raw("content")!)!.flatMap((text): string[] => {
    const block = fieldsOf(JSON.parse(text));
    if (block["type"] === "text" && isSilent) return [];
    if (block["type"] !== "tool_use") {
      const marked = markedBlock(block, round);
      return [marked === block ? text : JSON.stringify(marked)];
    }
    const call = calls.get(nth++);
    if (call === undefined) return [];
    return [call.unwrapped === undefined ? text : JSON.stringify(unwrappedBlock(block, call))];
  });
}

function markOf(content: unknown): string {
  const calls = objectsIn(content).filter(({ type }) => type === "tool_use");
  return replyMark(
    textOf(content),
    calls.map(({ id }) => textIn(id) ?? ""),
  );
}

function error(message: string, status = 500): object {
  const type = status === 413 ? "request_too_large" : status < 500 ? "invalid_request_error" : "api_error";
  return { type: "error", error: { type, message } };
}

/** Returns a message as text, with its calls and answers as plain text; unchanged if it has none. */
function untooled(text: string): string {
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

/** Without tools, references to tools are refused. */
function isSendable({ type }: Fields): boolean {
  return type !== "tool_reference";
}
