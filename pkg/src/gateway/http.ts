/** The gateway behind a URL: both protocols on one route, as a WHATWG `fetch` handler. */

import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Recent } from "../recent.js";
import { Events } from "./events.js";
import { counted } from "./outbox.js";

/** A session that its client does not use for so long is closed. */
const IDLE_MS = 1_800_000;
/** Resources that one request may follow. */
const MOST_URIS = 1_000;
/** A client whose stream broke off comes back after this time. */
const RETRY_MS = 1_000;

/** The gateway, as the handler uses it. */
export interface HttpHost {
  maxSessions: number;
  /** The most bytes of one request. */
  maxRequestBytes: number;
  /** Whether clients of the older protocol have no session. */
  isStateless: boolean;
  /** Makes the server for one client, or for one request. */
  connect(context: McpRequestContext): Promise<Server>;
  /** What the client of a request may see, as a text that two clients share only where they see the same. */
  scopeKey(request: Request): string;
  /** A client follows resources by a stream of the newer protocol. Answers those that it may, with what ends each. */
  follow(request: Request, uris: string[]): Promise<Map<string, () => void>>;
  problem(message: string): void;
}

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  scopeKey: string;
  timer: ReturnType<typeof setTimeout> | undefined;
  server: Server;
  /** Answers that are being sent, streams among them: a client that listens is not idle. */
  open: number;
}

/** The HTTP side of a gateway. */
export class HttpSide {
  readonly #host: HttpHost;
  /** The bound on bodies, as the SDK takes it. */
  readonly #bound: { maxRequestBodySize: number };
  readonly #modern: ReturnType<typeof createMcpHandler>;
  readonly #stateless: ReturnType<typeof legacyStatelessFallback>;
  readonly #sessions: Recent<string, Session>;
  readonly #events = new Events();
  /** The servers of requests that stand for themselves. */
  readonly #servers = new WeakMap<Request, Server>();

  constructor(host: HttpHost) {
    this.#host = host;
    this.#bound = { maxRequestBodySize: host.maxRequestBytes };
    this.#sessions = new Recent(host.maxSessions, (session) => this.#end(session));
    const onerror = (error: Error) => host.problem(`a request over HTTP failed: ${error.message}`);
    this.#modern = createMcpHandler((context) => this.#connect(context), { legacy: "reject", onerror, ...this.#bound });
    this.#stateless = legacyStatelessFallback((context) => host.connect(context), onerror, this.#bound);
  }

  /** Tells clients of the newer protocol what has changed. */
  publish(kind: "tools" | "prompts" | "resources" | { uri: string }): void {
    const { notify } = this.#modern;
    if (typeof kind === "object") notify.resourceUpdated(kind.uri);
    else if (kind === "tools") notify.toolsChanged();
    else if (kind === "prompts") notify.promptsChanged();
    else notify.resourcesChanged();
  }

  /** Serves one request. */
  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null && !this.#host.isStateless) return this.#known(id, request);
    if (!(await isLegacyRequest(request, undefined, this.#bound))) {
      const { sent, end } = await this.#followed(request);
      const response = await this.#modern.fetch(sent);
      return counted(this.#servers.get(sent) ?? {}, response, end);
    }
    if (this.#host.isStateless) return this.#stateless(request);
    return this.#open(request);
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const { timer } of sessions) clearTimeout(timer);
    await Promise.all([this.#modern.close(), ...sessions.map(({ server }) => server.close())]);
  }

  async #connect(context: McpRequestContext): Promise<Server> {
    const server = await this.#host.connect(context);
    if (context.requestInfo !== undefined) this.#servers.set(context.requestInfo, server);
    return server;
  }

  /** A session belongs to the scope that it was opened with. */
  async #known(id: string, request: Request): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.scopeKey !== this.#host.scopeKey(request)) {
      return Response.json(
        { jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null },
        { status: 404 },
      );
    }
    this.#touch(id, session);
    const response = await session.transport.handleRequest(request);
    session.open++;
    return counted(session.server, response, () => session.open--);
  }

  async #open(request: Request): Promise<Response> {
    const server = await this.#host.connect({ era: "legacy", requestInfo: request });
    const scopeKey = this.#host.scopeKey(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#touch(id, { transport, scopeKey, server, timer: undefined, open: 0 });
      },
      onsessionclosed: (id) => this.#drop(id),
      eventStore: this.#events.of(server),
      retryInterval: RETRY_MS,
      ...this.#bound,
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // Only an `initialize` opens a session.
    if (transport.sessionId === undefined) void server.close();
    return response;
  }

  /** Notes the use of a session: the one that was used the longest ago goes first. */
  #touch(id: string, session: Session): void {
    this.#sessions.set(id, session);
    clearTimeout(session.timer);
    session.timer = setTimeout(() => (session.open > 0 ? this.#touch(id, session) : this.#drop(id)), IDLE_MS);
    (session.timer as { unref?: () => void }).unref?.();
  }

  #drop(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session !== undefined) this.#end(session);
  }

  #end({ timer, server }: Session): void {
    clearTimeout(timer);
    this.#events.drop(server);
    void server.close();
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
    const held = await this.#host.follow(again(body), uris);
    // A stream for a resource that nobody has stays silent.
    (message as Listen).params.notifications.resourceSubscriptions = [...held.keys()];
    return { sent: again(JSON.stringify(message)), end: () => held.forEach((end) => end()) };
  }
}

/** A request that names resources. */
interface Listen {
  params: { notifications: { resourceSubscriptions: string[] } };
}

/** The resources that a `subscriptions/listen` request names. */
export function urisIn(message: unknown): string[] {
  const { params } = Object(message) as { params?: unknown };
  const { notifications } = Object(params) as { notifications?: unknown };
  const { resourceSubscriptions: uris } = Object(notifications) as { resourceSubscriptions?: unknown };
  const texts = Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === "string") : [];
  return texts.slice(0, MOST_URIS);
}
