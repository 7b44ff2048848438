/** Runs the proxy in front of a model's API as an HTTP server. */

import { readFile } from "node:fs/promises";
import { ToolSiftError } from "toolsift";
import { type ProxyEvent, type RequestEvent, siftProxy, type SiftProxyOptions, type WordsEvent } from "toolsift/proxy";
import { fileStore } from "toolsift/store";
import { exposed } from "../listen/exposition.js";
import { Failure, misuse, reasonOf } from "../base/failure.js";
import { httpFetch } from "../listen/outgoing.js";
import { type Admitted, listen, type Listening } from "../listen/listen.js";
import { signalled } from "../base/signals.js";
import { oneLine, quoted } from "../output/escape.js";
import { tell, warn } from "../output/print.js";
import { count, counted } from "../output/table.js";
import { telemetry } from "../listen/telemetry.js";
import { Metrics } from "./metrics.js";
import { refusalFor } from "./refusal.js";

/** The proxy's own paths. They hide the same paths of the upstream, the model's API. `/healthz` needs no token. */
const HEALTH = "/healthz";
const METRICS = "/metrics";
/** The time limit for a client to send one request, in ms: uploads of large files take long. */
const REQUEST_MS = 3_600_000;

/** The header for the proxy's own token, because `Authorization` holds the vendor's key. */
export const TOKEN_HEADER = "x-toolsift-token";

/** The options of the command line. */
export interface ProxyServeOptions extends Admitted {
  upstream: string;
  port: number;
  /** The path of a file with further options of `siftProxy`. */
  settings?: string | undefined;
  /** The options of `siftProxy` from flags. They override those of the file. */
  flags: Partial<SiftProxyOptions>;
  /** The folder in which the loaded tools of each conversation are stored. */
  store?: string | undefined;
  quiet?: boolean | undefined;
}

/**
 * Serves until a signal ends the process, and then sets the exit code.
 *
 * @throws Failure if an option is wrong or the port cannot be used
 */
export async function serveProxy(options: ProxyServeOptions): Promise<void> {
  const { upstream, port, host, token, allowedHosts, allowedOrigins, settings, flags, store, quiet } = options;
  const saved = settings === undefined ? {} : await settingsIn(settings);
  const storage = store === undefined ? undefined : await storeIn(store);
  const metrics = new Metrics();
  const trace = telemetry();
  const fetch = proxied({
    ...saved,
    ...flags,
    sift: { ...saved.sift, ...flags.sift },
    upstream,
    fetch: httpFetch,
    ...(storage && { storage }),
    onEvent: (event) => {
      metrics.take(event);
      trace(event);
      logged(event, quiet === true);
    },
  });
  const stopped = signalled();
  let listening: Listening;
  try {
    listening = await listen(watched(withoutToken(fetch), metrics), {
      port,
      requestMs: REQUEST_MS,
      open: HEALTH,
      refusal: refusalFor,
      tokenHeader: TOKEN_HEADER,
      host,
      token,
      allowedHosts,
      allowedOrigins,
      onerror: (error) => warn(error.message),
    });
  } catch (error) {
    throw new Failure(reasonOf(error));
  }
  tell(`listening on ${listening.url}, in front of ${new URL(upstream).host}: set it as the base URL of the client`);
  process.exitCode = await stopped;
  await listening.close();
  // A running request to a model for search words must not keep the process alive.
  if (flags.enrich !== undefined) process.exit();
}

function proxied(options: SiftProxyOptions): (request: Request) => Promise<Response> {
  try {
    return siftProxy(options);
  } catch (error) {
    // The message names an option of the package; here it is a flag or a setting in a file.
    if (ToolSiftError.is(error)) throw misuse(error.message.replaceAll("options.", "setting "));
    throw error;
  }
}

/** Wraps a handler: answers `/healthz` and `/metrics`, for monitoring. */
function watched(fetch: (request: Request) => Promise<Response>, metrics: Metrics): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== "GET" || (pathname !== HEALTH && pathname !== METRICS)) return fetch(request);
    if (pathname === METRICS) return exposed(metrics.lines);
    return new Response("ok\n", { headers: { "content-type": "text/plain", "cache-control": "no-store" } });
  };
}

/** Wraps a handler: removes the proxy's own token, so that the vendor does not get it. */
function withoutToken(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return (request) => {
    request.headers.delete(TOKEN_HEADER);
    return fetch(request);
  };
}

/** Opens the store in a folder. A test write reports a wrong folder before the first request. */
async function storeIn(folder: string): Promise<ReturnType<typeof fileStore>> {
  const storage = fileStore(folder);
  const probe = `probe-${process.pid}`;
  try {
    await storage.setItem(probe, "");
    await storage.removeItem(probe);
  } catch (error) {
    throw new Failure(`--store ${quoted(folder)} cannot be written: ${reasonOf(error)}`);
  }
  return storage;
}

async function settingsIn(file: string): Promise<Partial<SiftProxyOptions>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Failure(`${quoted(file)} cannot be read as JSON: ${reasonOf(error)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (!("upstream" in value)) return value;
    throw misuse(`${quoted(file)} has an upstream, and so has the command line: leave it out of the file`);
  }
  throw misuse(`${quoted(file)} must hold an object with options of siftProxy, such as { "sift": { "profile": "sift" } }`);
}

/** Prints one line for each request: what its tools cost, and nothing of the conversation. */
function logged(event: ProxyEvent, quiet: boolean): void {
  if (event.type === "problem") return warn(event.message);
  if (quiet) return;
  if (event.type === "request") tell(lineOf(event));
  if (event.type === "words") tell(wordsLine(event));
}

function wordsLine({ kept, written, isWriting, failed, error }: WordsEvent): string {
  const missing = failed.length === 0 ? "" : `, ${count(failed.length)} failed`;
  const end = isWriting ? ", more are being written" : "";
  return `search words: ${counted(kept, "tool")} had words, ${counted(written, "tool")} got new words${missing}${end}${error === null ? "" : `; ${oneLine(error, 200)}`}`;
}

function lineOf({ wire, model = "a model", active, outcome, requests, full, sent, ms }: RequestEvent): string {
  const cost = active ? `${count(full.tokens)} → ${count(sent.tokens)} tokens of tools` : "all tools were sent";
  const rounds = requests === 1 ? "1 request" : `${count(requests)} requests`;
  return `${wire} ${oneLine(model, 60)}: ${cost}, ${rounds}, ${ms.toFixed(1)} ms, ${outcome}`;
}
