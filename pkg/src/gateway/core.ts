/** What the gateway knows and does for all its clients: servers, catalog, calls. Clients and transports stand before it. */

import {
  type ClientCapabilities,
  type Notification,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import type { CallToolResult, ServerCapabilities, ServerContext, Tool } from "@modelcontextprotocol/server";
import { within } from "../adapters/mcp/wait.js";
import type { ToolSift } from "../sift.js";
import type { Assembly } from "../types.js";
import { reasonOf } from "../values.js";
import { type Down, descriptions, searchAnswer } from "./answers.js";
import { Call, WaitingCalls } from "./call.js";
import { Catalog, type Entry, type View } from "./catalog.js";
import type { Connection } from "./connection.js";
import { Directory } from "./directory.js";
import { ANYTHING } from "./listing.js";
import type { Settings } from "./options.js";
import { allows, CALLS, callerOf, DESCRIBE, SEARCH, surface } from "./surface.js";
import type { Definitions, GatewayEvent, Review, ServerStatus, ServerTool } from "./types.js";
import { type ServerRequest, Upstream, type UpstreamHost } from "./upstream.js";

/** How long a list waits for servers that were never listed before: clients give up after a minute at most. */
const READY_MS = 25_000;
/** What all instructions together may take. */
const MOST_INSTRUCTIONS = 12_000;
const EVERYTHING: ClientCapabilities = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

/** The gateway without its transports. */
export class Core implements UpstreamHost {
  readonly version: string;
  readonly startTimeoutMs: number;
  readonly idleMs: number;
  readonly transport: UpstreamHost["transport"];
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly #upstreams: Upstream[];
  readonly #connections = new Set<Connection>();
  readonly #calls = new Map<Upstream, Set<Call<unknown>>>();
  readonly #waiting = new WaitingCalls();
  readonly #held = new Map<string, { name: string; reason: string }[]>();
  readonly #rejected = new Map<string, { name: string; message: string }[]>();
  readonly #told = new Map<string, string>();
  readonly #subscriptions = new Set<string>();
  readonly #warmed: Promise<void>;
  #directory: Directory | undefined;
  #ready: Promise<unknown> | undefined;
  #isPublic = false;
  #level: string | undefined;
  readonly #assemblies = new WeakMap<View, { revision: number; assembly: Assembly }>();
  readonly #lists = new Map<Upstream, string>();
  #isClosed = false;
  /** Is told of changes for clients that are connected for one request only. */
  publish: (kind: "tools" | "prompts" | "resources" | { uri: string }) => void = () => {};

  constructor(sift: ToolSift, settings: Settings, version: string) {
    this.settings = settings;
    this.version = version;
    this.startTimeoutMs = settings.startTimeoutMs;
    this.idleMs = settings.idleMs;
    this.transport = settings.transport;
    this.catalog = new Catalog(sift, settings);
    this.#upstreams = settings.plans.map((plan) => new Upstream(plan, this));
    this.#warmed = this.#warm();
  }

  /** Takes what was kept of the servers, and begins to connect where everything is to be connected at once. */
  async #warm(): Promise<void> {
    const { cache } = this.settings;
    const kept = await Promise.all(
      this.#upstreams.map(async ({ name }) => {
        try {
          return await cache?.read(name);
        } catch (error) {
          this.#problem(`what was kept of ${name} cannot be read: ${reasonOf(error)}`);
          return undefined;
        }
      }),
    );
    for (const [at, definitions] of kept.entries()) {
      const upstream = this.#upstreams[at]!;
      if (definitions === undefined) continue;
      upstream.remember(definitions);
      await this.#take(upstream, definitions);
    }
    if (this.settings.eager) for (const upstream of this.#upstreams) void upstream.connected().catch(() => {});
  }

  /** Waits until every server is known, from this process or an earlier one, or has failed; but not for long. */
  async ready(signal?: AbortSignal): Promise<void> {
    await this.#warmed;
    this.#ready ??= Promise.all(
      this.#upstreams.map(async (upstream) => {
        if (upstream.definitions === undefined) await upstream.connected().catch(() => {});
      }),
    );
    const ready = this.#ready;
    await within({ what: "listing the servers", ms: READY_MS, signal }, () => ready).catch(() => signal?.throwIfAborted());
  }

  /** Every request may come from somebody else, who can do whatever the protocol knows. */
  makePublic(): void {
    this.#isPublic = true;
  }

  capabilities(): ClientCapabilities {
    const known = [...this.#connections].map(({ capabilities }) => capabilities);
    if (this.#isPublic || known.length === 0) return EVERYTHING;
    const has = (key: string) => known.some((capabilities) => capabilities[key] !== undefined);
    return Object.fromEntries(Object.entries(EVERYTHING).filter(([key]) => has(key)));
  }

  /** What the gateway can do: what any server can, as far as all are known. */
  serverCapabilities(): ServerCapabilities {
    const isUnknown = this.#upstreams.some(({ definitions }) => definitions === undefined);
    const has = (key: string) => isUnknown || this.#upstreams.some(({ definitions }) => definitions?.capabilities[key] !== undefined);
    return {
      tools: { listChanged: true },
      ...(has("prompts") && { prompts: { listChanged: true } }),
      ...(has("resources") && { resources: { listChanged: true, subscribe: true } }),
      ...(has("completions") && { completions: {} }),
      ...(has("logging") && { logging: {} }),
    };
  }

  /** The servers' own instructions, each marked as its server's. */
  instructions(): string | undefined {
    let left = MOST_INSTRUCTIONS;
    const parts = this.#upstreams.flatMap(({ name, definitions }) => {
      const text = definitions?.instructions?.trim().replace(/<(?=\/?server\b)/gi, "&lt;");
      if (!text || text.length > left) return [];
      left -= text.length;
      return [`<server name=${JSON.stringify(name)}>\n${text}\n</server>`];
    });
    return parts.length === 0 ? undefined : `Instructions of the connected servers, each in its own words:\n\n${parts.join("\n\n")}`;
  }

  opened(connection: Connection): void {
    this.#connections.add(connection);
    void this.ready();
  }

  closed(connection: Connection): void {
    this.#connections.delete(connection);
    for (const calls of this.#calls.values()) {
      for (const call of calls) if (call.owner === connection) call.cancel(new Error("the client has gone"));
    }
    if (connection.view.keeps) connection.view.session.close();
  }

  /** A scope, checked when it is used. */
  view(request: Request | undefined, era: "legacy" | "modern"): View {
    const { scope } = this.settings;
    const inForce = typeof scope === "function" ? scope(request) : scope;
    return this.settings.reveal && era === "legacy" ? this.catalog.ownView(inForce) : this.catalog.view(inForce);
  }

  /** Names a scope: two clients share it only where they see the same. */
  scopeKey(request: Request): string {
    const { scope } = this.settings;
    return JSON.stringify(typeof scope === "function" ? scope(request) : scope);
  }

  directory(): Directory {
    this.#directory ??= new Directory(this.#upstreams);
    return this.#directory;
  }

  /** Whether a client may see something of a server: a tool of it, or the server as a whole. */
  sees({ scope }: View, { name }: Upstream): boolean {
    if (scope === "all") return true;
    return (scope.servers ?? []).includes(name) || (scope.tools ?? []).some((tool) => tool.startsWith(`${name}:`));
  }

  /** A list as one client sees it. */
  entries(view: View, kind: "prompts" | "resources" | "templates"): object[] {
    const entries = [...this.directory()[kind].values()] as { upstream: Upstream; shown: object }[];
    return entries.filter(({ upstream }) => this.sees(view, upstream)).map(({ shown }) => shown);
  }

  /** The tools that a client is sent: all of them where they are few, otherwise the surface. */
  toolList(view: View): Tool[] {
    const assembly = this.#assembly(view);
    const names = assembly.tools.map((tool) => (tool as { name: string }).name);
    const shown = names.filter((_, at) => assembly.roles[at] !== "discovery").flatMap((name) => this.catalog.entry(name) ?? []);
    const tools = shown.map(({ name, tool }) => ({ ...tool, name }) as Tool);
    if (assembly.active) {
      const servers = this.#upstreams.filter((upstream) => this.sees(view, upstream)).map(({ name }) => name);
      tools.unshift(...surface(servers, this.settings.calls));
    }
    const { countTokens = (text: string) => Math.ceil(text.length / 4) } = this.settings.catalog;
    const fullTokens = assembly.size.full.tokens;
    this.#event({ type: "list", tools: tools.length, tokens: countTokens(JSON.stringify(tools)), fullTokens });
    return tools;
  }

  /** What a view is sent; made anew when the catalog has changed, or what the view has revealed. */
  #assembly(view: View): Assembly {
    const { revision } = this.catalog.sift;
    const known = this.#assemblies.get(view);
    if (known?.revision === revision && !view.keeps) return known.assembly;
    const assembly = view.session.assemble({ format: "mcp" });
    this.#assemblies.set(view, { revision, assembly });
    return assembly;
  }

  /** A call of a client: of the surface, or of a tool that it was sent in full. */
  async call(
    connection: Connection,
    params: { name: string; arguments?: Record<string, unknown> | undefined; [key: string]: unknown },
    context: ServerContext,
  ): Promise<unknown> {
    const { view } = connection;
    const waiting = this.#waiting.take(context.mcpReq.requestState());
    if (waiting !== undefined) return this.#round(waiting, context);
    const { name, arguments: args = {} } = params;
    const isActive = this.#assembly(view).active;
    if (!isActive) return this.#dispatch(connection, name, args, params, context);
    const { calls } = this.settings;
    if (name === SEARCH) return this.#search(connection, args);
    if (name === DESCRIBE) {
      const answer = descriptions(this.catalog, (tool) => this.#reachable(view, tool) !== undefined, args["names"], calls);
      this.#event({ type: "describe", names: answer.names });
      return text(answer.text, answer.isError);
    }
    const caller = calls === "one" ? (name === "call_tool" ? "destroy" : undefined) : Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
    if (caller === undefined) return this.#direct(connection, name, args, params, context);
    const { name: wanted, arguments: given = {} } = args;
    if (typeof wanted !== "string") return text("name must be the name of a tool, as search_tools gave it", true);
    const entry = this.#reachable(view, wanted);
    if (entry !== undefined && !allows(caller, entry.effect)) {
      this.#event({ type: "call", server: entry.server, tool: entry.tool.name, ms: 0, outcome: "refused", code: "wrong_caller" });
      return text(`${wanted} was not called: ${name} may not call it. Call it with ${callerOf(entry.effect, calls)}.`, true);
    }
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return text(`arguments must be an object with the parameters of ${wanted.slice(0, 80)}`, true);
    }
    return this.#dispatch(connection, wanted, given as Record<string, unknown>, params, context);
  }

  /** A tool that is listed in full is called by its own name; any other only through the call tools, which a client approves. */
  #direct(connection: Connection, name: string, args: Record<string, unknown>, params: object, context: ServerContext): Promise<unknown> {
    const { view } = connection;
    const { tools } = this.#assembly(view);
    if (tools.some((tool) => (tool as { name: string }).name === name)) return this.#dispatch(connection, name, args, params, context);
    const entry = this.#reachable(view, name);
    if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, this.#unknown(name));
    const caller = callerOf(entry.effect, this.settings.calls);
    return Promise.resolve(text(`${name} was not called: call it with ${caller}, as { "name": ${JSON.stringify(name)}, … }.`, true));
  }

  #search(connection: Connection, args: Record<string, unknown>): CallToolResult {
    const { view } = connection;
    const start = Date.now();
    const answer = searchAnswer(this.catalog, view, args["query"], this.settings.calls, this.#down(view));
    if (!answer.isError) {
      this.#event({
        type: "search",
        query: String(args["query"]),
        found: answer.found,
        shown: answer.shown,
        ms: Date.now() - start,
      });
    }
    if (view.keeps && answer.shown.length > 0) connection.changed("tools");
    return text(answer.text, answer.isError);
  }

  #down(view: View): Down[] {
    return this.#upstreams
      .filter((upstream) => this.sees(view, upstream) && upstream.error !== undefined)
      .map(({ name, error }) => ({ name, reason: error! }));
  }

  /** The tool of a name, if this client may call it. */
  #reachable({ session }: View, name: string): Entry | undefined {
    const outcome = session.call(name, {});
    return outcome.kind === "dispatch" ? this.catalog.entry(name) : undefined;
  }

  #unknown(name: string): string {
    for (const [server, held] of this.#held) {
      const found = held.find((one) => one.name === name || `${server}__${one.name}` === name);
      if (found !== undefined) return `${name} of ${server} is held back: ${found.reason}`;
    }
    return `there is no tool ${JSON.stringify(name.slice(0, 80))}; search for what you need`;
  }

  async #dispatch(
    connection: Connection,
    name: string,
    args: Record<string, unknown>,
    params: object,
    context: ServerContext,
  ): Promise<unknown> {
    const entry = this.#reachable(connection.view, name);
    const upstream = this.#upstreams.find((one) => one.name === entry?.server);
    if (entry === undefined || upstream === undefined) return text(this.#unknown(name), true);
    const start = Date.now();
    const { tool, server } = entry;
    const request = { method: "tools/call", params: { ...params, name: tool.name, arguments: args } };
    try {
      const result = (await this.forward(connection, upstream, request, context, tool)) as CallToolResult;
      const outcome = result.isError === true ? "error" : "ok";
      this.#event({ type: "call", server, tool: tool.name, ms: Date.now() - start, outcome });
      return result;
    } catch (error) {
      this.#event({ type: "call", server, tool: tool.name, ms: Date.now() - start, outcome: "error", code: codeOf(error) });
      if (context.mcpReq.signal.aborted || isProtocolError(error)) throw error;
      return text(reasonOf(error), true);
    }
  }

  /** Passes a request on to a server; what the server asks in between goes to the client. */
  async forward(
    connection: Connection,
    upstream: Upstream,
    { method, params }: { method: string; params: Record<string, unknown> },
    context: ServerContext,
    tool?: ServerTool,
  ): Promise<unknown> {
    const calls = this.#calls.get(upstream) ?? new Set();
    this.#calls.set(upstream, calls);
    const call = new Call<unknown>(connection.era === "legacy" ? connection : {}, context, async (self, signal) => {
      calls.add(self);
      try {
        return await this.#run(upstream, method, params, self, signal, tool);
      } finally {
        calls.delete(self);
      }
    });
    return this.#round(call, context);
  }

  async #round(call: Call<unknown>, context: ServerContext): Promise<unknown> {
    const token = crypto.randomUUID();
    const result = await call.round(context, token);
    if (call.isWaiting) this.#waiting.keep(token, call);
    return result;
  }

  async #run(
    upstream: Upstream,
    method: string,
    params: Record<string, unknown>,
    call: Call<unknown>,
    signal: AbortSignal,
    tool: ServerTool | undefined,
  ): Promise<unknown> {
    const { callTimeoutMs, maxAnswerChars } = this.settings;
    const { _meta, inputResponses } = call.context.mcpReq;
    const state = call.context.mcpReq.requestState<string>();
    const { progressToken, ...meta } = _meta ?? {};
    const { task: _, ...own } = params;
    const sent = {
      ...own,
      _meta: meta,
      ...(inputResponses !== undefined && { inputResponses }),
      ...(typeof state === "string" && { requestState: state }),
    };
    const options = {
      signal,
      timeout: callTimeoutMs,
      resetTimeoutOnProgress: true,
      allowInputRequired: true,
      onprogress: (progress: object) => {
        const token = call.context.mcpReq._meta?.progressToken ?? progressToken;
        if (token === undefined) return;
        const notification = { method: "notifications/progress", params: { ...progress, progressToken: token } };
        void call.context.mcpReq.notify(notification).catch(() => {});
      },
    };
    const result = await upstream.use(async (client) => {
      if (tool !== undefined && this.#isHeld(upstream, tool.name)) throw new Error(this.#unknown(tool.name));
      const made =
        tool === undefined
          ? await client.request({ method, params: sent }, ANYTHING, options)
          : await client.callTool(sent as never, { ...options, toolDefinition: asCalled(tool) as never });
      // The list that a call has changed is the one that the client's next request gets.
      await upstream.settled(signal);
      return made;
    });
    const { length } = JSON.stringify(result) ?? "";
    if (length > maxAnswerChars) {
      throw new Error(`the answer of ${upstream.name} has ${length} characters; at most ${maxAnswerChars} are passed on. Ask for less.`);
    }
    return this.#outward(upstream, result);
  }

  /** Links to resources of a server, under the URIs that clients know them by. */
  #outward(upstream: Upstream, result: unknown): unknown {
    const { content } = Object(result) as { content?: unknown };
    if (!Array.isArray(content)) return result;
    const directory = this.directory();
    const shown = content.map((block) => {
      const { type, uri, resource } = Object(block) as { type?: unknown; uri?: unknown; resource?: { uri?: unknown } };
      if (type === "resource_link" && typeof uri === "string") return { ...block, uri: directory.outward(upstream, uri) };
      if (type === "resource" && typeof resource?.uri === "string") {
        return { ...block, resource: { ...resource, uri: directory.outward(upstream, resource.uri) } };
      }
      return block as unknown;
    });
    return { ...(result as object), content: shown };
  }

  #isHeld({ name }: Upstream, tool: string): boolean {
    return this.#held.get(name)?.some((held) => held.name === tool) ?? false;
  }

  /** A question of a server goes to the client whose call the server works on; where that is not certain, to nobody. */
  async ask(upstream: Upstream, request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    const calls = [...(this.#calls.get(upstream) ?? [])];
    const owners = new Set(calls.map(({ owner }) => owner));
    const [call] = calls;
    if (call !== undefined && owners.size === 1) return call.ask(request, signal);
    if (owners.size > 1) {
      const why = "several clients are calling this server, so it is not certain which of them is asked";
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${request.method} was refused: ${why}`);
    }
    const able = [...this.#connections].filter(({ era }) => era === "legacy");
    const [only] = able;
    if (only !== undefined && able.length === 1 && !this.#isPublic) return only.push(request, signal);
    if (request.method === "roots/list") return { roots: [] };
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${request.method} was refused: no call is in progress`);
  }

  notified(upstream: Upstream, { method, params }: Notification): void {
    if (method === "notifications/message") this.#log(upstream, params as { level: string; logger?: unknown; data?: unknown });
    if (method === "notifications/resources/updated") {
      const uri = this.directory().outward(upstream, String((params as { uri?: unknown } | undefined)?.uri));
      for (const connection of this.#connections) connection.updated(uri);
      this.publish({ uri });
    }
    if (method === "notifications/elicitation/complete") {
      for (const connection of this.#connections) if (connection.era === "legacy") connection.notify(method, params);
    }
  }

  /** A log of a server belongs to the call in progress; outside of calls it goes to every client that keeps a connection. */
  #log(upstream: Upstream, { level, logger, data }: { level: string; logger?: unknown; data?: unknown }): void {
    const name = typeof logger === "string" && logger !== "" ? `${upstream.name}/${logger}` : upstream.name;
    const calls = [...(this.#calls.get(upstream) ?? [])];
    if (new Set(calls.map(({ owner }) => owner)).size === 1) {
      void calls[0]!.context.mcpReq.log(level as never, data, name).catch(() => {});
      return;
    }
    if (calls.length > 0) return;
    for (const connection of this.#connections) connection.log({ level, logger: name, data });
  }

  async setLevel(level: string): Promise<void> {
    this.#level = level;
    await Promise.all(this.#upstreams.map((upstream) => this.#applyLevel(upstream)));
  }

  async #applyLevel({ running }: Upstream): Promise<void> {
    if (running === undefined || this.#level === undefined) return;
    if (running.getProtocolEra() !== "legacy" || running.getServerCapabilities()?.logging === undefined) return;
    await running.setLoggingLevel(this.#level as never).catch(() => {});
  }

  rootsChanged(): void {
    for (const upstream of this.#upstreams) void upstream.notify({ method: "notifications/roots/list_changed" });
  }

  /** Has a resource's server tell of its changes. @throws ProtocolError where nobody has the resource */
  async subscribe(view: View, uri: string): Promise<void> {
    await this.ready();
    const owner = this.directory().owners(uri).find(({ upstream }) => this.sees(view, upstream));
    if (owner === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri.slice(0, 200)}`);
    if (this.#subscriptions.has(uri)) return;
    const { upstream } = owner;
    await upstream.use(async (client) => {
      if (client.getProtocolEra() === "legacy") await client.subscribeResource({ uri: owner.uri });
      else await client.listen({ resourceSubscriptions: [owner.uri] });
    });
    this.#subscriptions.add(uri);
  }

  /** Takes what a server lists now: its tools after the trust policy, the rest as it is. */
  async listed(upstream: Upstream, definitions: Definitions, incomplete: string[]): Promise<void> {
    for (const problem of incomplete) this.#problem(`${upstream.name} is listed in part: ${problem}`);
    const lists = JSON.stringify([definitions.prompts, definitions.resources, definitions.resourceTemplates]);
    const before = this.#lists.get(upstream);
    const isChanged = await this.#take(upstream, definitions);
    this.#directory = undefined;
    this.#lists.set(upstream, lists);
    try {
      await this.settings.cache?.write(upstream.name, definitions);
    } catch (error) {
      this.#problem(`the definitions of ${upstream.name} cannot be kept: ${reasonOf(error)}`);
    }
    if (isChanged) this.#announce("tools");
    if (before === lists) return;
    this.#announce("prompts");
    this.#announce("resources");
  }

  /** Puts a server's tools into the catalog. Returns whether it is another one than before. */
  async #take({ name }: Upstream, { tools }: Definitions): Promise<boolean> {
    const { admitted, held } = await this.#review(name, tools);
    if (this.#isClosed) return false;
    this.#held.set(name, held);
    const { tools: options } = this.settings.plans.find((plan) => plan.name === name)!;
    const { isChanged, rejected } = this.catalog.sync(name, admitted, options);
    this.#rejected.set(name, rejected);
    return isChanged;
  }

  /** A policy that fails admits nothing: a definition that nobody has looked at must not be used. */
  async #review(server: string, tools: readonly ServerTool[]): Promise<Review> {
    const { trust } = this.settings;
    if (trust === undefined) return { admitted: [...tools], held: [] };
    try {
      return await trust.review(server, tools);
    } catch (error) {
      const reason = `it cannot be reviewed: ${reasonOf(error)}`;
      this.#problem(`the tools of ${server} are held back: ${reason}`);
      return { admitted: [], held: tools.map(({ name }) => ({ name, reason })) };
    }
  }

  /** Reviews the known tools again, after the host has approved or refused some. */
  async reviewAgain(): Promise<void> {
    for (const upstream of this.#upstreams) {
      if (upstream.definitions !== undefined && (await this.#take(upstream, upstream.definitions))) this.#announce("tools");
    }
  }

  #announce(kind: "tools" | "prompts" | "resources"): void {
    for (const connection of this.#connections) connection.changed(kind);
    this.publish(kind);
  }

  changed(upstream: Upstream): void {
    const { name, state, error } = upstream;
    this.#event({ type: "server", server: name, state, ...(error !== undefined && { error }) });
    if (error !== undefined && this.#told.get(name) !== error) this.#problem(`${name} is not available: ${error}`);
    if (error === undefined) this.#told.delete(name);
    else this.#told.set(name, error);
    if (state === "running") void this.#applyLevel(upstream);
  }

  /** How the servers stand. */
  status(): ServerStatus[] {
    return this.#upstreams.map(({ name, state, error }) => ({
      name,
      state,
      tools: this.catalog.count(name),
      held: this.#held.get(name) ?? [],
      rejected: this.#rejected.get(name) ?? [],
      ...(error !== undefined && { error }),
    }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting.close();
    const connections = [...this.#connections];
    await Promise.all([...connections.map(({ server }) => server.close().catch(() => {})), ...this.#upstreams.map((one) => one.close())]);
    this.catalog.sift.dispose();
  }

  #event(event: GatewayEvent): void {
    try {
      this.settings.onEvent?.(event);
    } catch {
      // A listener that throws must not end a call.
    }
  }

  #problem(message: string): void {
    try {
      this.settings.onProblem?.(message);
    } catch {
      // Likewise.
    }
  }
}

function text(content: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text: content }], ...(isError && { isError }) };
}

/** For the headers that mirror arguments, the SDK reads the parameters; answers are passed on as they are. */
function asCalled({ name, inputSchema }: ServerTool): object {
  return { name, inputSchema };
}

function isProtocolError(error: unknown): boolean {
  return error instanceof ProtocolError;
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" || typeof code === "number" ? String(code) : "error";
}
