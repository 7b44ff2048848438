/** Waits on 127.0.0.1 for the redirect that ends a sign-in. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { answered, targetOf } from "../listen/incoming.js";
import { isSameSecret } from "../base/values.js";
import { page, PAGE_HEADERS } from "./page.js";

/** The path of the redirect. */
export const CALLBACK = "/callback";
/** Browsers send a few connections; nobody else has business here. */
const MAX_CONNECTIONS = 32;
const REQUEST_MS = 10_000;
const NOT_ALLOWED = "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/** The redirect's URL for a port. */
export const redirectUrl = (port: number) => `http://127.0.0.1:${port}${CALLBACK}`;

/** The text of the page after the redirect. */
export interface Answer {
  isDone: boolean;
  text: string;
}

type Arrived = (params: URLSearchParams) => Promise<Answer>;

/** Answers one request of a browser, or of whoever found the port. */
async function answer(request: IncomingMessage, response: ServerResponse, state: string, arrived: Arrived): Promise<void> {
  const write = (status: number, title: string, text: string) => {
    response.writeHead(status, PAGE_HEADERS).end(page(title, text));
  };
  const own = request.socket.localPort ?? 0;
  // Another Host means that a page made its own name point here.
  if (request.headers.host !== `127.0.0.1:${own}`) return write(403, "Refused", "This address is not served here.");
  const url = targetOf(request);
  if (url === undefined) return write(400, "Not found", "This is no address of a page.");
  if (url.pathname !== CALLBACK) return write(404, "Not found", "There is nothing here.");
  if (request.method !== "GET") return write(405, "Not allowed", "This page is only read.");
  if (!isSameSecret(url.searchParams.get("state") ?? "", state)) {
    return write(400, "Not signed in", "This answer does not belong to the sign-in that is under way. Start again.");
  }
  try {
    const { isDone, text } = await arrived(url.searchParams);
    write(isDone ? 200 : 400, isDone ? "Signed in" : "Not signed in", text);
  } catch {
    write(500, "Not signed in", "toolsift could not finish the sign-in.");
  }
}

/** A listener for one redirect. */
export class Loopback {
  readonly #server: Server;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /**
   * Listens on a port of 127.0.0.1; 0 takes a free one.
   *
   * @param arrived is given the parameters of a redirect whose `state` fits, and returns what the page says
   * @throws the error of the system, such as `EADDRINUSE`
   */
  static async open(port: number, state: string, arrived: Arrived): Promise<Loopback> {
    const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
      void answered(response, () => answer(request, response, state, arrived));
    });
    // Without it, Node closes such a connection without a word.
    server.on("connect", (_, socket: Duplex) => socket.on("error", () => {}).end(NOT_ALLOWED));
    server.maxConnections = MAX_CONNECTIONS;
    await once(server.listen(port, "127.0.0.1"), "listening");
    server.on("error", () => {});
    return new Loopback(server, (server.address() as AddressInfo).port);
  }

  unref(): void {
    this.#server.unref();
  }

  /** Stops listening. Pages that are being sent still arrive. */
  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }
}

/**
 * Passes on an address that the user copied from a browser on another machine, whose 127.0.0.1 is not ours. The listener may
 * belong to another process.
 *
 * @param signInPage the page of the sign-in, whose parameters name the redirect and the state
 */
export async function passOn(address: string, signInPage: URL): Promise<Answer> {
  const text = address.trim();
  const params = URL.canParse(text) ? new URL(text).searchParams : undefined;
  if (params?.get("state") !== signInPage.searchParams.get("state")) {
    const next = "Copy the whole address that begins with http://127.0.0.1";
    return { isDone: false, text: `This is not the address of this sign-in. ${next}` };
  }
  try {
    const { ok } = await fetch(`${signInPage.searchParams.get("redirect_uri")}?${params}`);
    return { isDone: ok, text: ok ? "Signed in." : "The sign-in failed." };
  } catch {
    return { isDone: false, text: "The sign-in has ended. Start again." };
  }
}

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const loopback = await Loopback.open(0, "", async () => ({ isDone: false, text: "" }));
  loopback.close();
  return loopback.port;
}
