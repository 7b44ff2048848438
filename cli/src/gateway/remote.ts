/** Remote servers, by Streamable HTTP or SSE. */

import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { discreet, statusOf, withCause, withoutAddress } from "toolsift/internal";
import { signedFetch } from "../oauth/fetch.js";
import { SignInFailed, type SignInHooks, SignInNeeded } from "../oauth/ask.js";
import { dial, outsideFetch } from "../oauth/inside.js";
import { type SignIn, signInTo } from "../oauth/sign-in.js";
import { shown } from "../output/escape.js";
import { boundedFetch, RESPONSE_BYTES, TooLarge } from "./bounded-fetch.js";
import type { ServerWay } from "../clients/server-config.js";

const GOODBYE_MS = 1_000;
const OAUTH_MS = 15_000;
/** The largest answer of an authorization server. Several of them are kept in one file. */
const OAUTH_BYTES = 256 << 10;

type RemoteWay = Extract<ServerWay, { url: URL }>;

/** A transport that can say more about its errors than the SDK's client does. */
export interface ServerTransport extends Transport {
  /**
   * An error of a client on this transport, in words for the user: what the process wrote and how it ended, which address
   * did not answer and why, or that the user has to sign in (`SignInNeeded` with its `url`).
   */
  explain(error: unknown): Error;
}

/** The surroundings of a remote connection. */
export interface RemoteHooks extends SignInHooks {
  /** The largest answer of the server. */
  responseBytes?: number;
}

/** The sign-in of a server. Its requests carry no header of the server's configuration. */
export function signInOf(name: string, { url, oauth }: RemoteWay, hooks: SignInHooks): SignIn {
  const bounded = boundedFetch(dial, { bytes: OAUTH_BYTES, timeoutMs: OAUTH_MS });
  return signInTo(name, url, oauth, outsideFetch(url, bounded, oauth.internalHosts), hooks);
}

/** A fresh connection to a remote server. */
export function remoteTransport(name: string, way: RemoteWay, hooks: RemoteHooks): ServerTransport {
  const { url, headers, kind } = way;
  let reason: Error | undefined;
  const bounded = boundedFetch(fetch, {
    bytes: hooks.responseBytes ?? RESPONSE_BYTES,
    exceeded: (error) => {
      reason = error;
      inner.onerror?.(error);
      void inner.close();
    },
  });
  // Who configures an Authorization header signs in with it, and with nothing else.
  const hasOwn = Object.keys(headers).some((header) => header.toLowerCase() === "authorization");
  const isSigned = !hasOwn || Object.keys(way.oauth).length > 0;
  const sent = isSigned ? signedFetch(signInOf(name, way, hooks), url.origin, bounded) : bounded;
  const remembering: typeof sent = async (input, init) => {
    try {
      const answer = await sent(input, init);
      if (!(reason instanceof TooLarge)) reason = undefined;
      return answer;
    } catch (error) {
      // The SSE client of the SDK keeps an error's text only.
      if (isOfSignIn(error) || error instanceof TooLarge) reason = error;
      throw error;
    }
  };
  const Kind = kind === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  const inner: ServerTransport & { terminateSession?(): Promise<void> } = Object.assign(
    discreet(new Kind(url, { fetch: remembering, requestInit: { headers } }), url),
    { explain },
  );
  const [start, send, close] = [inner.start.bind(inner), inner.send.bind(inner), inner.close.bind(inner)];
  const rightly = (error: unknown) => Promise.reject(reason ?? error);
  inner.start = () => start().catch(rightly);
  inner.send = (...message) => send(...message).catch(rightly);
  inner.close = async () => {
    // A session that the server keeps is ended; one that does not answer is not waited for.
    if (inner.sessionId !== undefined) {
      const late = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([inner.terminateSession?.().catch(() => {}), late]);
    }
    await close();
  };
  return inner;

  /** An error of this connection with the server's place and the cause. Errors of a sign-in stay what they are. */
  function explain(error: unknown): Error {
    if (isOfSignIn(error)) return error;
    if (reason !== undefined) return reason;
    const text = withoutAddress(withCause(error instanceof Error ? error.message : String(error), error), url);
    const status = statusOf(error) ?? 0;
    const answered = status >= 300 && status <= 599 ? `${url.origin} answered HTTP ${status}` : `cannot reach ${url.origin}`;
    const isRefused = (status === 401 || status === 403) && Object.keys(headers).length > 0;
    const next = isRefused ? "; check the headers in its configuration" : "";
    return new Error(`${answered}: ${shown(text, 1_200)}${next}`, { cause: error });
  }
}

const isOfSignIn = (error: unknown): error is SignInNeeded | SignInFailed =>
  error instanceof SignInNeeded || error instanceof SignInFailed;
