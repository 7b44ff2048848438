/** Remote servers, by Streamable HTTP or SSE. */

import {
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { discreet, statusOf, withCause, withoutAddress } from "toolsift/internal";
import { signedFetch } from "../oauth/fetch.js";
import { SignInFailed, type SignInHooks, SignInNeeded } from "../oauth/ask.js";
import { dial, outsideFetch } from "../oauth/inside.js";
import { SignIn } from "../oauth/sign-in.js";
import { shown } from "../output/escape.js";
import { boundedFetch, RESPONSE_BYTES, TooLarge } from "./bounded-fetch.js";
import type { ServerWay } from "../clients/server-config.js";

const GOODBYE_MS = 1_000;
const OAUTH_MS = 15_000;
/** The largest answer of an authorization server. Several of them are kept in one file. */
const OAUTH_BYTES = 256 << 10;

type HttpSendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];
type RemoteWay = Extract<ServerWay, { url: URL }>;

/** The surroundings of a remote connection. */
export interface RemoteHooks extends SignInHooks {
  /** The largest answer of the server. */
  responseBytes?: number;
}

/** The sign-in of a server. Its requests carry no header of the server's configuration. */
export function signInOf(name: string, { url, oauth }: RemoteWay, hooks: SignInHooks): SignIn {
  const bounded = boundedFetch(dial, { bytes: OAUTH_BYTES, timeoutMs: OAUTH_MS });
  return new SignIn(name, url, oauth, outsideFetch(url, bounded, oauth.internalHosts), hooks);
}

/** The connection to a remote server. */
export class RemoteTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** One request, one stream, as Streamable HTTP has it: the SDK cancels a request by ending its stream. */
  readonly hasPerRequestStream: boolean;

  readonly #way: RemoteWay;
  readonly #options: ConstructorParameters<typeof StreamableHTTPClientTransport>[1] & object;
  #inner: (StreamableHTTPClientTransport | SSEClientTransport) | undefined;
  #reason: Error | undefined;
  #isClosed = false;

  constructor(name: string, way: RemoteWay, hooks: RemoteHooks) {
    this.#way = way;
    this.hasPerRequestStream = way.kind !== "sse";
    const { url, headers } = way;
    const bounded = boundedFetch(fetch, {
      bytes: hooks.responseBytes ?? RESPONSE_BYTES,
      exceeded: (error) => this.#fail(error),
    });
    // Who configures an Authorization header signs in with it, and with nothing else.
    const hasOwn = Object.keys(headers).some((header) => header.toLowerCase() === "authorization");
    const isSigned = !hasOwn || Object.keys(way.oauth).length > 0;
    const sent = isSigned ? signedFetch(signInOf(name, way, hooks), url.origin, bounded) : bounded;
    const remembering: typeof sent = async (input, init) => {
      try {
        const answer = await sent(input, init);
        if (!(this.#reason instanceof TooLarge)) this.#reason = undefined;
        return answer;
      } catch (error) {
        // The SSE client of the SDK keeps an error's text only.
        if (isOfSignIn(error) || error instanceof TooLarge) this.#reason = error;
        throw error;
      }
    };
    this.#options = { fetch: remembering, requestInit: { headers } };
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  async start(): Promise<void> {
    if (this.#inner !== undefined || this.#isClosed) throw new Error("this transport was started before");
    const Kind = this.hasPerRequestStream ? StreamableHTTPClientTransport : SSEClientTransport;
    const inner = discreet(new Kind(this.#way.url, this.#options), this.#way.url);
    this.#inner = inner;
    inner.onmessage = (message: JSONRPCMessage) => this.onmessage?.(message);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.#closed();
    await inner.start().catch((error: unknown) => {
      throw this.#reason ?? error;
    });
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const inner = this.#inner;
    if (inner === undefined) throw new Error("this transport is not started");
    try {
      if (inner instanceof StreamableHTTPClientTransport) await inner.send(message, options as HttpSendOptions);
      else await inner.send(message);
    } catch (error) {
      throw this.#reason ?? error;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const inner = this.#inner;
    // A session that the server keeps is ended; one that does not answer is not waited for.
    if (inner instanceof StreamableHTTPClientTransport && inner.sessionId !== undefined) {
      const late = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([inner.terminateSession().catch(() => {}), late]);
    }
    await inner?.close();
    this.#closed();
  }

  setProtocolVersion(version: string): void {
    this.#inner?.setProtocolVersion(version);
  }

  /** An error of this connection with the server's place and the cause. Errors of a sign-in stay what they are. */
  explain(error: unknown): Error {
    if (isOfSignIn(error)) return error;
    if (this.#reason !== undefined) return this.#reason;
    const { url, headers } = this.#way;
    const text = withoutAddress(withCause(error instanceof Error ? error.message : String(error), error), url);
    const status = statusOf(error) ?? 0;
    const answered = status >= 300 && status <= 599 ? `${url.origin} answered HTTP ${status}` : `cannot reach ${url.origin}`;
    const isRefused = (status === 401 || status === 403) && Object.keys(headers).length > 0;
    const next = isRefused ? "; check the headers in its configuration" : "";
    return new Error(`${answered}: ${shown(text, 1_200)}${next}`, { cause: error });
  }

  #fail(error: Error): void {
    this.#reason = error;
    this.onerror?.(error);
    void this.close();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

const isOfSignIn = (error: unknown): error is SignInNeeded | SignInFailed =>
  error instanceof SignInNeeded || error instanceof SignInFailed;
