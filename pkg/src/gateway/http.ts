/** The gateway over HTTP, as a WHATWG `fetch` handler. One route serves the protocols with and without `initialize`. */

import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
  readRequestBody,
  type Server,
  WebStandardStreamableHTTPServerTransport,
  type EventStore,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { Recent } from "../base/recent.js";
import { later } from "../base/wait.js";
import type { Connection } from "./connection.js";
import type { Hub } from "./hub.js";
import type { ListKind } from "../upstream/follow.js";
import { counted } from "./outbox.js";

/** After this time without a stream or a request, in ms, a client may be gone: it no longer follows resources. */
const SILENT_MS = 45_000;
/** After this time without a request, in ms, a session is closed. */
const IDLE_MS = 1_800_000;
/** The time after which a client may retry if all sessions are in use, in seconds. */
const RETRY_S = 10;
/** The maximum number of resources that one request may follow. */
const MOST_URIS = 1_000;
/** The time after which a client reconnects a broken stream, in ms. */
const RETRY_MS = 1_000;

interface Session {
  id: string;
  transport: WebStandardStreamableHTTPServerTransport;
  scopeKey: string;
  timer: ReturnType<typeof setTimeout> | undefined;
  client: Connection;
  /** The number of requests without a complete answer, including streams. */
  open: number;
}

/** The HTTP side of a gateway. */
export class HttpSide {
  readonly #hub: Hub;
  readonly #connection: (context: McpRequestContext) => Promise<Connection>;
  /** The limit of bodies as an option of the SDK. */
  readonly #bound: { maxRequestBodySize: number };
  readonly #modern: ReturnType<typeof createMcpHandler>;
  readonly #stateless: ReturnType<typeof legacyStatelessFallback>;
  /** The sessions, least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** The number of sessions that are being opened. */
  #opening = 0;
  readonly #events = new Events();
  /** The MCP servers of independent requests. */
  readonly #servers = new WeakMap<Request, Server>();

  /** @param connect makes the MCP server for one client, or for one request */
  constructor(hub: Hub, connect: (context: McpRequestContext) => Promise<Connection>) {
    this.#hub = hub;
    this.#connection = connect;
    this.#bound = { maxRequestBodySize: hub.settings.maxRequestBytes };
    const onerror = (error: Error) => hub.servers.problem(`a request over HTTP failed: ${error.message}`);
    this.#modern = createMcpHandler((context) => this.#connect(context), { legacy: "reject", onerror, ...this.#bound });
    this.#stateless = legacyStatelessFallback(async (context) => (await connect(context)).server, onerror, this.#bound);
  }

