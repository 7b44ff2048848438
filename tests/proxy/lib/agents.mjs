/** Runs an agent with a scripted vendor, with or without a proxy between them. */

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SERVERS, toolsOf } from "../../adapters/lib/tools.mjs";
import { chatWire } from "../../apis/chat.mjs";
import { geminiWire } from "../../apis/gemini.mjs";
import { messagesWire } from "../../apis/messages.mjs";
import { responsesWire } from "../../apis/responses.mjs";
import { startVendor as startWith } from "../../apis/vendor.mjs";
import { httpServer } from "../../lib/http.mjs";
import { siftFetch, siftProxy } from "./asking.mjs";

const WIRES = { chat: chatWire, responses: responsesWire, messages: messagesWire, gemini: geminiWire };

/** The tools of the agents: 62, as four servers have them. */
export const TOOLS = SERVERS.flatMap(toolsOf);

/** The tools of all captured servers: 159. */
export const ALL_TOOLS = [...SERVERS, "cloudflare", "slack"].flatMap(toolsOf);

/**
 * Runs a client once. `door` is how it reaches the vendor: `none`, `fetch` (it is handed `siftFetch`), or `url` (its base
 * URL is a server with `siftProxy`). Returns what the client has, and `requests`, what the vendor was sent.
 */
export async function lead(client, { door, script, answer, wire = {}, tools = TOOLS, options = {}, upstream, ...others }) {
  const vendor = upstream ?? (await startVendor(client, script, wire));
  const ran = [];
  const execute = async (name, args, namespace) => {
    ran.push({ name, args, ...(namespace !== undefined && { namespace }) });
    return answer?.(name, args) ?? `${name} did it`;
  };
  let served;
  try {
    if (door === "url") served = await serveProxy({ upstream: vendor.url, ...options });
    const at = served?.url ?? vendor.url;
    const fetch = door === "fetch" ? siftFetch(withSearch(options)) : undefined;
    const said = { prompt: "Report it.", system: "You are an agent.", messages: [] };
    const about = { ...said, maxSteps: 20, packages: client.versions.at(-1) };
    const result = await client.run({ ...about, url: at, fetch, tools, execute, answer, ...others });
    return { ...result, ran, requests: vendor.requests, vendor };
  } finally {
    await served?.close();
    if (upstream === undefined) await vendor.close();
  }
}

/** A vendor with the wire of a client. */
export const startVendor = (client, script, wire = {}) => startWith(WIRES[client.wire](wire), script);

/** The definitions of these tests are few enough that `sift` would send them all. */
const withSearch = ({ sift, ...options }) => ({ ...options, sift: { activation: "on", ...sift } });

/** Serves `siftProxy` over HTTP: `{ url, close }`. */
export function serveProxy(options) {
  const handler = siftProxy(withSearch(options));
  return httpServer((incoming, outgoing) => void handle(handler, incoming, outgoing));
}

/** Hands a request of Node to a WHATWG handler, and its answer back, as fast as the client reads. */
async function handle(handler, incoming, outgoing) {
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  const { method, headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const init = { method, headers: flat(headers), signal: abort.signal };
  const request = new Request(`http://${headers.host}${incoming.url}`, {
    ...init,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }),
  });
  try {
    const response = await handler(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) return void outgoing.end();
    await pipeline(Readable.fromWeb(response.body), outgoing);
  } catch (error) {
    outgoing.destroy(error);
  }
}

const flat = (headers) => Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
