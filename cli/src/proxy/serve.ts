/** Runs the proxy of a model's API as a process: over HTTP, for the clients of this machine. */

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
import { count } from "../output/table.js";
import { telemetry } from "../listen/telemetry.js";
import { Metrics } from "./metrics.js";
import { refusalFor } from "./refusal.js";

/** Paths of the command's own: the upstream's are hidden. Who asks whether it lives needs no token. */
const HEALTH = "/healthz";
const METRICS = "/metrics";
/** How long a client may send one request: large files take their time. */
const REQUEST_MS = 3_600_000;

/** The header in which callers send the token of a proxy: `Authorization` has the vendor's key. */
export const TOKEN_HEADER = "x-toolsift-token";

/** The options of the command line. */
export interface ProxyServeOptions extends Admitted {
  upstream: string;
  port: number;
  /** A file with further options of `siftProxy`. */
  settings?: string | undefined;
  /** The options of `siftProxy` that flags name; they count before those of the file. */
  flags: Partial<SiftProxyOptions>;
  /** A folder that keeps what conversations have found. */
  store?: string | undefined;
  quiet?: boolean | undefined;
}

/**
 * Serves until a signal ends the process; then sets its exit code.
 *
 * @throws Failure for options that are wrong, and for a port that cannot be listened on
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
      streams: true,
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
  // What is asked of a model for words must not keep a process that was told to end.
  if (flags.enrich !== undefined) process.exit();
}

function proxied(options: SiftProxyOptions): (request: Request) => Promise<Response> {
  try {
    return siftProxy(options);
  } catch (error) {
    // What the package calls its options are flags and settings of a file here.
    if (ToolSiftError.is(error)) throw misuse(error.message.replaceAll("options.", "setting "));
    throw error;
  }
}

/** Serves what those read who watch over processes. */
function watched(fetch: (request: Request) => Promise<Response>, metrics: Metrics): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== "GET" || (pathname !== HEALTH && pathname !== METRICS)) return fetch(request);
    if (pathname === METRICS) return exposed(metrics.lines);
    return new Response("ok\n", { headers: { "content-type": "text/plain", "cache-control": "no-store" } });
  };
}

/** The vendor gets no token of this proxy. */
function withoutToken(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return (request) => {
    request.headers.delete(TOKEN_HEADER);
    return fetch(request);
  };
}

/** The store in a folder that is made and written to once, so that a wrong one is told before a client calls. */
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

/** One line for each request: what it cost, and nothing of what was said. */
function logged(event: ProxyEvent, quiet: boolean): void {
  if (event.type === "problem") return warn(event.message);
  if (quiet) return;
  if (event.type === "request") tell(lineOf(event));
  if (event.type === "words") tell(wordsLine(event));
}

function wordsLine({ kept, written, isWriting, failed, error }: WordsEvent): string {
  const missing = failed.length === 0 ? "" : `, ${count(failed.length)} failed`;
  const end = isWriting ? ", more are being written" : "";
  return `words: ${count(kept)} tools had some, ${count(written)} got some${missing}${end}${error === null ? "" : `; ${oneLine(error, 200)}`}`;
}

function lineOf({ wire, model = "a model", active, outcome, requests, full, sent, ms }: RequestEvent): string {
  const cost = active ? `${count(full.tokens)} → ${count(sent.tokens)} tokens of tools` : "all tools were sent";
  const rounds = requests === 1 ? "1 request" : `${count(requests)} requests`;
  return `${wire} ${oneLine(model, 60)}: ${cost}, ${rounds}, ${ms.toFixed(1)} ms, ${outcome}`;
}
