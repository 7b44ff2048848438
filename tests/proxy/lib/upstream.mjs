/** An upstream in this process: answers requests from a script, and records what it is sent. */

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
