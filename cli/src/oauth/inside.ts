/** Keeps a sign-in out of the user's own network: a server on the internet names addresses, and must not have them asked there. */

import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { httpFetch, type HttpInit } from "../listen/outgoing.js";

/** Pages that one request is sent on to. */
const MOST_HOPS = 5;
const MOVED: readonly number[] = [301, 302, 303, 307, 308];

/** Addresses that no server of the internet has. */
const INSIDE = new BlockList();
/** Those of the machine's own host, where clouds keep credentials; nobody signs in there. */
const LINK_LOCAL = new BlockList();
const IPV4 = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16"];
/** With those that hold an address of IPv4 within them, whichever it is: NAT64, 6to4 and Teredo lead anywhere. */
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
 * A `fetch` for the sign-in to one server. Where the server is on the internet, it asks nothing inside; each redirect is looked
 * at as well.
 *
 * @param next is handed the addresses that were looked at, as `addresses`: it must ask no others
 * @param allowed hosts that the user allows inside, such as a company's identity provider
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
      if (hops === MOST_HOPS) throw new Error(`${url.origin} sends on more than ${MOST_HOPS} times`);
      if (!URL.canParse(to, url.href)) throw new Error(`${url.origin} sends on to what is no address`);
      url = new URL(to, url);
    }
  };
}

const isRead = (init: RequestInit | undefined): boolean => ["GET", "HEAD"].includes(init?.method?.toUpperCase() ?? "GET");

/** Sends one request to the very addresses that were looked at. Where Node is told of a proxy, that one alone looks hosts up. */
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
 * The addresses of a host that this server may have asked; undefined for the server itself.
 *
 * @throws Error for one that it must not have asked
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

/** Whether a host has addresses of a list alone: one more elsewhere makes it a server of the internet. */
async function isWholly(list: BlockList, host: URL): Promise<boolean> {
  const addresses = await addressesOf(host);
  return addresses.length > 0 && addresses.every((address) => isIn(list, address));
}

/** What a host's name stands for; nothing for one that is not found, which `fetch` tells. */
async function addressesOf({ hostname }: URL): Promise<string[]> {
  const name = hostname.replace(/^\[|\]$/g, "");
  if (isIP(name) !== 0) return [name];
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
