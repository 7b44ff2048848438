/**
 * One module for each vendor's API. It has the API itself, which refuses wrong requests, and a client, which throws for
 * wrong replies. Conversations are written in the same form for all of them.
 *
 * The API: `path`, `streams(body, incoming)`, `read(body, incoming)`, `reply(reply, body)`, `stream(reply, body)`; a reply
 * is described in vendor.mjs. The client: `url(stream)`, `counts` (if it asks for the size of a request),
 * `tool(definition)`, `request({ system, messages, tools, stream, choose, demand, json, thinks })`, its messages
 * `asks(text)`, `says(text)` and `step([{ id, name, args, text, failed }])` (calls with their answers), and `collect(bytes,
 * stream)`, which returns `{ texts, calls, tokens }`. `joins` means that a reply has only one text.
 */

import { chat } from "./chat.mjs";
import { geminiWire } from "./gemini.mjs";
import { messages } from "./messages.mjs";
import { responses } from "./responses.mjs";
import { numbered, sse } from "./vendor.mjs";

export const APIS = { chat: { ...chat, joins: true }, responses, messages, gemini: geminiWire({ ids: false }) };

const HEADERS = { "content-type": "application/json", authorization: "Bearer key", "x-api-key": "key" };

/** What a `fetch` takes to send a body to an API. */
export const posted = ({ url }, body, stream = false, headers = {}) => [
  `https://api.example${url(stream)}`,
  { method: "POST", headers: { ...HEADERS, "anthropic-version": "2023-06-01", ...headers }, body: JSON.stringify(body) },
];

/** A stream of events in pieces of `size` bytes. */
export function streamOf(text, size = Infinity) {
  const bytes = Buffer.from(text);
  let at = 0;
  const pull = (one) => (at < bytes.length ? one.enqueue(bytes.subarray(at, (at += size))) : one.close());
  return new Response(new ReadableStream({ pull }), { headers: { "content-type": "text/event-stream" } });
}

/** A reply as the API writes it whole, and the events as which it streams it. */
export const whole = (api, reply, body = {}) => api.reply(numbered(reply, 1), body);
export const written = (api, reply, body = {}) => api.stream(numbered(reply, 1), body).map(sse);

/**
 * A `fetch` behind which the API answers with these replies, a stream in pieces of `size` bytes; a reply may be a function
 * that makes a response. `seen` are the requests as the API reads them, `told` the replies as a client collects them.
 */
export function upstream(api, replies, size) {
  const [seen, told] = [[], []];
  const fetch = async (url, { headers, body: given }) => {
    const text = await new Response(given).text();
    const body = JSON.parse(text);
    const incoming = { url: String(url), headers: Object.fromEntries(new Headers(headers)) };
    seen.push({ text, body, ...incoming, ...api.read(body, incoming) });
    const reply = replies[seen.length - 1];
    if (reply === undefined) throw new Error(`there are ${replies.length} replies; this is request ${seen.length}`);
    if (typeof reply === "function") return reply();
    const made = numbered(reply, seen.length);
    const stream = api.streams(body, incoming);
    const bytes = stream ? api.stream(made, body).map(sse).join("") : JSON.stringify(api.reply(made, body));
    told.push({ bytes, ...api.collect(bytes, stream) });
    return stream ? streamOf(bytes, size) : new Response(bytes, { headers: { "content-type": "application/json" } });
  };
  return { fetch, seen, told };
}
