/**
 * Chat Completions: a test API that is as strict as the real one, and a client of it.
 *
 * A reply may have `reasoning`: text in the field `reasoning_content`, which some vendors use.
 */

import assert from "node:assert/strict";
import { argumentsText, checkSchema, countsIn, eventsIn, halves, must, mustBeObject, only, tokensOf } from "./vendor.mjs";

const FIELDS =
  "model messages tools tool_choice parallel_tool_calls stream stream_options temperature top_p n stop max_tokens " +
  "max_completion_tokens presence_penalty frequency_penalty logit_bias logprobs top_logprobs user seed response_format " +
  "reasoning_effort metadata store service_tier modalities audio prediction verbosity web_search_options prompt_cache_key " +
  "safety_identifier prompt_cache_retention functions function_call";
const ROLES = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  assistant: [
    "role",
    "content",
    "name",
    "refusal",
    "tool_calls",
    "function_call",
    "audio",
    "annotations",
    "reasoning_content",
  ],
  tool: ["role", "content", "tool_call_id", "name"],
};
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MOST_TOOLS = 128;

const asTool = ({ name, description, inputSchema }) => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
});
const calling = ({ id, name, args }) => ({ id, type: "function", function: { name, arguments: argumentsText(args) } });

/** The client's side; index.mjs says what each member is. */
const client = {
  url: () => "/v1/chat/completions",
  tool: asTool,
  nameOf: (tool) => tool.function?.name ?? tool.custom?.name,
  asks: (content) => ({ role: "user", content }),
  says: (content) => ({ role: "assistant", content }),
  step: (calls, content = (text) => text) => [
    { role: "assistant", content: null, tool_calls: calls.map(calling) },
    ...calls.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: content(text) })),
  ],
  request: ({ system, messages, tools, stream, choose, demand, json }) => ({
    model: "m",
    messages: [...(system ? [{ role: "system", content: system }] : []), ...messages],
    tools: tools.map(asTool),
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...(choose && { tool_choice: { type: "function", function: { name: choose } } }),
    ...(demand && { tool_choice: demand === "free" ? "auto" : "required" }),
    ...(json && { response_format: { type: "json_object" } }),
  }),
  collect(bytes, stream) {
    if (!stream) {
      const { choices, usage } = JSON.parse(bytes);
      return collected(choices[0].message, choices[0].finish_reason, usage);
    }
    const all = eventsIn(bytes).map(({ data }) => data);
    assert.equal(all.pop(), "[DONE]");
    assert.equal(new Set(all.map(({ id }) => id)).size, 1, "one id");
    const message = { content: "", tool_calls: [] };
    for (const { delta } of all.flatMap(({ choices }) => choices)) {
      message.content += delta.content ?? "";
      for (const { index, function: made } of delta.tool_calls ?? []) {
        assert.ok(index <= message.tool_calls.length, "no index is passed over");
        message.tool_calls[index] ??= { function: { name: made.name, arguments: "" } };
        message.tool_calls[index].function.arguments += made.arguments;
      }
    }
    const [finish, ...more] = all.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
    const [usage, ...others] = all.map((one) => one.usage).filter(Boolean);
    assert.deepEqual([more, others], [[], []], "one end, and usage once");
    return collected(message, finish, usage);
  },
};

function collected({ content, tool_calls = [] }, finish, usage) {
  assert.equal(finish, tool_calls.length > 0 ? "tool_calls" : "stop");
  const calls = tool_calls.map(({ function: { name, arguments: args } }) => ({ name, args: JSON.parse(args) }));
  return { texts: content ? [content] : [], calls, tokens: countsIn(usage) };
}

/** The API; `mostTools` is how many tools the backend takes. */
export function chatWire({ mostTools = MOST_TOOLS } = {}) {
  return {
    ...client,
    path: /\/chat\/completions$/,
    streams: ({ stream }) => stream === true,
    read: (body, incoming) => read(body, incoming, mostTools),
    reply: finished,
    stream: events,
  };
}

export const chat = chatWire();

/** As other vendors speak it, which take more tools. */
export const compatible = chatWire({ mostTools: 512 });

function read(body, { headers }, mostTools) {
  must(/^Bearer \S+$/.test(headers.authorization ?? ""), "You didn't provide an API key.");
  only(body, FIELDS.split(" "), "request");
  const { messages, tools, tool_choice, stream, stream_options, parallel_tool_calls } = body;
  must(Array.isArray(messages) && messages.length > 0, "messages is empty");
  must(stream_options === undefined || stream === true, "'stream_options' is only allowed when 'stream' is true");
  if (tools !== undefined) checkTools(tools, mostTools);
  must(tools !== undefined || tool_choice === undefined, "'tool_choice' is only allowed when 'tools' are specified");
  must(
    tools !== undefined || parallel_tool_calls === undefined,
    "'parallel_tool_calls' is only allowed when 'tools' are specified",
  );
  const names = (tools ?? []).map(nameOf);
  const chosen = tool_choice?.function?.name;
  must(chosen === undefined || names.includes(chosen), `Tool choice '${chosen}' not found in 'tools' parameter.`);
  checkMessages(messages);
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return {
    tools: names,
    toolTokens: tools === undefined ? 0 : tokensOf(tools),
    system: messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map(textIn)
      .join("\n\n"),
    answers: since.filter(({ role }) => role === "tool").map(textIn),
    prompt: textIn(messages.findLast(({ role }) => role === "user")),
  };
}

