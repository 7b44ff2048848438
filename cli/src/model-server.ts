/** A model's server on the network: its address, its key, and what its refusals mean. */

import { setTimeout as pause } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import { Failure, misuse, reasonOf } from "./failure.js";
import { boundedFetch } from "./gateway/bounded-fetch.js";
import { oneLine, quoted } from "./output/escape.js";

/** How the server is reached. */
export interface ModelServer {
  model: string;
  base: URL;
  /** It is in no message. */
  key: string | undefined;
  /** The variable that holds it. */
  keyName: string;
  /** What stands behind the base for one request, such as `chat/completions`. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Hears of what no further request would change. */
  end?(failure: Failure): void;
}

/** How often one request is made again while the server is busy. */
const AGAIN = 5;
/** The longest that a server may ask for. */
const LONGEST_MS = 60_000;
const FIRST_MS = 1_000;
const ANSWER_BYTES = 4 << 20;
/** What stands here holds for every request: who pays, which model, which address. */
const FINAL = new Set([401, 402, 403, 404]);
const KEY_REFUSED = new Set([401, 403]);
const MESSAGE_CHARS = 200;

/** Sends one request, again while the server is busy. @throws Failure, or an Error where the server cannot be reached */
export async function ask(server: ModelServer, request: object, signal: AbortSignal): Promise<string> {
  const { base, path } = server;
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}/${path}${base.search}`, base);
  const headers = { "content-type": "application/json", ...server.headers };
  const send = boundedFetch(fetch as never, { bytes: ANSWER_BYTES });
  const body = JSON.stringify(request);
  for (let again = 0; ; again++) {
    // What the request says must not go where nobody sent it.
    const response = await send(url, { method: "POST", headers, body, signal, redirect: "error" }).catch(
      (error: unknown) => {
        throw new Error(`${url.origin} cannot be reached: ${causeOf(error)}`);
      },
    );
    const text = await response.text();
    if (response.ok) return text;
    const isBusy = response.status === 429 || response.status >= 500;
    if (!isBusy || again === AGAIN) throw refused(response.status, text, server);
    await pause(delayOf(response.headers.get("retry-after"), again), undefined, { signal });
  }
}

/** Reads the address of a server. */
export function urlOf(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new InvalidArgumentError("It must be a URL such as http://localhost:11434/v1, without a user or a password.");
}

/** The key, where there is one. @throws Failure where one is needed, or would be sent for everybody to read */
export function keyIn(keyEnv: string, baseUrl: URL, isNeeded: boolean): string | undefined {
  const key = process.env[keyEnv]?.trim() || undefined;
  if (key === undefined) {
    if (!isNeeded) return undefined;
    throw misuse(`the environment has no ${oneLine(keyEnv, 80)}, which holds the key for ${baseUrl.host}`);
  }
  // In a header, and in no message of Node about a header.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw misuse(`the key in ${oneLine(keyEnv, 80)} holds characters that no header can have`);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(baseUrl.hostname);
  if (baseUrl.protocol === "https:" || isHere) return key;
  throw misuse(
    `the key in ${oneLine(keyEnv, 80)} would be sent to ${baseUrl.host} unencrypted; use https, or unset the variable`,
  );
}

/** How long to wait: what the server says, in seconds or as a date, and else twice as long each time. */
function delayOf(after: string | null, again: number): number {
  const seconds = after === null || after.trim() === "" ? Number.NaN : Number(after);
  const wanted = Number.isNaN(seconds) ? Date.parse(after ?? "") - Date.now() : 1_000 * seconds;
  return Math.min(LONGEST_MS, Math.max(0, Number.isNaN(wanted) ? FIRST_MS * 2 ** again : wanted));
}

function refused(status: number, text: string, server: ModelServer): Error {
  // A server may repeat the key that it refuses, or a part of it.
  const told = KEY_REFUSED.has(status) ? "" : messageOf(text).replaceAll(server.key ?? "\0", "[key]");
  const failure = new Failure(`the model's server answered ${status}${told && `: ${told}`}${adviceOn(status, server)}`);
  if (FINAL.has(status)) server.end?.(failure);
  return failure;
}

function adviceOn(status: number, { key, keyName, model, base, path }: ModelServer): string {
  if (KEY_REFUSED.has(status)) {
    return key === undefined ? `; it needs a key, and ${keyName} is not set` : `; it refuses the key in ${keyName}`;
  }
  if (status !== 404) return "";
  const address = oneLine(`${base.origin}${base.pathname}`, MESSAGE_CHARS);
  return `; is there a model ${quoted(model)}, and is ${address} the base of an API with /${path}?`;
}

/** What an error says: `{ error: { message } }`, as everybody writes it, or its beginning. */
function messageOf(text: string): string {
  const { error } = parsed(text) as { error?: unknown };
  const message = typeof error === "string" ? error : (Object(error) as { message?: unknown }).message;
  return oneLine(typeof message === "string" ? message : text, MESSAGE_CHARS);
}

/** JSON text of an object; of anything else an empty one. */
export function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** `fetch` tells why it failed in the cause of its error. */
function causeOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  return oneLine(reasonOf(cause ?? error), MESSAGE_CHARS);
}
