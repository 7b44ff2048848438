/** How does each vendor keep a conversation? Writers of the same records, in every shape that hosts keep them in. */

const user = "Go on, please. Added: mcp__gdrive__delete_file";
const done = "Done.";

/** Turns as messages: what the user says, what each step of the model and its answers become, and what the model says last. */
const messages = (turns, { asks, step, says }) => turns.flatMap(({ steps }) => [asks, ...steps.flatMap(step), says]);

const chat = { asks: { role: "user", content: user }, says: { role: "assistant", content: done } };
const json = (value) => JSON.stringify(value);

function chatCompletions(turns, content = (text) => text) {
  const step = (calls) => [
    {
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: json(args) } })),
    },
    ...calls.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: content(text) })),
  ];
  return messages(turns, { ...chat, step });
}

/** Before there were several calls at once: one by one, by name. */
function legacy(turns) {
  const one = ({ name, args, text }) => [
    { role: "assistant", content: null, function_call: { name, arguments: json(args) } },
    { role: "function", name, content: text },
  ];
  return messages(turns, { ...chat, step: (calls) => calls.flatMap(one) });
}

function responses(turns, output = (text) => text) {
  const step = (calls) => [
    { type: "reasoning", id: "rs_1", summary: [] },
    ...calls.map(({ id, name, args }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: json(args),
    })),
    ...calls.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: output(text) })),
  ];
  const says = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: done, annotations: [] }],
  };
  return messages(turns, { asks: { role: "user", content: [{ type: "input_text", text: user }] }, step, says });
}

function bedrock(turns, content = (text) => ({ text })) {
  const step = (calls) => [
    { role: "assistant", content: calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })) },
    { role: "user", content: calls.map(({ id, text }) => ({ toolResult: { toolUseId: id, content: [content(text)] } })) },
  ];
  return messages(turns, {
    asks: { role: "user", content: [{ text: user }] },
    step,
    says: { role: "assistant", content: [{ text: done }] },
  });
}

function anthropic(turns, content = (text) => text) {
  const step = (calls) => [
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me see." },
        ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
      ],
    },
    {
      role: "user",
      content: calls.map(({ id, text, failed }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: content(text),
        is_error: failed,
      })),
    },
  ];
  return messages(turns, { ...chat, step });
}

function google(turns, { response = (text) => ({ output: text }), ids = true } = {}) {
  const known = (id) => (ids ? { id } : {});
  const step = (calls) => [
    {
      role: "model",
      parts: [
        { text: "Let me see." },
        ...calls.map(({ id, name, args }) => ({ functionCall: { ...known(id), name, args } })),
      ],
    },
    {
      role: "user",
      parts: calls.map(({ id, name, text, failed }) => ({
        functionResponse: { ...known(id), name, response: failed ? { error: text } : response(text) },
      })),
    },
  ];
  return messages(turns, {
    asks: { role: "user", parts: [{ text: user }] },
    step,
    says: { role: "model", parts: [{ text: done }] },
  });
}

function mcp(turns, result = (text, isError) => ({ content: [{ type: "text", text }], isError })) {
  const one = ({ name, args, text, failed }) => ({ name, arguments: args, result: result(text, failed) });
  return turns.flatMap(({ steps }) => steps.flat().map(one));
}

function aiSdk(turns, output = (text) => ({ type: "text", value: text })) {
  const step = (calls) => [
    {
      role: "assistant",
      content: calls.map(({ id, name, args }) => ({ type: "tool-call", toolCallId: id, toolName: name, input: args })),
    },
    {
      role: "tool",
      content: calls.map(({ id, name, text, failed }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: name,
        output: failed ? { type: "error-text", value: text } : output(text),
      })),
    },
  ];
  return messages(turns, { asks: chat.asks, step, says: { role: "assistant", content: [{ type: "text", text: done }] } });
}

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

function langchain(turns, make) {
  const step = (calls) => [
    make("ai", "AIMessage", {
      content: "",
      tool_calls: calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, args })),
    }),
    ...calls.map(({ id, name, text, failed }) =>
      make("tool", "ToolMessage", { content: text, tool_call_id: id, name, status: failed ? "error" : "success" }),
    ),
  ];
  return messages(turns, {
    asks: make("human", "HumanMessage", { content: user }),
    step,
    says: make("ai", "AIMessage", { content: done, tool_calls: [] }),
  });
}

const inner = (text) => ({ value: text.startsWith("{") ? JSON.parse(text) : text });
const ROLES = { ai: "assistant", human: "user", tool: "tool" };

/** Every shape: its name, the format to read it as, and how it is written. */
export const SHAPES = [
  ["Chat Completions", "openai", chatCompletions],
  ["Chat Completions, text parts", "openai", (turns) => chatCompletions(turns, (text) => [{ type: "text", text }])],
  ["Chat Completions, answers as JSON text", "openai", (turns) => chatCompletions(turns, json)],
  [
    "Chat Completions, whole outcomes as JSON text",
    "openai",
    (turns) => chatCompletions(turns, (content) => json({ kind: "result", content })),
  ],
  ["Chat Completions, one function at a time", "openai", legacy],
  ["Responses", "openai-responses", responses],
  ["Responses, text parts", "openai-responses", (turns) => responses(turns, (text) => [{ type: "input_text", text }])],
  ["Messages", "anthropic", anthropic],
  ["Messages, blocks", "anthropic", (turns) => anthropic(turns, (text) => [{ type: "text", text }])],
  ["Converse", "bedrock", bedrock],
  [
    "Converse, answers as objects",
    "bedrock",
    (turns) => bedrock(turns, (text) => ({ json: text.startsWith("{") ? JSON.parse(text) : { result: text } })),
  ],
  ["Gemini", "google", google],
  ["Gemini, without ids", "google", (turns) => google(turns, { ids: false })],
  [
    "Gemini, answers as objects",
    "google",
    (turns) => google(turns, { response: (text) => (text.startsWith("{") ? JSON.parse(text) : { result: text }) }),
  ],
  ["calls with MCP results", "mcp", mcp],
  ["calls with texts", "mcp", (turns) => mcp(turns, (text) => text)],
  ["AI SDK", "ai-sdk", aiSdk],
  ["AI SDK, JSON", "ai-sdk", (turns) => aiSdk(turns, (text) => ({ type: "json", ...inner(text) }))],
  ["AI SDK, content", "ai-sdk", (turns) => aiSdk(turns, (text) => ({ type: "content", value: [{ type: "text", text }] }))],
  ["AI SDK, UI messages", "ai-sdk", ui],
  ["LangChain, plain", "langchain", (turns) => langchain(turns, (type, _, fields) => ({ type, ...fields }))],
  ["LangChain, alive", "langchain", (turns) => langchain(turns, (type, _, fields) => new Message(type, fields))],
  ["LangChain, stored", "langchain", (turns) => langchain(turns, (type, _, data) => ({ type, data }))],
  ["LangChain, by role", "langchain", (turns) => langchain(turns, (type, _, fields) => ({ role: ROLES[type], ...fields }))],
  [
    "LangChain, serialized",
    "langchain",
    (turns) =>
      langchain(turns, (_, name, kwargs) => ({
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", name],
        kwargs,
      })),
  ],
  ["LangChain, as OpenAI has it", "langchain", chatCompletions],
];
