/** Writes recorded conversations in the message format of each vendor. */

import { APIS } from "../../apis/index.mjs";

const user = "Go on, please. Added: mcp__gdrive__delete_file";
const done = "Done.";
const json = (value) => JSON.stringify(value);
const objectIn = (text) => (text.startsWith("{") ? JSON.parse(text) : undefined);

/** Turns as messages: what the user says, what each step of the model and its answers become, and what the model says last. */
const over =
  ({ asks, says, step }, ...more) =>
  (turns) =>
    turns.flatMap(({ steps }) => [asks(user), ...steps.flatMap((calls) => step(calls, ...more)), says(done)]);

const { chat, responses, messages, gemini } = APIS;

/** Before there were several calls at once: one by one, by name. */
const legacy = {
  ...chat,
  step: (calls) =>
    calls.flatMap(({ name, args, text }) => [
      { role: "assistant", content: null, function_call: { name, arguments: json(args) } },
      { role: "function", name, content: text },
    ]),
};

const reasoning = {
  ...responses,
  step: (...about) => [{ type: "reasoning", id: "rs_1", summary: [] }, ...responses.step(...about)],
};

const bedrock = {
  asks: (text) => ({ role: "user", content: [{ text }] }),
  says: (text) => ({ role: "assistant", content: [{ text }] }),
  step: (calls, content = (text) => ({ text })) => [
    { role: "assistant", content: calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })) },
    { role: "user", content: calls.map(({ id, text }) => ({ toolResult: { toolUseId: id, content: [content(text)] } })) },
  ],
};

const mcp =
  (result = (text, isError) => ({ content: [{ type: "text", text }], isError })) =>
  (turns) =>
    turns
      .flatMap(({ steps }) => steps.flat())
      .map(({ name, args, text, failed }) => ({ name, arguments: args, result: result(text, failed) }));

const aiSdk = {
  asks: chat.asks,
  says: (text) => ({ role: "assistant", content: [{ type: "text", text }] }),
  step: (calls, output = (text) => ({ type: "text", value: text })) => [
    {
      role: "assistant",
      content: calls.map(({ id, name, args }) => ({ type: "tool-call", toolCallId: id, toolName: name, input: args })),
    },
    {
      role: "tool",
      content: calls.map(({ id, name, text, failed }) => ({
        ...{ type: "tool-result", toolCallId: id, toolName: name },
        output: failed ? { type: "error-text", value: text } : output(text),
      })),
    },
  ],
};

function ui(turns) {
  const part = ({ id, name, args, text, failed }, at) => ({
    ...(at % 2 === 0 ? { type: `tool-${name}` } : { type: "dynamic-tool", toolName: name }),
    toolCallId: id,
    input: args,
    ...(failed ? { state: "output-error", errorText: text } : { state: "output-available", output: text }),
  });
  return turns.flatMap(({ steps }, at) => [
    { id: `u${at}`, role: "user", parts: [{ type: "text", text: user }] },
    {
      id: `a${at}`,
      role: "assistant",
      parts: [...steps.flatMap((calls) => [{ type: "step-start" }, ...calls.map(part)]), { type: "text", text: done }],
    },
  ]);
}

/** Messages as LangChain's classes hold them, far enough for a reader: what is asked for is on the prototype's getters. */
class Message {
  constructor(type, fields) {
    Object.assign(this, { lc_serializable: true, lc_kwargs: fields }, fields);
    Object.defineProperty(this, "type", { get: () => type });
  }
}

/** `make` takes the type of a message and its fields. */
const langchain = (make) => ({
  asks: (content) => make("human", { content }),
  says: (content) => make("ai", { content, tool_calls: [] }),
  step: (calls) => [
    make("ai", { content: "", tool_calls: calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, args })) }),
    ...calls.map(({ id, name, text, failed }) =>
      make("tool", { content: text, tool_call_id: id, name, status: failed ? "error" : "success" }),
    ),
  ],
});
const ROLES = { ai: "assistant", human: "user", tool: "tool" };
const CLASSES = { ai: "AIMessage", human: "HumanMessage", tool: "ToolMessage" };
const serialized = (type, kwargs) => ({
  ...{ lc: 1, type: "constructor", id: ["langchain_core", "messages", CLASSES[type]], kwargs },
});

const parts = (type) => (text) => [{ type, text }];
const response = (text) => objectIn(text) ?? { result: text };

/** Every shape: its name, the format to read it as, and how it is written. */
export const SHAPES = [
  ["Chat Completions", "openai", over(chat)],
  ["Chat Completions, text parts", "openai", over(chat, parts("text"))],
  ["Chat Completions, answers as JSON text", "openai", over(chat, json)],
  ["Chat Completions, whole outcomes as JSON text", "openai", over(chat, (content) => json({ kind: "result", content }))],
  ["Chat Completions, one function at a time", "openai", over(legacy)],
  ["Responses", "openai-responses", over(reasoning)],
  ["Responses, text parts", "openai-responses", over(reasoning, parts("input_text"))],
  ["Messages", "anthropic", over(messages)],
  ["Messages, blocks", "anthropic", over(messages, parts("text"))],
  ["Converse", "bedrock", over(bedrock)],
  ["Converse, answers as objects", "bedrock", over(bedrock, (text) => ({ json: response(text) }))],
  ["Gemini", "google", over(gemini, { ids: true })],
  ["Gemini, without ids", "google", over(gemini)],
  ["Gemini, answers as objects", "google", over(gemini, { response, ids: true })],
  ["calls with MCP results", "mcp", mcp()],
  ["calls with texts", "mcp", mcp((text) => text)],
  ["AI SDK", "ai-sdk", over(aiSdk)],
  ["AI SDK, JSON", "ai-sdk", over(aiSdk, (text) => ({ type: "json", value: objectIn(text) ?? text }))],
  ["AI SDK, content", "ai-sdk", over(aiSdk, (text) => ({ type: "content", value: [{ type: "text", text }] }))],
  ["AI SDK, UI messages", "ai-sdk", ui],
  ["LangChain, plain", "langchain", over(langchain((type, fields) => ({ type, ...fields })))],
  ["LangChain, alive", "langchain", over(langchain((type, fields) => new Message(type, fields)))],
  ["LangChain, stored", "langchain", over(langchain((type, data) => ({ type, data })))],
  ["LangChain, by role", "langchain", over(langchain((type, fields) => ({ role: ROLES[type], ...fields })))],
  ["LangChain, serialized", "langchain", over(langchain(serialized))],
  ["LangChain, as OpenAI has it", "langchain", over(chat)],
];
/** One shape of each format: the first. */
export const FORMATS = new Map(SHAPES.toReversed().map(([, format, write]) => [format, write]));
