/** A `fetch` that asks the very addresses which were looked at: the name of a host may stand for others a moment later. */

import { lookup } from "node:dns";
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { FetchLike } from "@modelcontextprotocol/client";

/** What `fetch` takes, and the addresses of the host, which is not looked up again; undefined to look it up. */
export type DialInit = RequestInit & { addresses?: readonly string[] | undefined };

/** Answers without a body. */
const EMPTY: readonly unknown[] = [204, 205, 304];

/** Sends one request; it follows no redirect. Where Node is told of a proxy, that one alone looks hosts up. */
export const dial: FetchLike = async (input, init: DialInit = {}) => {
  if (process.env["NODE_USE_ENV_PROXY"] === "1") return fetch(input, init);
  const { addresses, signal, ...others } = init;
  const request = new Request(input, others);
  const url = new URL(request.url);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const known = { accept: "*/*", "accept-encoding": "identity", "user-agent": "toolsift" };
  const send = url.protocol === "https:" ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(signal?.aborted ? signal.reason : new TypeError("fetch failed", { cause }));
    if (signal?.aborted) return fail(undefined);
    const sent = send(url, {
      method: request.method,
      headers: { ...known, ...Object.fromEntries(request.headers), ...(body && { "content-length": body.length }) },
      // A connection that is kept was made for who asked before.
      agent: false,
      ...(signal && { signal }),
      ...(addresses && { lookup: only(url.hostname, addresses) }),
    });
    sent.on("error", fail);
    sent.on("response", (incoming) => {
      const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
      const headers = new Headers();
      try {
        for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
        const isEmpty = EMPTY.includes(status) || request.method === "HEAD";
        const stream = isEmpty ? (incoming.resume(), null) : (Readable.toWeb(incoming) as ReadableStream);
        const response = new Response(stream, { status, statusText, headers });
        resolve(Object.defineProperty(response, "url", { value: url.href }));
      } catch (error) {
        incoming.destroy();
        fail(error);
      }
    });
    sent.end(body);
  });
};

/** Answers for one host what it stood for when it was looked at. */
function only(host: string, addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (name, options, callback) => {
    if (name !== host) return lookup(name, options, callback);
    const [first] = known;
    if (first === undefined) callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), []);
    else if (options.all) callback(null, known);
    else callback(null, first.address, first.family);
  };
}
