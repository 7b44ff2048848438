/** The gateway behind a URL: both protocols on one route, as a WHATWG `fetch` handler. */

import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport,
  type EventStore,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Connection } from "./connection.js";
import type { Hub } from "./hub.js";
import type { ListKind } from "../upstream/follow.js";
import { counted } from "./outbox.js";

/** A client without a stream or a request for so long may have gone without a word: it gives back what it holds of others. */
const SILENT_MS = 45_000;
/** A session that its client does not use for so long is closed. */
const IDLE_MS = 1_800_000;
/** When a client may try again that finds every session in use, in seconds. */
const RETRY_S = 10;
/** Resources that one request may follow. */
const MOST_URIS = 1_000;
/** A client whose stream broke off comes back after this time. */
const RETRY_MS = 1_000;

interface Session {
  id: string;
  transport: WebStandardStreamableHTTPServerTransport;
  scopeKey: string;
  timer: ReturnType<typeof setTimeout> | undefined;
  client: Connection;
  /** Requests without a whole answer, streams among them. */
  open: number;
}

/** The HTTP side of a gateway. */
export class HttpSide {
  readonly #hub: Hub;
  readonly #connection: (context: McpRequestContext) => Promise<Connection>;
  /** The bound on bodies, as the SDK takes it. */
  readonly #bound: { maxRequestBodySize: number };
  readonly #modern: ReturnType<typeof createMcpHandler>;
  readonly #stateless: ReturnType<typeof legacyStatelessFallback>;
  /** The one that was used the longest ago first. */
  readonly #sessions = new Map<string, Session>();
  /** Sessions that are being opened. */
  #opening = 0;
  readonly #events = new Events();
  /** The servers of requests that stand for themselves. */
  readonly #servers = new WeakMap<Request, Server>();

  /** @param connect makes the server for one client, or for one request */
  constructor(hub: Hub, connect: (context: McpRequestContext) => Promise<Connection>) {
    this.#hub = hub;
    this.#connection = connect;
    this.#bound = { maxRequestBodySize: hub.settings.maxRequestBytes };
    const onerror = (error: Error) => hub.servers.problem(`a request over HTTP failed: ${error.message}`);
    this.#modern = createMcpHandler((context) => this.#connect(context), { legacy: "reject", onerror, ...this.#bound });
    this.#stateless = legacyStatelessFallback(async (context) => (await connect(context)).server, onerror, this.#bound);
  }

  /** Tells clients of the newer protocol what has changed. */
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

  /** A session belongs to the scope that it was opened with. */
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
    // Nobody's stream or call ends for a client that comes later.
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
    // Only an `initialize` opens a session.
    if (transport.sessionId === undefined) void client.server.close();
    return response;
  }

  /** Serves a request of a session, which is in use until its answer has ended. */
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

  /** Keeps a session as the one that was used last. Where there is no room, the one that is idle for the longest goes. */
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
   * The stream itself is the SDK's; which resources it follows has to reach their servers. The SDK is told of those alone
   * that the client may follow: it sends each update to everybody who asked for it.
   */
  async #followed(request: Request): Promise<{ sent: Request; end: () => void }> {
    if (request.headers.get("mcp-method") !== "subscriptions/listen") return { sent: request, end: () => {} };
    const body = await request.text();
    const again = (text: string) =>
      new Request(request.url, { method: "POST", headers: request.headers, signal: request.signal, body: text });
    let message: unknown;
    let uris: string[];
    try {
      message = JSON.parse(body);
      uris = urisIn(message);
    } catch {
      // The SDK says what is wrong with it.
      return { sent: again(body), end: () => {} };
    }
    if (uris.length === 0) return { sent: again(body), end: () => {} };
    const followed = await this.#hub.follow(again(body), uris);
    // A stream for a resource that nobody has stays silent.
    (message as Listen).params.notifications.resourceSubscriptions = [...followed.keys()];
    return { sent: again(JSON.stringify(message)), end: () => followed.forEach((end) => end()) };
  }
}

interface Listen {
  params: { notifications: { resourceSubscriptions: string[] } };
}

/** Whether a session's client listens, waits for an answer, or comes back for one. */
const isBusy = ({ open, client }: Session): boolean => open > 0 || client.isCalling;

/** Does something later. It does not keep a process alive, in runtimes that can tell. */
function later(ms: number, work: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, ms);
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** The resources that a `subscriptions/listen` request names. */
export function urisIn(message: unknown): string[] {
  const { params } = Object(message) as { params?: unknown };
  const { notifications } = Object(params) as { notifications?: unknown };
  const { resourceSubscriptions: uris } = Object(notifications) as { resourceSubscriptions?: unknown };
  const texts = Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === "string") : [];
  return texts.slice(0, MOST_URIS);
}

/** Characters that all sessions together may keep. The oldest events go first; a stream that lost events cannot be taken up again. */
const MOST_CHARS = 32_000_000;
const MOST_EVENTS = 20_000;

interface StoredEvent {
  session: object;
  stream: string;
  message: JSONRPCMessage;
  chars: number;
}

/** The events of all sessions, the oldest first. */
export class Events {
  readonly #kept = new Map<string, StoredEvent>();
  #chars = 0;

  of(session: object): EventStore {
    const eventOf = (id: string) => {
      const kept = this.#kept.get(id);
      return kept?.session === session ? kept : undefined;
    };
    return {
      storeEvent: async (stream, message) => this.#keep({ session, stream, message, chars: JSON.stringify(message).length }),
      getStreamIdForEventId: async (id) => eventOf(id)?.stream,
      replayEventsAfter: async (last, { send }) => {
        const from = eventOf(last);
        if (from === undefined) throw new Error("the event is not kept any more");
        let isAfter = false;
        // Events that are sent meanwhile are appended, and this loop reaches them, too.
        for (const [id, { session: owner, stream, message }] of this.#kept) {
          if (isAfter && owner === session && stream === from.stream) await send(id, message);
          if (id === last) isAfter = true;
        }
        return from.stream;
      },
    };
  }

  drop(session: object): void {
    for (const [id, kept] of this.#kept) if (kept.session === session) this.#remove(id, kept);
  }

  #keep(event: StoredEvent): string {
    // Ids say nothing of how much other sessions are sent.
    const id = crypto.randomUUID();
    this.#kept.set(id, event);
    this.#chars += event.chars;
    for (const [oldest, kept] of this.#kept) {
      if (this.#chars <= MOST_CHARS && this.#kept.size <= MOST_EVENTS) break;
      this.#remove(oldest, kept);
    }
    return id;
  }

  #remove(id: string, { chars }: StoredEvent): void {
    this.#kept.delete(id);
    this.#chars -= chars;
  }
}
