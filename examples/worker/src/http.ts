/** What comes in and goes out over HTTP? Bodies with a bound, answers as JSON, errors with a code, and CORS. */

import { ToolSiftError } from "toolsift";

/** The longest body that is read. A call's arguments are rarely longer than a page. */
const BODY_BYTES = 256 * 1024;

/** An error that the client is to read. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** Lets in who knows the token, if there is one, and no page of another origin, if one is named. */
export async function admit(request: Request, { token, origin }: { token?: string; origin: string }): Promise<void> {
  // Browsers let a page send some requests without asking, and only keep the answer from it.
  const from = request.headers.get("origin") ?? origin;
  if (origin !== "*" && from !== origin) throw new HttpError(403, "origin_forbidden", `pages of ${from} may not ask`);
  if (token === undefined || (await isSame(request.headers.get("authorization") ?? "", `Bearer ${token}`))) return;
  const advice = "send the token as Authorization: Bearer …";
  throw new HttpError(401, "unauthorized", advice, { "www-authenticate": "Bearer" });
}

/** Compared by their hashes: how long it takes tells nothing of how much was right. */
async function isSame(one: string, other: string): Promise<boolean> {
  const hash = async (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [a, b] = (await Promise.all([hash(one), hash(other)])).map((bytes) => new Uint8Array(bytes));
  return a!.every((byte, at) => byte === b![at]);
}

/** The body as a JSON object; no body is `{}`. Stops reading where it is longer than any body should be. */
export async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const text = await textOf(request);
  if (text === "") return {};
  // A page elsewhere can send this type only after it has asked; other types it sends unasked.
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new HttpError(415, "type_unsupported", `the body is ${type || "of no type"}; it must be application/json`);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new HttpError(400, "not_json", `the body is no JSON: ${(error as Error).message}`);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HttpError(400, "not_json", "the body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

async function textOf(request: Request): Promise<string> {
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, bytes] = ["", 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > BODY_BYTES) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw new HttpError(400, "not_json", `the body cannot be read: ${(error as Error).message}`);
  }
  await reader.cancel().catch(() => undefined);
  throw new HttpError(413, "body_too_large", `the body is longer than ${BODY_BYTES} bytes`);
}

/** An answer as JSON. */
export function answer(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** What went wrong, as `{ error: { code, message } }`. What is nobody's business outside is kept inside. */
export function failure(error: unknown): Response {
  if (error instanceof HttpError) {
    const { code, message, status, headers } = error;
    return answer({ error: { code, message } }, status, headers);
  }
  const code = ToolSiftError.is(error) ? error.code : "internal";
  const status = STATUS[code] ?? 400;
  if (status < 500) return answer({ error: { code, message: (error as Error).message } }, status);
  // What a storage says when it fails may hold its address and more.
  console.error(error);
  return answer({ error: { code, message: "this is no fault of the request; the log says more" } }, status);
}

/** Codes that are no fault of the client's, or that HTTP has a better word for than 400. */
const STATUS: Partial<Record<ToolSiftError["code"], number>> = {
  internal: 500,
  tool_unknown: 404,
  revealed_full: 409,
  index_invalid: 500,
  index_stale: 500,
  store_failed: 503,
  store_garbled: 500,
  wasm_unavailable: 500,
};

/** Lets pages of an origin read the answer; `*` is any. */
export function allow(response: Response, origin: string): Response {
  response.headers.set("access-control-allow-origin", origin);
  if (origin !== "*") response.headers.append("vary", "origin");
  return response;
}

/** The answer to a browser that asks before it sends. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "86400",
    },
  });
}
