/** One client of the gateway: a server of the SDK whose every request is answered by the gateway or by a server behind it. */

import {
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type ResourceContents,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { View } from "./catalog.js";
import type { Core } from "./core.js";
import type { ServerRequest } from "./upstream.js";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** A client that is connected. */
export class Connection {
  readonly server: Server;
  readonly era: McpRequestContext["era"];
  readonly view: View;
  readonly #core: Core;
  readonly #subscribed = new Set<string>();
  #level = 0;

  constructor(core: Core, { era }: Pick<McpRequestContext, "era">, view: View) {
    this.#core = core;
    this.era = era;
    this.view = view;
    const instructions = core.instructions();
    this.server = new Server(
      { name: "toolsift", title: "toolsift", version: core.version },
      {
        capabilities: core.serverCapabilities(),
        ...(instructions && { instructions }),
        cacheHints: { "tools/list": { ttlMs: 60_000, cacheScope: "private" } },
      },
    );
    this.#handle();
  }

  /** What the client can do. */
  get capabilities(): Record<string, unknown> {
    return { ...this.server.getClientCapabilities() };
  }

  /** Asks the client outside of a call, which only the older protocol can. */
  async push(request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    const { method, params } = request;
    const options = { signal, timeout: 600_000 };
    if (method === "roots/list") return this.server.listRoots(undefined, options);
    if (method === "elicitation/create") return this.server.elicitInput(params as never, options);
    return this.server.createMessage(params as never, options);
  }

  /** Tells the client that a list has changed. */
  changed(kind: "tools" | "prompts" | "resources"): void {
    const send = {
      tools: () => this.server.sendToolListChanged(),
      prompts: () => this.server.sendPromptListChanged(),
      resources: () => this.server.sendResourceListChanged(),
    };
    // A client that has gone needs no news.
    if (this.server.transport !== undefined) void send[kind]().catch(() => {});
  }

  /** Tells the client of a resource that it follows. */
  updated(uri: string): void {
    if (this.era === "legacy" && !this.#subscribed.has(uri)) return;
    void this.server.sendResourceUpdated({ uri }).catch(() => {});
  }

  /** Passes on what a server wrote to its log outside of a call. */
  log(params: { level: string; [key: string]: unknown }): void {
    if (this.era !== "legacy" || LEVELS.indexOf(params.level) < this.#level) return;
    void this.server.sendLoggingMessage(params as never).catch(() => {});
  }

  /** Passes on another notification. */
  notify(method: string, params: unknown): void {
    void this.server.notification({ method, params: params as never }).catch(() => {});
  }

  #handle(): void {
    const { server } = this;
    const core = this.#core;
    server.oninitialized = () => core.opened(this);
    server.onclose = () => core.closed(this);
    server.onerror = () => {};
    server.setRequestHandler("tools/list", async (_, context) => {
      await core.ready(context.mcpReq.signal);
      return { tools: core.toolList(this.view) } as never;
    });
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      await core.ready(context.mcpReq.signal);
      return core.call(this, params, context) as Promise<CallToolResult | InputRequiredResult>;
    });
    server.setRequestHandler("prompts/list", async (_, context) => {
      await core.ready(context.mcpReq.signal);
      return { prompts: core.entries(this.view, "prompts") } as never;
    });
    server.setRequestHandler("prompts/get", async ({ params }, context) => {
      await core.ready(context.mcpReq.signal);
      const prompt = core.directory().prompts.get(params.name);
      if (prompt === undefined || !core.sees(this.view, prompt.upstream)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${JSON.stringify(params.name.slice(0, 80))}`);
      }
      return core.forward(this, prompt.upstream, { method: "prompts/get", params: { ...params, name: prompt.own } }, context) as never;
    });
    server.setRequestHandler("resources/list", async (_, context) => {
      await core.ready(context.mcpReq.signal);
      return { resources: core.entries(this.view, "resources") } as never;
    });
    server.setRequestHandler("resources/templates/list", async (_, context) => {
      await core.ready(context.mcpReq.signal);
      return { resourceTemplates: core.entries(this.view, "templates") } as never;
    });
    server.setRequestHandler("resources/read", async ({ params }, context) => {
      await core.ready(context.mcpReq.signal);
      return this.#read(params, context) as never;
    });
    server.setRequestHandler("completion/complete", async ({ params }, context) => {
      await core.ready(context.mcpReq.signal);
      const { ref } = params;
      const { prompts, templates } = core.directory();
      const target = ref.type === "ref/prompt" ? prompts.get(ref.name) : templates.get(ref.uri);
      if (target === undefined || !core.sees(this.view, target.upstream)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no such prompt or template");
      }
      const own = ref.type === "ref/prompt" ? { ...ref, name: target.own } : { ...ref, uri: target.own };
      return core.forward(this, target.upstream, { method: "completion/complete", params: { ...params, ref: own } }, context) as never;
    });
    if (this.era === "modern") return;
    server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
      await core.subscribe(this.view, uri);
      this.#subscribed.add(uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
      this.#subscribed.delete(uri);
      return {};
    });
    server.setRequestHandler("logging/setLevel", async ({ params: { level } }) => {
      this.#level = Math.max(0, LEVELS.indexOf(level));
      await core.setLevel(level);
      return {};
    });
    server.setNotificationHandler("notifications/roots/list_changed", () => core.rootsChanged());
  }

  /** Servers that may have a resource are asked one after the other. */
  async #read(params: { uri: string }, context: ServerContext): Promise<unknown> {
    const core = this.#core;
    const owners = core.directory().owners(params.uri).filter(({ upstream }) => core.sees(this.view, upstream));
    let problem: unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${params.uri.slice(0, 200)}`);
    for (const { upstream, uri } of owners) {
      try {
        const result = await core.forward(this, upstream, { method: "resources/read", params: { ...params, uri } }, context);
        if (uri === params.uri) return result;
        const { contents } = result as { contents?: ResourceContents[] };
        if (!Array.isArray(contents)) return result;
        const outward = contents.map((one) => ({ ...one, uri: one.uri === uri ? params.uri : one.uri }));
        return { ...(result as object), contents: outward };
      } catch (error) {
        problem = error;
        if (context.mcpReq.signal.aborted) break;
      }
    }
    throw problem;
  }
}
