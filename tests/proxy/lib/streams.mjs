/** Replies of the vendors as streams of events, as each vendor writes them. */

const typed = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** A chunk of Chat Completions, and what else it has. */
export const chunk = (delta, finish_reason = null, more = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
export const DONE = "data: [DONE]\n\n";

/** The delta of a chunk that has a piece of a call. */
export const piece = (index, name, args, id) => ({
  tool_calls: [{ index, ...(id ? { id, type: "function" } : {}), function: { ...(name ? { name } : {}), arguments: args } }],
});

/** What a reply of the Messages API has used. */
export const MESSAGE_USAGE = {
  input_tokens: 10,
  cache_creation_input_tokens: 1,
  cache_read_input_tokens: 2,
  output_tokens: 3,
  service_tier: "standard",
};

/** A reply of the Messages API. */
export function messageEvents(content, id = "msg_1") {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = MESSAGE_USAGE;
  const usage = { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens: 1 };
  let written = typed({
    type: "message_start",
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  written += typed({ type: "ping" });
  for (const [index, block] of content.entries()) {
    const deltas = {
      text: () => [
        [{ ...block, text: "" }],
        [...block.text.match(/.{1,3}/gsu)].map((piece) => ({ type: "text_delta", text: piece })),
      ],
      thinking: () => [
        [{ type: "thinking", thinking: "", signature: "" }],
        [
          { type: "thinking_delta", thinking: block.thinking },
          { type: "signature_delta", signature: block.signature },
        ],
      ],
      tool_use: () => [
        [{ ...block, input: {} }],
        [
          { type: "input_json_delta", partial_json: "" },
          ...JSON.stringify(block.input)
            .match(/.{1,5}/gs)
            .map((piece) => ({ type: "input_json_delta", partial_json: piece })),
        ],
      ],
    };
    const [[start], pieces] = deltas[block.type]();
    written += typed({ type: "content_block_start", index, content_block: start });
    for (const delta of pieces) written += typed({ type: "content_block_delta", index, delta });
    written += typed({ type: "content_block_stop", index });
  }
  const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  written += typed({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 3 } });
  return written + typed({ type: "message_stop" });
}

const RESPONSE_USAGE = {
  input_tokens: 10,
  output_tokens: 2,
  total_tokens: 12,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens_details: { reasoning_tokens: 1 },
};

/** A response of the Responses API. */
export const responseOf = (output, id, more = {}) => ({
  id,
  object: "response",
  created_at: 1,
  status: "completed",
  model: "m",
  instructions: "sent upstream",
  output,
  usage: RESPONSE_USAGE,
  ...more,
});

/** The same as a stream. */
export function responseEvents(output, id) {
  let sequence_number = 0;
  let written = "";
  const add = (type, about) => (written += typed({ type, sequence_number: sequence_number++, ...about }));
  add("response.created", { response: { ...responseOf([], id), status: "in_progress", usage: null } });
  add("response.in_progress", { response: { ...responseOf([], id), status: "in_progress", usage: null } });
  for (const [output_index, item] of output.entries()) {
    const about = { output_index, item_id: item.id };
    if (item.type === "message") {
      add("response.output_item.added", { output_index, item: { ...item, content: [], status: "in_progress" } });
      add("response.content_part.added", {
        ...about,
        content_index: 0,
        part: { type: "output_text", text: "", annotations: [] },
      });
      for (const delta of item.content[0].text.match(/.{1,4}/gsu))
        add("response.output_text.delta", { ...about, content_index: 0, delta });
      add("response.output_text.done", { ...about, content_index: 0, text: item.content[0].text });
      add("response.content_part.done", { ...about, content_index: 0, part: item.content[0] });
    } else if (item.type === "reasoning") {
      add("response.output_item.added", { output_index, item: { ...item, summary: [], encrypted_content: null } });
      add("response.reasoning_summary_text.delta", { ...about, summary_index: 0, delta: item.summary[0].text });
    } else {
      add("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } });
      for (const delta of item.arguments.match(/.{1,6}/gs))
        add("response.function_call_arguments.delta", { ...about, delta });
      add("response.function_call_arguments.done", { ...about, arguments: item.arguments });
    }
    add("response.output_item.done", { output_index, item });
  }
  add("response.completed", { response: responseOf(output, id) });
  return written;
}
