/** Passes requests of clients on to servers, and questions of servers back to the client that they concern. */

import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY, ProtocolError } from "@modelcontextprotocol/client";
import type { ServerContext } from "@modelcontextprotocol/server";
import { sendCall } from "../upstream/call.js";
import { ANYTHING } from "../upstream/list.js";
import { Call, MOST_AT_ONCE, WaitingCalls } from "./call.js";
import type { Clients, Peer } from "./clients.js";
import { answeredError, attributed, refused, withQuestions } from "./questions.js";
import type { Servers } from "./servers.js";
import type { ServerTool } from "./types.js";
import type { ServerRequest, Upstream } from "./upstream.js";

interface Forwarded {
  method: string;
  params: Record<string, unknown>;
  tool?: ServerTool;
}

/** The requests that can be answered with a question. During other requests, questions go to the client directly. */
const ASKING = ["tools/call", "prompts/get", "resources/read"];

/** The requests that servers work on, and the requests that wait for an answer of their client. */
export class Forwarder {
  readonly #running = new Map<Upstream, Set<Call<unknown>>>();
  readonly #waiting = new WaitingCalls();
  /** The calls of clients with the capability `roots`. */
  readonly #hasRoots = new WeakSet<Call<unknown>>();

  constructor(
    private readonly servers: Servers,
    private readonly clients: Clients,
  ) {}

  of(upstream: Upstream): Call<unknown>[] {
    return [...(this.#running.get(upstream) ?? [])];
  }

  isCalling(peer: Peer): boolean {
    return [...this.#running.values()].some((calls) => [...calls].some(({ owner }) => owner === peer));
  }

  drop(peer: Peer): void {
    for (const calls of this.#running.values()) {
      for (const call of calls) if (call.owner === peer) call.cancel(new Error("the client has gone"));
    }
  }

  close(): void {
    this.#waiting.close();
  }

  /** Continues the call whose question a request answers; undefined if the request answers no question. */
  resumed(context: ServerContext): Promise<unknown> | undefined {
    const waiting = this.#waiting.take(context.mcpReq.requestState());
    return waiting === undefined ? undefined : this.#round(waiting, context);
  }

  /**
   * Passes a request on to a server, and the server's questions to the client.
   *
   * @throws the server's error; an Error if the server is not available or its answer is too long
   */
  async forward(peer: Peer, upstream: Upstream, request: Forwarded, context: ServerContext): Promise<unknown> {
    const resumed = this.resumed(context);
    if (resumed !== undefined) return resumed;
    const calls = this.#running.get(upstream) ?? new Set();
    this.#running.set(upstream, calls);
    // In the protocol without `initialize`, the gateway cannot know if two requests come from the same client.
    const owner = peer.era === "legacy" ? peer : {};
    const call = new Call<unknown>(owner, context, peer.outbox, async (self, signal) => {
      calls.add(self);
      try {
        return await this.#run(upstream, request, self, signal);
      } finally {
        calls.delete(self);
      }
    });
    if (!ASKING.includes(request.method)) call.direct = (question, signal) => peer.push(question, signal);
    if (capabilitiesOf(peer, context)["roots"] !== undefined) this.#hasRoots.add(call);
    return this.#round(call, context);
  }

  async #round(call: Call<unknown>, context: ServerContext): Promise<unknown> {
    const token = crypto.randomUUID();
    const result = await call.round(context, token);
    if (call.isWaiting) this.#waiting.keep(token, call);
    return result;
  }

  async #run(upstream: Upstream, request: Forwarded, call: Call<unknown>, signal: AbortSignal): Promise<unknown> {
    const { method, tool } = request;
    const { callTimeoutMs, callTotalMs, maxAnswerChars } = this.servers.settings;
    const params = sentParams(request.params, call.context, this.clients.level);
    const options = {
      signal,
      timeout: callTimeoutMs,
      maxTotalTimeout: callTotalMs,
      resetTimeoutOnProgress: true,
      allowInputRequired: true,
      onprogress: (progress: object) => progressed(call, progress),
    };
    const result = await upstream.use(async (client) => {
      // The definition may have changed since the search: it was read again when the server started.
      const reason = tool && this.servers.admission.quarantineReason(upstream.name, tool.name);
      if (reason !== undefined)
        throw new Error(`${tool!.name} of ${upstream.name} was not called; it is quarantined: ${reason}`);
      const sent =
        tool === undefined
          ? client.request({ method, params }, ANYTHING, options)
          : sendCall(client, { params: params as never, inputSchema: tool.inputSchema }, options);
      const answer = await sent.catch((error: unknown) => {
        if (!signal.aborted && error instanceof ProtocolError) throw answeredError(upstream.name, error, MOST_AT_ONCE);
        if (signal.aborted) throw error;
        throw new Error(`${upstream.name} did not answer: ${upstream.explained(error)}`, { cause: error });
      });
      // If the call has changed the list, the client's next request must get the new list.
      await upstream.changes.settled(signal);
      return answer as unknown;
    });
    const { length } = JSON.stringify(result) ?? "";
    if (length > maxAnswerChars) {
      const bound = `at most ${maxAnswerChars} are passed on; ask for less`;
      throw new Error(`the answer of ${upstream.name} has ${length} characters; ${bound}`);
    }
    return this.#outward(upstream, withQuestions(upstream.name, result, MOST_AT_ONCE));
  }

  /** Replaces the URIs of resources in an answer by the URIs that clients know. */
  #outward(upstream: Upstream, result: unknown): unknown {
    const { content } = Object(result) as { content?: unknown };
    if (!Array.isArray(content)) return result;
    const { directory } = this.servers;
    const shown = content.map((block: unknown) => {
      const { type, uri, resource } = Object(block) as { type?: unknown; uri?: unknown; resource?: { uri?: unknown } };
      if (type === "resource_link" && typeof uri === "string")
        return { ...(block as object), uri: directory.outward(upstream, uri) };
      if (type !== "resource" || typeof resource?.uri !== "string") return block;
      return { ...(block as object), resource: { ...resource, uri: directory.outward(upstream, resource.uri) } };
    });
    return { ...(result as object), content: shown };
  }

