/** Makes the transports to servers: a process, or Streamable HTTP or SSE with a sign-in. */

import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import spawn from "cross-spawn";
import { processTransport } from "toolsift/gateway";
import { discreet, statusOf, withCause, withoutAddress } from "toolsift/internal";
import { signedFetch } from "../oauth/fetch.js";
import { SignInFailed, type SignInHooks, SignInNeeded } from "../oauth/ask.js";
import { dial, outsideFetch } from "../oauth/inside.js";
import { type SignIn, signInTo } from "../oauth/sign-in.js";
import { shown } from "../output/escape.js";
import { boundedFetch, RESPONSE_BYTES, TooLarge } from "./bounded-fetch.js";
import { type ServerWay, serverWay } from "../clients/server-config.js";

const GOODBYE_MS = 1_000;
const OAUTH_MS = 15_000;
/** The largest answer of an authorization server, in bytes. The file with tokens holds several of these answers. */
const OAUTH_BYTES = 256 << 10;

type RemoteWay = Extract<ServerWay, { url: URL }>;

/** A transport that explains its errors in more detail than the MCP SDK's client does. */
interface ServerTransport extends Transport {
  /**
   * Returns an error of a client on this transport with a message for the user: the output and the end of a process, the
   * address that did not answer and the reason, or a request to sign in (`SignInNeeded` with its `url`).
   */
  explain(error: unknown): Error;
}

/** The hooks and settings of a remote connection. */
interface RemoteHooks extends SignInHooks {
  /** The largest answer of the server, in bytes. */
  responseBytes?: number;
}

/**
 * Makes a new transport for one server. The server is started only when a client connects.
 *
 * @param name the server's name in the configuration
 * @param serverConfig its entry with filled-in variables: `{ command, args, env, cwd }` or `{ url, headers, type, oauth }`
 * @throws Error if the entry is wrong
 */
export function transportFor(name: string, serverConfig: unknown, hooks: RemoteHooks = {}): ServerTransport {
  const way = serverWay(name, serverConfig);
  if (way.kind !== "stdio") return remoteTransport(name, way, hooks);
  return processTransport(way, { spawn }) as ServerTransport;
}

/** Makes the sign-in for a server. Its requests do not contain the headers of the server's configuration. */
export function signInOf(name: string, { url, oauth }: RemoteWay, hooks: SignInHooks): SignIn {
  const bounded = boundedFetch(dial, { bytes: OAUTH_BYTES, timeoutMs: OAUTH_MS });
  return signInTo(name, url, oauth, outsideFetch(url, bounded, oauth.internalHosts), hooks);
}

/** Makes a new transport for a remote server. */
function remoteTransport(name: string, way: RemoteWay, hooks: RemoteHooks): ServerTransport {
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
  // A configured Authorization header replaces the sign-in, unless the entry also has OAuth settings.
  const hasOwn = Object.keys(headers).some((header) => header.toLowerCase() === "authorization");
  const isSigned = !hasOwn || Object.keys(way.oauth).length > 0;
  const sent = isSigned ? signedFetch(signInOf(name, way, hooks), url.origin, bounded) : bounded;
  const remembering: typeof sent = async (input, init) => {
    try {
      const answer = await sent(input, init);
      if (!(reason instanceof TooLarge)) reason = undefined;
      return answer;
    } catch (error) {
      // The SSE client of the SDK keeps only the text of an error, so the error itself is remembered here.
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
    // The server's session is ended. If the server does not answer within a second, the close goes on.
    if (inner.sessionId !== undefined) {
      const late = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([inner.terminateSession?.().catch(() => {}), late]);
    }
    await close();
  };
  return inner;

  /** Adds the server's address and the cause to an error of this connection. Returns errors of a sign-in unchanged. */
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