const nameOf = (tool) => tool.function?.name ?? tool.custom?.name ?? tool.type;

function checkTools(tools, most) {
  must(Array.isArray(tools) && tools.length > 0, "[] is too short - 'tools'");
  must(tools.length <= most, `Invalid 'tools': array too long. Expected maximum length ${most}, got ${tools.length}.`);
  const names = tools.map(nameOf);
  must(new Set(names).size === names.length, "Tool names must be unique.");
  for (const [at, tool] of tools.entries()) {
    const where = `tools[${at}]`;
    must(tool.type === "function" || tool.type === "custom", `${where}.type: '${tool.type}'`);
    only(tool, ["type", tool.type], where);
    if (tool.type !== "function") continue;
    only(tool.function, ["name", "description", "parameters", "strict"], `${where}.function`);
    must(NAME.test(tool.function.name), `Invalid '${where}.function.name': '${tool.function.name}'`);
    must(["string", "undefined"].includes(typeof tool.function.description), `${where}.function.description`);
    if (tool.function.parameters !== undefined) checkSchema(tool.function.parameters, where);
    if (tool.function.strict) {
      const { additionalProperties, properties = {}, required = [] } = tool.function.parameters;
      must(additionalProperties === false, `${where}: 'additionalProperties' is required to be false`);
      must(
        Object.keys(properties).every((name) => required.includes(name)),
        `${where}: 'required' must hold every key`,
      );
    }
  }
}

function checkMessages(messages) {
  let open = [];
  for (const [at, message] of messages.entries()) {
    const where = `messages[${at}]`;
    const { role, content, tool_calls, tool_call_id } = message;
    must(ROLES[role] !== undefined, `${where}: role '${role}'`);
    only(message, ROLES[role], where);
    if (role === "tool") {
      must(
        open.includes(tool_call_id),
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      );
      must(typeof content === "string" || Array.isArray(content), `${where}.content`);
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    must(open.length === 0, `An assistant message with 'tool_calls' must be followed by tool messages. Missing: ${open}`);
    if (role !== "assistant") {
      must(content !== undefined && content !== null, `${where}.content is missing`);
      continue;
    }
    must(tool_calls === undefined || tool_calls.length > 0, `Invalid '${where}.tool_calls': empty array`);
    must(tool_calls?.length > 0 || (content ?? message.refusal) != null, `${where}: content or tool_calls must be provided`);
    for (const one of tool_calls ?? []) {
      only(one, ["id", "type", one.type, "extra_content"], `${where}.tool_calls`);
      must(typeof one.id === "string" && one.id.length > 0 && one.id.length <= 64, `${where}.tool_calls: id`);
      if (one.type === "function") {
        only(one.function, ["name", "arguments"], `${where}.tool_calls.function`);
        must(NAME.test(one.function.name), `${where}.tool_calls: name '${one.function.name}'`);
        mustBeObject(one.function.arguments, `${where}.tool_calls`);
      }
      open.push(one.id);
    }
    must(new Set(open).size === open.length, `${where}: duplicated ids of tool calls`);
  }
  must(open.length === 0, `An assistant message with 'tool_calls' must be followed by tool messages. Missing: ${open}`);
}

function usageOf(body, { text, calls }) {
  const prompt_tokens = tokensOf({ messages: body.messages, tools: body.tools });
  const completion_tokens = tokensOf([text, calls]);
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

const about = (step, model) => ({
  id: `chatcmpl-${step}`,
  created: 1_700_000_000 + step,
  model,
  service_tier: "default",
  system_fingerprint: "fp_1",
});
const finishOf = ({ calls }) => (calls.length > 0 ? "tool_calls" : "stop");

function finished(reply, body) {
  const { text, calls, step, reasoning } = reply;
  const message = { role: "assistant", content: text === "" ? null : text, refusal: null, annotations: [] };
  if (reasoning !== undefined) message.reasoning_content = reasoning;
  if (calls.length > 0) message.tool_calls = calls.map(calling);
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishOf(reply) }];
  return { ...about(step, body.model), object: "chat.completion", choices, usage: usageOf(body, reply) };
}

/** Arguments come in pieces, as they do. */
function events(reply, body) {
  const { text, calls, step, reasoning } = reply;
  const withUsage = body.stream_options?.include_usage === true;
  const chunk = (delta, finish_reason = null) => ({
    data: {
      ...about(step, body.model),
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(withUsage ? { usage: null } : {}),
    },
  });
  const all = [
    chunk({ role: "assistant", content: text === "" ? null : "", refusal: null }),
    ...(reasoning === undefined ? [] : halves(reasoning).map((piece) => chunk({ reasoning_content: piece }))),
    ...(text === "" ? [] : halves(text).map((content) => chunk({ content }))),
    ...calls.flatMap((call, index) => {
      const {
        id,
        type,
        function: { name, arguments: args },
      } = calling(call);
      const pieces = halves(args).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
      return [chunk({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] }), ...pieces];
    }),
    chunk({}, finishOf(reply)),
  ];
  const usage = { ...about(step, body.model), object: "chat.completion.chunk", choices: [], usage: usageOf(body, reply) };
  return [...all, ...(withUsage ? [{ data: usage }] : []), { data: "[DONE]" }];
}

function textIn(message) {
  const { content } = message ?? {};
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n\n") : (content ?? "");
}