  /** Sends clients of the newer protocol (without `initialize`) a notice of a change. */
  publish(kind: ListKind | { uri: string }): void {
    const { notify } = this.#modern;
    if (typeof kind === "object") notify.resourceUpdated(kind.uri);
    else if (kind === "tools") notify.toolsChanged();
    else if (kind === "prompts") notify.promptsChanged();
    else notify.resourcesChanged();
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null && !this.#hub.settings.stateless) return this.#known(id, request);
    if (!(await isLegacyRequest(request, undefined, this.#bound))) {
      const { sent, end } = await this.#followed(request);
      const response = await this.#modern.fetch(sent);
      return counted(this.#servers.get(sent) ?? {}, response, end);
    }
    if (this.#hub.settings.stateless) return this.#stateless(request);
    return this.#open(request);
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const { timer } of sessions) clearTimeout(timer);
    await Promise.all([this.#modern.close(), ...sessions.map(({ client }) => client.server.close())]);
  }

  async #connect(context: McpRequestContext): Promise<Server> {
    const { server } = await this.#connection(context);
    if (context.requestInfo !== undefined) this.#servers.set(context.requestInfo, server);
    return server;
  }

  /** Serves a request of an open session. A session can be used only with the scope that it was opened with. */
  async #known(id: string, request: Request): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.scopeKey !== this.#hub.scopeKey(request)) {
      return Response.json(
        { jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null },
        { status: 404 },
      );
    }
    return this.#served(session, request);
  }

  async #open(request: Request): Promise<Response> {
    const { maxSessions } = this.#hub.settings;
    // No session with an open stream or call is closed for a new client.
    const left = maxSessions - this.#opening;
    if (this.#sessions.size >= left && [...this.#sessions.values()].filter(isBusy).length >= left) {
      const message = `All ${maxSessions} sessions are in use: try again in ${RETRY_S} seconds`;
      const refusal = { jsonrpc: "2.0", error: { code: -32_000, message }, id: null };
      return Response.json(refusal, { status: 503, headers: { "retry-after": String(RETRY_S) } });
    }
    this.#opening++;
    try {
      return await this.#opened(request);
    } finally {
      this.#opening--;
    }
  }

  async #opened(request: Request): Promise<Response> {
    const client = await this.#connection({ era: "legacy", requestInfo: request });
    const scopeKey = this.#hub.scopeKey(request);
    const id = crypto.randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.#keep(session),
      onsessionclosed: () => this.#drop(session),
      eventStore: this.#events.of(client.server),
      retryInterval: RETRY_MS,
      ...this.#bound,
    });
    const session: Session = { id, transport, scopeKey, client, timer: undefined, open: 0 };
    await client.server.connect(transport);
    const response = await this.#served(session, request);
    // Only a request `initialize` opens a session.
    if (transport.sessionId === undefined) void client.server.close();
    return response;
  }

  /** Serves a request of a session. The session is in use until the answer has ended. */
  async #served(session: Session, request: Request): Promise<Response> {
    clearTimeout(session.timer);
    session.open++;
    session.client.resume();
    const end = () => {
      session.open--;
      if (session.open === 0 && this.#sessions.has(session.id)) this.#keep(session);
    };
    try {
      return counted(session.client.server, await session.transport.handleRequest(request), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Stores a session as the most recently used one. If there is no room, the least recently used idle session is closed. */
  #keep(session: Session): void {
    const { id, client } = session;
    this.#sessions.delete(id);
    if (this.#sessions.size >= this.#hub.settings.maxSessions) {
      const idle = [...this.#sessions.values()].find((one) => !isBusy(one));
      if (idle !== undefined) this.#drop(idle);
    }
    this.#sessions.set(id, session);
    if (session.open > 0) return;
    session.timer = later(SILENT_MS, () => {
      if (isBusy(session)) return this.#keep(session);
      client.rest();
      session.timer = later(IDLE_MS - SILENT_MS, () => this.#drop(session));
    });
  }

  #drop({ id, timer, client }: Session): void {
    this.#sessions.delete(id);
    clearTimeout(timer);
    this.#events.drop(client.server);
    void client.server.close();
  }

  /**
   * Subscribes to the resources of a `subscriptions/listen` request at their servers. The SDK handles the stream. It gets
   * only the resources that the client may see, because it sends each update to every client that listed the resource.
   */
  async #followed(request: Request): Promise<{ sent: Request; end: () => void }> {
    if (request.headers.get("mcp-method") !== "subscriptions/listen") return { sent: request, end: () => {} };
    const read = await readRequestBody(request.clone(), this.#bound.maxRequestBodySize);
    // The SDK answers with the error.
    if (read.tooLarge) return { sent: request, end: () => {} };
    const body = read.text;
    const again = (text: string) =>
      new Request(request.url, { method: "POST", headers: request.headers, signal: request.signal, body: text });
    let message: unknown;
    let uris: string[];
    try {
      message = JSON.parse(body);
      uris = urisIn(message);
    } catch {
      return { sent: request, end: () => {} };
    }
    if (uris.length === 0) return { sent: request, end: () => {} };
    const followed = await this.#hub.follow(again(body), uris);
    // A stream for an unknown resource stays silent.
    (message as Listen).params.notifications.resourceSubscriptions = [...followed.keys()];
    return { sent: again(JSON.stringify(message)), end: () => followed.forEach((end) => end()) };
  }
}

interface Listen {
  params: { notifications: { resourceSubscriptions: string[] } };
}

/** Checks if a session has an open request, or a call in progress for whose answer the client may reconnect. */
const isBusy = ({ open, client }: Session): boolean => open > 0 || client.isCalling;

/** Returns the resources of a `subscriptions/listen` request. */
export function urisIn(message: unknown): string[] {
  const { params } = Object(message) as { params?: { notifications?: { resourceSubscriptions?: unknown } | null } | null };
  const uris = params?.notifications?.resourceSubscriptions;
  const texts = Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === "string") : [];
  return texts.slice(0, MOST_URIS);
}

/** The maximum size of all stored events, in characters. The oldest are removed, and their streams cannot be resumed. */
const MOST_CHARS = 32_000_000;
const MOST_EVENTS = 20_000;

interface StoredEvent {
  session: object;
  stream: string;
  message: JSONRPCMessage;
  chars: number;
}

/** The events of all sessions, oldest first. */
export class Events {
  readonly #kept = new Recent<string, StoredEvent>(MOST_EVENTS, () => {}, { most: MOST_CHARS, of: ({ chars }) => chars });

  of(session: object): EventStore {
    const eventOf = (id: string) => {
      const kept = this.#kept.get(id);
      return kept?.session === session ? kept : undefined;
    };
    return {
      storeEvent: async (stream, message) => {
        // Random ids do not show how many events other sessions get.
        const id = crypto.randomUUID();
        this.#kept.set(id, { session, stream, message, chars: JSON.stringify(message).length });
        return id;
      },
      getStreamIdForEventId: async (id) => eventOf(id)?.stream,
      replayEventsAfter: async (last, { send }) => {
        const from = eventOf(last);
        if (from === undefined) throw new Error("the event is not kept any more");
        let isAfter = false;
        // Events that are sent during the loop are appended, so this loop reaches them too.
        for (const [id, { session: owner, stream, message }] of this.#kept) {
          if (isAfter && owner === session && stream === from.stream) await send(id, message);
          if (id === last) isAfter = true;
        }
        return from.stream;
      },
    };
  }

  drop(session: object): void {
    for (const [id, kept] of this.#kept) if (kept.session === session) this.#kept.delete(id);
  }
}
