/** Protects the user's own network: a server on the internet must not make a sign-in send requests to internal addresses. */

import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { httpFetch, type HttpInit } from "../listen/outgoing.js";

/** The most redirects that one request follows. */
const MOST_HOPS = 5;
const MOVED: readonly number[] = [301, 302, 303, 307, 308];

/** The internal addresses: no server of the internet has one of them. */
const INSIDE = new BlockList();
/** The link-local addresses. In a cloud, one of them serves the machine's credentials. Nobody signs in there. */
const LINK_LOCAL = new BlockList();
const IPV4 = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16"];
/** Includes all addresses that embed an IPv4 address (NAT64, 6to4, Teredo), because the embedded address can be internal. */
const IPV6 = ["::/96", "fc00::/7", "fec0::/10", "ff00::/8", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"];
for (const [list, family, subnets] of [
  [INSIDE, "ipv4", [...IPV4, "198.18.0.0/15", "224.0.0.0/3"]],
  [INSIDE, "ipv6", IPV6],
  [LINK_LOCAL, "ipv4", ["169.254.0.0/16"]],
  [LINK_LOCAL, "ipv6", ["fe80::/10"]],
] as const) {
  for (const subnet of subnets) {
    const [address, bits] = subnet.split("/") as [string, string];
    list.addSubnet(address, Number(bits), family);
  }
}

/**
 * Returns a `fetch` for the sign-in to one server. If the server is on the internet, requests to internal addresses fail.
 * Each redirect is checked too.
 *
 * @param next sends a request; it must connect only to the checked addresses, which it gets as `addresses`
 * @param allowed internal hosts that the user allows, such as a company's identity provider
 */
export function outsideFetch(server: URL, next: FetchLike, allowed: readonly string[] = []): FetchLike {
  return async (input, init) => {
    let url = new URL(input);
    for (let hops = 0; ; hops++) {
      const addresses = await checked(url, server, allowed);
      const sent: HttpInit = { ...init, redirect: "manual", addresses };
      const response = await next(url, sent);
      const to = MOVED.includes(response.status) && isRead(init) ? response.headers.get("location") : null;
      if (to === null) return response;
      await response.body?.cancel().catch(() => {});
      if (hops === MOST_HOPS) throw new Error(`${url.origin} redirects more than ${MOST_HOPS} times`);
      if (!URL.canParse(to, url.href)) throw new Error(`${url.origin} redirects to an invalid address`);
      url = new URL(to, url);
    }
  };
}

const isRead = (init: RequestInit | undefined): boolean => ["GET", "HEAD"].includes(init?.method?.toUpperCase() ?? "GET");

/** Sends one request to the checked addresses. If Node uses an HTTP proxy, the proxy looks up the host itself. */
export const dial: FetchLike = async (input, { addresses, ...init }: HttpInit = {}) => {
  if (process.env["NODE_USE_ENV_PROXY"] === "1") return fetch(input, init);
  const request = new Request(input, init);
  const known = { accept: "*/*", "accept-encoding": "identity", "user-agent": "toolsift" };
  return httpFetch(request.url, {
    method: request.method,
    headers: { ...known, ...Object.fromEntries(request.headers) },
    body: request.body === null ? null : await request.arrayBuffer(),
    signal: init.signal ?? null,
    addresses,
  });
};

/**
 * Returns the addresses of a host to which this server may send the sign-in; undefined for the server itself.
 *
 * @throws Error if the server must not send the sign-in to this host
 */
async function checked(url: URL, server: URL, allowed: readonly string[]): Promise<string[] | undefined> {
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error(`${url.protocol} is no address to sign in at`);
  if (url.origin === server.origin) return undefined;
  const addresses = await addressesOf(url);
  const isInside = addresses.some((address) => isIn(INSIDE, address)) && !allowed.includes(url.hostname);
  const isRefused = addresses.some((address) => isIn(LINK_LOCAL, address));
  if (!isRefused && (!isInside || (await isWholly(INSIDE, server)))) return addresses;
  const advice = isRefused ? "" : "; if it is your company's, name its host in oauth.internalHosts of the server's entry";
  throw new Error(`${server.host} sends the sign-in to ${url.origin}, which is an internal address${advice}`);
}

/** Returns true if all addresses of a host are in the list. A host with any other address counts as one on the internet. */
async function isWholly(list: BlockList, host: URL): Promise<boolean> {
  const addresses = await addressesOf(host);
  return addresses.length > 0 && addresses.every((address) => isIn(list, address));
}

/** Looks up the addresses of a host. The list is empty if the host is not found: then `fetch` reports the error. */
async function addressesOf({ hostname }: URL): Promise<string[]> {
  const name = hostname.replace(/^\[|\]$/g, "");
  if (isIP(name) !== 0) return [name];
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
