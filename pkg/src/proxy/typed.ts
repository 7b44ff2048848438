/** Finds the type of an answer: from its headers, or from its beginning if the headers do not contain it. */

/** The types of texts, by their beginning. */
const TYPES: [RegExp, string][] = [
  [/^[[{]/, "application/json"],
  [/^(:|data:|event:|id:|retry:)/, "text/event-stream"],
];
const STREAM = /^text\/event-stream\b/i;
/** The number of characters that decide about the type, and the maximum number of bytes that are read for it. */
const CHARS = 6;
const MOST_BYTES = 4_096;

export function isJson(response: Response): boolean {
  return /\bjson\b/i.test(response.headers.get("content-type") ?? "");
}

export function isStream(response: Response): boolean {
  return STREAM.test(response.headers.get("content-type") ?? "");
}

/** Returns an answer with its type in the headers: some upstreams send none, or `text/plain`. */
export async function typed(response: Response): Promise<Response> {
  if (!response.ok || response.body === null || isJson(response) || isStream(response)) return response;
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; text.length < CHARS && bytes < MOST_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    text = (text + decoder.decode(value, { stream: true })).trimStart();
  }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const first = chunks.shift();
        const { done, value } = first === undefined ? await reader.read() : { done: false, value: first };
        if (done) controller.close();
        else controller.enqueue(value!);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers(response.headers);
  const type = TYPES.find(([beginning]) => beginning.test(text))?.[1];
  if (type !== undefined) headers.set("content-type", type);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
