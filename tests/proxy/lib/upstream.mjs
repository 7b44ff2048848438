/** An upstream in this process: answers requests from a script, and records what it is sent. */

import assert from "node:assert/strict";

/** A `fetch` that answers each request with the next step of the script: a response, or a function that makes one. */
export function scripted(...steps) {
  const sent = [];
  const fetch = async (url, init = {}) => {
    const body = init.body === undefined ? undefined : await new Response(init.body).text();
    const request = {
      url: String(url),
      method: init.method ?? "GET",
      headers: new Headers(init.headers),
      text: body,
      signal: init.signal,
    };
    request.body = parsed(body);
    sent.push(request);
    const step = steps[sent.length - 1];
    if (step === undefined) throw new Error(`the script has ${steps.length} steps; this is request ${sent.length}`);
    return typeof step === "function" ? step(request) : step;
  };
  return { fetch, sent };
}

/** What a `fetch` takes to send JSON to a path of the upstream. */
export const posted = (path, body, headers = {}) => [
  `https://api.example${path}`,
  { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) },
];

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const json = (value, init = {}) => Response.json(value, init);

/** A stream of events, as one chunk or as many as the text is cut into. */
export function sse(text, { size = Infinity, headers = {} } = {}) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const end = Math.min(bytes.length, at + size);
      controller.enqueue(bytes.slice(at, end));
      at = end;
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } });
}

/** The events of a stream: what stands behind `data:`, parsed where it is JSON. */
export function eventsIn(text) {
  return text
    .split(/\r?\n\r?\n/)
    .filter((block) => block.trim() !== "")
    .map((block) => {
      const lines = block.split(/\r?\n/);
      const data = lines
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n");
      const event = lines
        .find((line) => line.startsWith("event:"))
        ?.slice(6)
        .trim();
      return { event, data: parsed(data) ?? data };
    });
}

/** Lengths of pieces that a stream is cut into: every byte is the last of a piece, and the pieces meet in ever other places. */
const LENGTHS = [1, 2, 3, 5, 7, 11, 13, 17, 23, 31, 43, 61, 83, 113, 151, 199, 257, 331];

/** Asks `siftFetch` again and again while the streams of its upstream come in pieces of other lengths; what it answers is the same. */
export async function cutAnywhere(siftFetch, rounds, ask) {
  let upstream;
  let whole;
  const sift = siftFetch({ fetch: (...about) => upstream.fetch(...about) });
  for (const size of LENGTHS) {
    upstream = scripted(...rounds.map((one) => sse(one, { size })));
    const got = await (await ask(sift)).text();
    whole ??= got;
    assert.equal(got, whole, `cut every ${size} bytes`);
  }
  return whole;
}
