/** OpenAI's Chat Completions, and what speaks the same. */

import { chatAnswers } from "../../wire/openai-chat.js";
import { joined as joinedPrompt } from "../../wire/prompt.js";
import { summed } from "../../wire/usage.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn } from "../fields.js";
import { elementsOf, type JsonText, listOf } from "../json-text.js";
import { prompted, toldBy } from "../told.js";
import type { Asked, ListedTool, Reply, RoundRequest, Route, Settled, Wire } from "../wire.js";
import { finishOf, handedCall, replyOf, TEXTS } from "./openai-chat-reply.js";
import { ChatJoiner } from "./openai-chat-stream.js";

export const openaiChat: Wire = {
  format: "openai",
  toolsKey: "tools",
  route: (path) => (/\/chat\/completions\/?$/.test(path) ? {} : undefined),
  toolsIn,
  read,
  definitions: (assembled) => [...assembled],
  nameOf: (definition) => String(fieldsOf(fieldsOf(definition)["function"])["name"]),
  stub,
  write,
  reply,
  joined,
  told: (body) => toldOf(choiceOf(body)?.message),
  joiner: (asked) => new ChatJoiner(asked),
  error: (status, code, message) => {
    return JSON.stringify({ error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code } });
  },
  streamError: (body) => `data: ${oneLine(body)}\n\n`,
};

function toolsIn(text: string): ListedTool[] | undefined {
  return elementsOf(text)?.map((element): ListedTool => {
    const tool = fieldsOf(JSON.parse(element));
    const inner = fieldsOf(tool["type"] === "custom" ? tool["custom"] : tool["function"]);
    const name = textIn(inner["name"]);
    return { text: element, name, definition: tool["type"] === "function" ? tool : undefined };
  });
}

function read(body: JsonText, _: Route): Asked | string | undefined {
  const messages = body.value("messages");
  const n = body.value("n") ?? 1;
  if (!Array.isArray(messages)) return undefined;
  if (n !== 1) return "several choices (n) are several conversations";
  const choice = body.value("tool_choice");
  const format = fieldsOf(body.value("response_format"))["type"];
  const first = messages.find((message) => fieldsOf(message)["role"] === "user") as unknown;
  const answer = messages.find((message) => fieldsOf(message)["role"] === "assistant") as unknown;
  return {
    body,
    stream: body.value("stream") === true,
    model: textIn(body.value("model")),
    messages,
    named: namedIn(choice),
    choice: choice === "none" ? "none" : isDemand(choice) ? "demanded" : "free",
    isStructured: format === "json_schema" || format === "json_object",
    conversation: undefined,
    beginning: {
      first: JSON.stringify([systemText(messages), body.value("user"), body.value("safety_identifier"), fieldsOf(first)["content"]]),
      reply: answer === undefined ? undefined : toldOf(fieldsOf(answer)),
    },
  };
}

function systemText(messages: readonly unknown[]): string {
  const first = messages.findIndex((message) => !isSystem(message));
  return prompted(messages.slice(0, first === -1 ? undefined : first).map((message) => JSON.stringify(fieldsOf(message)["content"])));
}

function isSystem(message: unknown): boolean {
  const { role } = fieldsOf(message);
  return role === "system" || role === "developer";
}

/** The names of functions and custom tools that a choice names. */
function namedIn(choice: unknown): string[] {
  const { type, allowed_tools } = fieldsOf(choice);
  const tools = type === "allowed_tools" ? objectsIn(fieldsOf(allowed_tools)["tools"]) : [fieldsOf(choice)];
  return tools.flatMap((tool) => textIn(fieldsOf(tool["function"] ?? tool["custom"])["name"]) ?? []);
}

function isDemand(choice: unknown): boolean {
  const { type, allowed_tools } = fieldsOf(choice);
  return choice === "required" || (type === "allowed_tools" ? fieldsOf(allowed_tools)["mode"] === "required" : type !== undefined);
}

