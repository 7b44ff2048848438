/**
 * Requests, replies and streams of each vendor's API, with something of every kind that they can have. A reply takes how many of its
 * parts it has: without its last ones it calls only what toolsift itself answers.
 */

const schema = () => ({ type: "object", properties: { a: { type: "string" } } });

export const CHAT = () => ({
  model: "m",
  messages: [
    { role: "system", content: "s" },
    { role: "user", content: [{ type: "text", text: "hi" }] },
  ],
  tools: [
    { type: "function", function: { name: "own", description: "d", parameters: schema() } },
    { type: "custom", custom: { name: "custom" } },
  ],
  tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: [] } },
  parallel_tool_calls: true,
  stream: false,
});
export const CHAT_CALLS = () => [
  { id: "1", type: "function", function: { name: "search_tools", arguments: '{"query":"a message"}' } },
  { id: "2", type: "function", function: { name: "good", arguments: '{"text":"x"}' } },
  { id: "3", type: "custom", custom: { name: "custom", input: "x" } },
  { id: "4", type: "function", function: { name: "own", arguments: "{}" } },
];
export const COMPLETION = (count) => ({
  id: "c",
  object: "chat.completion",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: { role: "assistant", content: "text", refusal: null, tool_calls: CHAT_CALLS().slice(0, count) },
    },
  ],
});
export const CHUNKS = (count) => [
  { id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "te" } }] },
  {
    id: "c",
    choices: [
      {
        index: 0,
        delta: {
          content: "xt",
          tool_calls: [{ index: 0, id: "1", type: "function", function: { name: "search_tools", arguments: '{"que' } }],
        },
      },
    ],
  },
  {
    id: "c",
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            { index: 0, function: { arguments: 'ry":"a message"}' } },
            { id: "2", type: "custom", custom: { name: "custom", input: "i" } },
          ].slice(0, count),
        },
      },
    ],
  },
  { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }], usage: {} },
];

export const RESPONSES = () => ({
  model: "m",
  instructions: "i",
  input: [
    { role: "user", content: "hi" },
    { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "x", parameters: null }] },
  ],
  tools: [
    { type: "function", name: "own", parameters: schema(), strict: false },
    { type: "namespace", name: "ns", tools: [{ type: "function", name: "inner" }] },
    { type: "web_search" },
  ],
  tool_choice: "required",
  parallel_tool_calls: true,
  store: true,
  previous_response_id: null,
  stream: false,
});
export const OUTPUT = () => [
  { type: "reasoning", id: "r", summary: [] },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "t", annotations: [] }] },
  { type: "function_call", id: "f", call_id: "1", name: "search_tools", arguments: '{"query":"a message"}' },
  { type: "function_call", call_id: "5", name: "good", arguments: '{"text":"x"}', status: "completed" },
  { type: "function_call", call_id: "2", name: "inner", namespace: "ns", arguments: "{}" },
  { type: "custom_tool_call", call_id: "3", name: "custom", input: "x" },
  { type: "tool_search_call", call_id: "4", execution: "client", arguments: { query: "a message" } },
];
export const RESPONSE = (count) => ({
  id: "r",
  object: "response",
  status: "completed",
  output: OUTPUT().slice(0, count),
  output_text: "t",
  usage: {},
});
export const RESPONSES_EVENTS = (count) => [
  { type: "response.created", response: { id: "r" } },
  { type: "response.output_text.delta", delta: "t" },
  { type: "response.output_item.done", output_index: 0, item: OUTPUT()[2] },
  { type: "response.completed", response: RESPONSE(count) },
];

export const MESSAGES = () => ({
  model: "claude-opus-5-5",
  max_tokens: 10,
  system: [{ type: "text", text: "s" }],
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "good", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          content: [
            { type: "tool_reference", tool_name: "good" },
            { type: "text", text: "x" },
          ],
        },
      ],
    },
  ],
  tools: [
    { name: "own", description: "d", input_schema: schema() },
    { type: "web_search_20250305", name: "web_search" },
  ],
  tool_choice: { type: "any", disable_parallel_tool_use: true },
  stream: false,
});

/** A search that Anthropic makes itself, and what it found. */
export const HOSTED_SEARCH = (id) => [
  { type: "server_tool_use", id, name: "tool_search_tool_bm25", input: { query: "x" } },
  {
    type: "tool_search_tool_result",
    tool_use_id: id,
    content: {
      type: "tool_search_tool_search_result",
      tool_references: [{ type: "tool_reference", tool_name: "read_file" }],
    },
  },
];

export const MESSAGE = (count) => ({
  id: "m",
  type: "message",
  role: "assistant",
  stop_reason: "tool_use",
  content: [
    { type: "text", text: "t" },
    ...HOSTED_SEARCH("0"),
    { type: "tool_use", id: "1", name: "search_tools", input: { query: "a message" } },
    { type: "tool_use", id: "2", name: "good", input: { text: "x" } },
  ].slice(0, count),
});
/** The events of the same message without what the hosted search adds. */
export const MESSAGE_EVENTS = () => [
  {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "1", name: "search_tools", input: {} } },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"query":"a"}' } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];

export const GOOGLE = () => ({
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  systemInstruction: { role: "user", parts: [{ text: "s" }] },
  tools: [
    { functionDeclarations: [{ name: "own", description: "d", parametersJsonSchema: schema() }] },
    { googleSearch: {} },
  ],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["own"] } },
});
export const CONTENT = (count, more) => ({
  responseId: "r",
  candidates: [
    {
      index: 0,
      finishReason: "STOP",
      content: {
        role: "model",
        parts: [
          { text: "t", thought: false },
          { functionCall: { id: "1", name: "search_tools", args: { query: "a message" } }, thoughtSignature: "AA" },
          { functionCall: { name: "good", args: { text: "x" } } },
          { functionCall: { name: "own", args: {} } },
        ].slice(0, count),
      },
      ...more,
    },
  ],
  usageMetadata: {},
});
export const CONTENTS = (count) => [CONTENT(count, { finishReason: undefined }), CONTENT(count)];