  /**
   * Sends a question of a server to the client whose call the server works on. If that client is not certain, no client is
   * asked. Servers ask for roots when they start, which may be during any call: for a client without roots the answer is an
   * empty list, and the call continues.
   */
  async ask(upstream: Upstream, request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    const calls = this.of(upstream);
    const owners = new Set(calls.map(({ owner }) => owner));
    const [call] = calls;
    if (call !== undefined && owners.size === 1) {
      if (request.method === "roots/list" && !this.#hasRoots.has(call)) return { roots: [] };
      return call.ask(attributed(upstream.name, request), signal);
    }
    if (owners.size > 1) {
      throw refused(
        `${request.method}: several clients are calling this server, and it is not certain which of them is asked`,
      );
    }
    if (request.method !== "roots/list") throw refused(`${request.method}: no call is in progress`);
    const { only } = this.clients;
    return only?.capabilities["roots"] === undefined ? { roots: [] } : only.push(request, signal);
  }
}

/** Returns the capabilities of a call's client. Without `initialize`, each request contains them. */
function capabilitiesOf({ era, capabilities }: Peer, { mcpReq }: ServerContext): Record<string, unknown> {
  if (era === "legacy") return capabilities;
  const { [CLIENT_CAPABILITIES_META_KEY]: own } = Object(mcpReq.envelope) as Record<string, unknown>;
  return Object(own) as Record<string, unknown>;
}

/** Returns the parameters for the server: the client's, with `_meta` and the answers to the server's questions. */
function sentParams(
  params: Record<string, unknown>,
  { mcpReq }: ServerContext,
  asked: string | undefined,
): Record<string, unknown> {
  const { task: _, ...own } = params;
  const { progressToken: __, ...meta } = mcpReq._meta ?? {};
  const state = mcpReq.requestState<unknown>();
  // Without `initialize`, a request itself contains the level of the logs that it wants.
  const level = (mcpReq.envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY] ?? asked;
  return {
    ...own,
    _meta: { ...meta, ...(level !== undefined && { [LOG_LEVEL_META_KEY]: level }) },
    ...(mcpReq.inputResponses !== undefined && { inputResponses: mcpReq.inputResponses }),
    ...(typeof state === "string" && { requestState: state }),
  };
}

/** Sends progress to the request in which the client currently waits. */
function progressed({ context: { mcpReq }, outbox }: Call<unknown>, progress: object): void {
  const { progressToken } = mcpReq._meta ?? {};
  if (progressToken === undefined) return;
  const notification = { method: "notifications/progress", params: { ...progress, progressToken } };
  outbox.send(notification, () => mcpReq.notify(notification));
}