/** A stub has a schema that vendors refuse as a strict one. */
function stub(own: object, shown: object): string {
  const { function: made, ...others } = own as Fields;
  const { strict: _, ...inner } = fieldsOf(made);
  return JSON.stringify({ ...others, function: { ...inner, ...fieldsOf(fieldsOf(shown)["function"]) } });
}

function write({ body }: Asked, { always, tools, systemPrompt, turns }: RoundRequest): string {
  const all = [...always, ...tools];
  const messages = elementsOf(body.raw("messages")!)!;
  const rounds = turns.flatMap(({ reply, answers }) => [reply as string, ...chatAnswers(answers).map((one) => JSON.stringify(one))]);
  const changes = { messages: listOf([...withPrompt(messages, systemPrompt), ...rounds]) };
  if (all.length > 0) return body.with({ ...changes, tools: listOf(all) });
  // The API refuses parameters about tools in a request without tools.
  return body.with({ ...changes, tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined });
}

/** The prompt section behind the client's own system messages: in the last of them, since some models take one only. */
function withPrompt(messages: readonly string[], section: string): string[] {
  if (section === "") return [...messages];
  let at = 0;
  let last: Fields | undefined;
  for (; at < messages.length; at++) {
    const message = fieldsOf(JSON.parse(messages[at]!));
    if (!isSystem(message)) break;
    last = message;
  }
  if (last === undefined) return [JSON.stringify({ role: "system", content: section }), ...messages];
  const { content } = last;
  const said = Array.isArray(content) ? [...content, { type: "text", text: section }] : joinedPrompt(textIn(content), section);
  return messages.map((message, index) => (index === at - 1 ? JSON.stringify({ ...last, content: said }) : message));
}

interface Choice {
  message: Fields;
  finish_reason: string | null;
}

function choiceOf(body: JsonText): Choice | undefined {
  const { message, finish_reason } = fieldsOf((body.value("choices") as unknown[] | undefined)?.[0]);
  return isObject(message) ? { message, finish_reason: textIn(finish_reason) ?? null } : undefined;
}

function reply(body: JsonText): Reply | undefined {
  const choice = choiceOf(body);
  return choice === undefined ? undefined : replyOf(choice.message, choice.finish_reason);
}

function joined({ isStructured }: Asked, replies: readonly JsonText[], { handed }: Settled): string {
  const last = replies.at(-1)!;
  const { message, finish_reason } = choiceOf(last)!;
  const calls = objectsIn(message["tool_calls"]);
  const isWhole = handed.length === calls.length && handed.every(({ unwrapped }) => unwrapped === undefined);
  if (replies.length === 1 && isWhole) return last.text;
  const { tool_calls: _, ...others } = message;
  const said: Record<string, unknown> = { ...others };
  const before = isStructured ? [] : replies.slice(0, -1).map((one) => fieldsOf(choiceOf(one)?.message));
  for (const key of TEXTS) {
    const texts = [...before, message].map((one) => textIn(one[key]));
    if (texts.some((text) => text !== undefined)) said[key] = joinedPrompt(...texts) || message[key];
  }
  if (handed.length > 0) said["tool_calls"] = handed.map((one) => handedCall(calls[one.at]!, one));
  const choice = { ...fieldsOf((last.value("choices") as unknown[])[0]), message: said, finish_reason: finishOf(finish_reason, handed) };
  const usage = replies.reduce<unknown>((sum, one) => summed(sum, one.value("usage")), undefined);
  return last.with({ choices: JSON.stringify([choice]), ...(usage === undefined ? {} : { usage: JSON.stringify(usage) }) });
}

function toldOf(message: Fields | undefined): string {
  const { content, tool_calls } = fieldsOf(message);
  const text = Array.isArray(content) ? objectsIn(content).map((part) => textIn(part["text"]) ?? "").join("") : (textIn(content) ?? "");
  return toldBy(text, objectsIn(tool_calls).map((call) => textIn(call["id"]) ?? ""));
}

/** A body as the data of one event. */
function oneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return JSON.stringify({ error: { message: body.slice(0, 1_000), type: "server_error", param: null, code: null } });
  }
}
