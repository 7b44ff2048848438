/** Amazon Bedrock's Converse, which any model there speaks. */

import * as api from "../../wire/bedrock.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn, textOf } from "../../wire/fields.js";
import { CONVERSE } from "../aws-frames.js";
import { elementsOf, JsonText, listOf } from "../json-text.js";
import { sseText } from "../sse.js";
import { promptMark, replyMark } from "../marks.js";
import type { Decided, Handed } from "../../loop/rounds.js";
import type { WireRequest, ListedTool, RoundRequest, Route, Turn, Wire } from "../wire.js";
import { stopOf } from "./anthropic-reply.js";
import { callBlocks, unwrappedBlock } from "./bedrock-reply.js";
import { BedrockJoiner } from "./bedrock-stream.js";
import { markedBlock, withoutMarks } from "./bedrock-thinking.js";
import { isWhole, oneLine, roundsIn, usageOf } from "./shared.js";

export const bedrock: Wire = {
  api,
  format: "bedrock",
  messages: "bedrock",
  toolsKey: "toolConfig",
  route,
  toolsIn,
  read,
  definitions: (assembled) => [...assembled],
  stub: (_, shown) => JSON.stringify(shown),
  write,
  joined,
  markOf: (body) => markOf(api.messageOf(JSON.parse(body.text) as object)["content"]),
  joiner: (request) => new BedrockJoiner(request),
  error: (_, code, message) => JSON.stringify(error(`${message} (${code})`)),
  streamError: (body) => sseText(oneLine(body, error), "internalServerException"),
};

const error = (message: string): object => ({ message });

function route(path: string): Route | undefined {
  const [, model, method] = /\/model\/([^/]+)\/(converse|converse-stream|count-tokens)$/.exec(path) ?? [];
  if (model === undefined) return undefined;
  if (method === "count-tokens") return { counts: true, model, within: ["input", "converse"] };
  return { model, ...(method === "converse" ? { stream: false } : { stream: true, frames: CONVERSE }) };
}

/** The tools of a request's `toolConfig`. A cache point moves behind the last tool that is sent. */
function toolsIn(text: string): ListedTool[] | undefined {
  const listed: ListedTool[] = [];
  for (const element of elementsOf(JsonText.of(text)?.raw("tools") ?? "[]") ?? []) {
    const tool = fieldsOf(JSON.parse(element));
    const last = listed.at(-1);
    const name = api.nameOf(tool);
    if (tool["cachePoint"] !== undefined && last !== undefined) last.breakpoint = element;
    else listed.push({ text: element, name, definition: name === undefined ? undefined : asMcp(tool) });
  }
  return listed;
}

/** A definition as the core reads it. */
function asMcp(tool: Fields): object {
  const { name, description, inputSchema } = fieldsOf(tool["toolSpec"]);
  return { name, ...(description === undefined ? {} : { description }), inputSchema: fieldsOf(inputSchema)["json"] ?? {} };
}

function read(body: JsonText, { stream = false, model }: Route): WireRequest | undefined {
  const messages = body.value("messages");
  if (!Array.isArray(messages)) return undefined;
  const { textFormat } = fieldsOf(body.value("outputConfig"));
  const all = objectsIn(messages);
  const first = all.find(({ role }) => role === "user");
  const answer = all.find(({ role }) => role === "assistant");
  const system = promptMark(objectsIn(body.value("system")).map(({ text }) => textIn(text)));
  return {
    body,
    stream,
    model,
    messages,
    ...api.choiceIn(fieldsOf(body.value("toolConfig"))["toolChoice"]),
    isStructured: isObject(textFormat),
    conversation: undefined,
    beginning: {
      first: JSON.stringify([system, objectsIn(first?.["content"]).filter(({ cachePoint }) => cachePoint === undefined)]),
      reply: answer === undefined ? undefined : markOf(answer["content"]),
    },
  };
}

function write({ body }: WireRequest, { always, tools, systemPrompt, turns, breakpoint }: RoundRequest): string {
  const all = [...always, ...tools];
  const messages = elementsOf(body.raw("messages")!)!.map(withoutMarks);
  const own = elementsOf(body.raw("system") ?? "[]") ?? [];
  const changes =
    systemPrompt === "" ? {} : { system: listOf(api.withPrompt(own, systemPrompt, (block) => JSON.stringify(block))) };
  if (all.length === 0) {
    return body.with({ ...changes, messages: listOf([...messages, ...toldIn(turns)]), toolConfig: undefined });
  }
  if (breakpoint !== undefined) all.push(breakpoint);
  const toolConfig = JsonText.of(body.raw("toolConfig")!)!.with({ tools: listOf(all) });
  return body.with({ ...changes, messages: listOf([...messages, ...roundsIn(api, turns)]), toolConfig });
}

/** The rounds before as texts: the API takes no calls in a request without tools. */
function toldIn(turns: readonly Turn[]): string[] {
  return turns.flatMap(({ reply, answers }) => {
    const words = reply.text.trim() || "I search for a tool.";
    const entries = [
      { role: "assistant", content: [{ text: words }] },
      { role: "user", content: answers.map(({ content: text }) => ({ text })) },
    ];
    return entries.map((entry) => JSON.stringify(entry));
  });
}

function joined({ isStructured }: WireRequest, replies: readonly JsonText[], { handed }: Decided): string {
  const last = replies.at(-1)!;
  if (replies.length === 1 && isWhole(handed, callBlocks(JSON.parse(last.text) as object).length)) return last.text;
  const content = replies.flatMap((one, at) =>
    blocksOf(one, at + 1, one === last ? handed : [], isStructured && one !== last),
  );
  const output = JsonText.of(last.raw("output")!)!;
  const message = JsonText.of(output.raw("message")!)!.with({ content: listOf(content) });
  const stopReason = JSON.stringify(stopOf(last.value("stopReason"), handed));
  return last.with({
    output: output.with({ message }),
    stopReason,
    ...usageOf("usage", replies),
    ...usageOf("metrics", replies),
  });
}

/** The texts of a round's blocks that the client gets. */
function blocksOf(body: JsonText, round: number, handed: readonly Handed[], isSilent: boolean): string[] {
  const calls = new Map(handed.map((one) => [one.at, one]));
  const message = JsonText.of(JsonText.of(body.raw("output")!)!.raw("message")!)!;
  let nth = 0;
  return elementsOf(message.raw("content")!)!.flatMap((text): string[] => {
    const block = fieldsOf(JSON.parse(text));
    if (block["text"] !== undefined && isSilent) return [];
    if (block["toolUse"] === undefined) {
      const marked = markedBlock(block, round);
      return marked === undefined ? [] : [marked === block ? text : JSON.stringify(marked)];
    }
    const call = calls.get(nth++);
    if (call === undefined) return [];
    return [call.unwrapped === undefined ? text : JSON.stringify(unwrappedBlock(block, call))];
  });
}

function markOf(content: unknown): string {
  const ids = objectsIn(content).flatMap(({ toolUse }) => textIn(fieldsOf(toolUse)["toolUseId"]) ?? []);
  return replyMark(textOf(content), ids);
}
