/** One run: requests through the proxy in front of an upstream in this process, each timed by the proxy itself. */

import { pathToFileURL } from "node:url";
import { median } from "../eval/metrics.mjs";
import { at } from "../../scripts/lib/paths.mjs";

/** Requests of each kind with an unchanged list; the first ones, before everything is compiled, are left out. */
const REQUESTS = 30;
const WARM = 10;

const SEARCH = { query: "create an issue with labels" };
const sse = (...events) =>
  events
    .map((data) => `event: ${data.type ?? "message"}\ndata: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
    .join("");

/** How each API asks, and answers: with a text, and with a search. */
const WIRES = {
  openai: {
    url: "https://upstream.example/v1/chat/completions",
    tool: ({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    }),
    body: (tools) => ({ model: "m", messages: [{ role: "user", content: "Open an issue" }], tools }),
    text: { choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }] },
    search: {
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "c", type: "function", function: { name: "search_tools", arguments: JSON.stringify(SEARCH) } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
    },
    stream: sse(
      { choices: [{ index: 0, delta: { content: "Done." } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      "[DONE]",
    ),
  },
  "openai-responses": {
    url: "https://upstream.example/v1/responses",
    tool: ({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      parameters: inputSchema,
      strict: false,
    }),
    body: (tools) => ({ model: "m", input: "Open an issue", tools, store: false }),
    text: {
      id: "r",
      status: "completed",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }],
    },
    search: {
      id: "r",
      status: "completed",
      output: [{ type: "function_call", call_id: "c", name: "search_tools", arguments: JSON.stringify(SEARCH) }],
    },
    stream: sse(
      { type: "response.created", response: { id: "r" } },
      { type: "response.completed", response: { id: "r", status: "completed", output: [] } },
    ),
  },
  anthropic: {
    url: "https://upstream.example/v1/messages",
    tool: ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }),
    body: (tools) => ({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "Open an issue" }], tools }),
    text: { content: [{ type: "text", text: "Done." }], stop_reason: "end_turn" },
    search: { content: [{ type: "tool_use", id: "c", name: "search_tools", input: SEARCH }], stop_reason: "tool_use" },
    stream: sse(
      { type: "message_start", message: { usage: {} } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} },
      { type: "message_stop" },
    ),
  },
  google: {
    url: "https://upstream.example/v1beta/models/m:generateContent",
    tool: ({ name, description, inputSchema }) => ({ name, description, parametersJsonSchema: inputSchema }),
    body: (functionDeclarations) => ({
      contents: [{ role: "user", parts: [{ text: "Open an issue" }] }],
      tools: [{ functionDeclarations }],
    }),
    text: { candidates: [{ content: { role: "model", parts: [{ text: "Done." }] }, finishReason: "STOP" }] },
    search: {
      candidates: [
        {
          content: { role: "model", parts: [{ functionCall: { name: "search_tools", args: SEARCH } }] },
          finishReason: "STOP",
        },
      ],
    },
    stream: `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text: "Done." }] }, finishReason: "STOP" }] })}\n\n`,
  },
};

/** `{ wires: { openai: { bytes, first, same, streamed, searched } } }`, in milliseconds. */
export default async function once(_, { catalogs }) {
  const { siftFetch } = await import(pathToFileURL(at("pkg", "dist", "proxy.js")).href);
  const definitions = catalogs.flatMap(({ tools }) => tools);
  const wires = {};
  for (const [name, wire] of Object.entries(WIRES)) wires[name] = await timed(siftFetch, wire, definitions);
  return { wires };
}

async function timed(siftFetch, wire, definitions) {
  let answers = [];
  let ms;
  const fetch = async () => answers.shift();
  const onEvent = (event) => event.type === "request" && (ms = event.ms);
  const sift = siftFetch({ fetch, onEvent, sift: { activation: "on" } });
  const body = wire.body(definitions.map(wire.tool));
  const ask = async (url, sent, ...replies) => {
    answers = replies;
    const response = await sift(url, { method: "POST", headers: { authorization: "Bearer key" }, body: sent });
    await response.text();
    return ms;
  };
  const plain = JSON.stringify(body);
  const streamed = JSON.stringify({ ...body, stream: true });
  const streamUrl = wire.url.replace(":generateContent", ":streamGenerateContent?alt=sse");
  const several = async (request) => {
    const all = [];
    // A text of its own each time, as a server reads it.
    for (let nth = 0; nth < WARM + REQUESTS; nth++) all.push(await request());
    return median(all.slice(WARM));
  };
  const stream = () => new Response(wire.stream, { headers: { "content-type": "text/event-stream" } });
  const copy = (text) => Buffer.from(text).toString();
  const first = await ask(wire.url, plain, Response.json(wire.text));
  return {
    bytes: plain.length,
    first,
    same: await several(() => ask(wire.url, copy(plain), Response.json(wire.text))),
    streamed: await several(() => ask(streamUrl, copy(streamed), stream())),
    searched: await several(() => ask(wire.url, copy(plain), Response.json(wire.search), Response.json(wire.text))),
  };
}
