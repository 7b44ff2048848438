/**
 * A test vendor on this machine for adapters and the proxy: it serves one API over HTTP, refuses the requests that the
 * vendor refuses, records all requests, and answers from a script, as a whole or as a stream in the vendor's events.
 *
 * A script is `(request, step) => reply`. The request is `{ tools, toolsText, system, answers, prompt, body, headers, path
 * }`: the names of the tools, the tools as sent, the system prompt, the answers to the last reply's calls, the user's last
 * message, and the raw request.
 *
 * A reply is `{ text, calls: [{ name, args, id }], thinking }` and the other fields that its API knows. `args` that are a
 * string are sent unchanged, to test broken JSON. `status` and `headers` with an `error` refuse the request. `cut` is the
 * number of events after which the connection breaks.
 */

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { httpServer } from "../lib/http.mjs";

/** Far more than an agent of these tests asks for. */
const MOST_REQUESTS = 400;

/** What a vendor refuses: the status and the message of its answer. */
export class Refused extends Error {
  constructor(message, status = 400) {
    super(message);
    this.status = status;
  }
}

/** Refuses a request unless something holds. */
export function must(holds, message) {
  if (!holds) throw new Refused(typeof message === "function" ? message() : message);
}

/** Refuses fields that the vendor does not know. */
export function only(value, known, where) {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  must(unknown === undefined, () => `${where}: unknown field '${unknown}'`);
}

/** Refuses what is no JSON Schema of an object. */
export function checkSchema(schema, where) {
  must(typeof schema === "object" && schema !== null && !Array.isArray(schema), `${where}: schema must be an object`);
  must(schema.type === "object", `${where}: schema must have a 'type' of 'object', got '${schema.type}'`);
  const { properties = {}, required = [] } = schema;
  must(typeof properties === "object" && Array.isArray(required), `${where}: invalid schema`);
  for (const name of required) must(Object.hasOwn(properties, name), `${where}: required '${name}' is no property`);
}

/**
 * Starts a vendor: `{ url, requests, refusals, close }`. `slow` is how many milliseconds lie between the events
 * of a stream.
 */
export async function startVendor(wire, script, { slow } = {}) {
  const requests = [];
  const refusals = [];
  const other = [];
  const { url, close } = await httpServer(async (incoming, outgoing) => {
    const bytes = [];
    for await (const chunk of incoming) bytes.push(chunk);
    const { url: path, method, headers } = incoming;
    const raw = Buffer.concat(bytes);
    if (method !== "POST" || !wire.path.test(path)) {
      other.push({ path, method, headers, raw });
      const echo = Buffer.from(JSON.stringify({ path, method, length: raw.length }));
      return void outgoing.writeHead(200, { "content-type": "application/json", "x-vendor": "yes" }).end(echo);
    }
    try {
      assert.ok(requests.length < MOST_REQUESTS, `more than ${MOST_REQUESTS} requests`);
      const body = JSON.parse(raw.toString("utf8"));
      const request = { body, headers, path, bytes: raw.length, toolsText: JSON.stringify(body.tools ?? []) };
      requests.push(request);
      const step = requests.length;
      must(!Object.keys(headers).some((name) => name.startsWith("x-toolsift")), "a header of the proxy came through");
      Object.assign(request, wire.read(body, incoming));
      const reply = numbered(await script(request, step), step);
      request.reply = reply;
      if (reply.error !== undefined) {
        const error = typeof reply.error === "string" ? reply.error : JSON.stringify(reply.error);
        outgoing.writeHead(reply.status ?? 500, { "content-type": "application/json", ...reply.headers }).end(error);
        return;
      }
      const about = { "x-request-id": `req-${step}`, "ratelimit-remaining": String(100 - step), ...reply.headers };
      if (!wire.streams(body, incoming)) {
        const content = JSON.stringify(wire.reply(reply, body));
        outgoing.writeHead(200, { "content-type": "application/json", ...about }).end(content);
        return;
      }
      outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", ...about });
      for (const [at, event] of wire.stream(reply, body).map(sse).entries()) {
        if (at === reply.cut) return void outgoing.destroy();
        if (outgoing.destroyed) return;
        if (!outgoing.write(event)) await Promise.race([new Promise((go) => outgoing.once("drain", go)), closed(outgoing)]);
        if (slow !== undefined) await pause(slow);
      }
      outgoing.end();
    } catch (error) {
      refusals.push(error);
      const content = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: error.message } });
      // No SDK tries this status again.
      outgoing.writeHead(error.status ?? 400, { "content-type": "application/json" }).end(content);
    }
  });
  return {
    url,
    requests,
    other,
    refusals,
    /** Fails with what was refused, unless the test took it out of `refusals`. */
    close: async () => {
      await close();
      if (refusals.length > 0) throw refusals[0];
    },
  };
}

const closed = (outgoing) => new Promise((resolve) => outgoing.once("close", resolve));

/** A reply with what every reply has, and an id for each call. */
export function numbered({ text = "", calls = [], ...others }, step) {
  return { ...others, text, step, calls: calls.map((call, at) => ({ id: `call_${step}_${at}`, ...call })) };
}

/** The events of a stream: what stands behind `data:`, parsed where it is JSON. */
export function eventsIn(bytes) {
  return String(bytes)
    .split(/\r?\n\r?\n/)
    .filter((block) => /^(data|event):/m.test(block))
    .map((block) => {
      const [, event] = /^event: ?(.*)$/m.exec(block) ?? [];
      const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join("\n");
      return { event, data: holdsObject(data) ? JSON.parse(data) : data };
    });
}

/** The sum of all counts in what a reply says that it has used. */
export const countsIn = (usage) =>
  Object.values(usage ?? {}).reduce((sum, one) => sum + (typeof one === "object" ? countsIn(one) : Number(one) || 0), 0);

/** An event: its data alone, or under a name, `{ event, data }`. */
export function sse({ event, data }) {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Arguments as the text that a wire carries. */
export function argumentsText(args) {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

/** Refuses arguments in a conversation that are no JSON of an object, as llama.cpp and vLLM do. */
export function mustBeObject(args, where) {
  must(holdsObject(args), () => `${where}: arguments are no JSON of an object: ${args}`);
}

/** Whether a text is JSON of an object. */
export function holdsObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof text === "string" && typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A text in two pieces, as streams have it; the first may be empty. */
export function halves(text) {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** Tokens of anything, at four characters each. */
export const tokensOf = (value) => Math.ceil(JSON.stringify(value).length / 4);
