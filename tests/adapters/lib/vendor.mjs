/**
 * A vendor of models on this machine: it speaks one wire, records what it is sent, and answers as a script says.
 *
 * A script is `(request, step) => reply`, where the request is what the model would see of it:
 * `{ tools, toolsText, system, answers, prompt }`: the names of the tools, the tools as they were sent, the system prompt,
 * the texts that answer the last reply's calls, in their order, and the user's last words. The reply is `{ text }`,
 * `{ calls: [{ name, args }] }`, or both; `args` that are a string are sent as they stand, to be broken JSON.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** Far more than an agent of these tests asks for. */
const MOST_REQUESTS = 200;

/** Starts a vendor: `{ url, requests, close }`. `close` throws what went wrong in the script or on the wire. */
export async function startVendor(wire, script) {
  const requests = [];
  const errors = [];
  const server = createServer(async (incoming, outgoing) => {
    try {
      const body = await json(incoming);
      assert.match(incoming.url, wire.path);
      assert.ok(requests.length < MOST_REQUESTS, `more than ${MOST_REQUESTS} requests`);
      const request = { ...wire.read(body, incoming), body };
      requests.push(request);
      const step = requests.length;
      const reply = numbered(await script(request, step), step);
      const { type, content } = wire.streams(body, incoming)
        ? { type: "text/event-stream", content: wire.stream(reply, body).map(sse).join("") }
        : { type: "application/json", content: JSON.stringify(wire.reply(reply, body)) };
      outgoing.writeHead(200, { "content-type": type }).end(content);
    } catch (error) {
      errors.push(error);
      // No SDK tries this status again.
      const content = JSON.stringify({ error: { message: error.message } });
      outgoing.writeHead(400, { "content-type": "application/json" }).end(content);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (errors.length > 0) throw errors[0];
    },
  };
}

function numbered({ text = "", calls = [], ...others }, step) {
  return { ...others, text, step, calls: calls.map((call, at) => ({ id: `call_${step}_${at}`, ...call })) };
}

/** An event: its data alone, or under a name, `{ event, data }`. */
function sse({ event, data }) {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Arguments as the text that a wire carries. */
export function argumentsText(args) {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}
