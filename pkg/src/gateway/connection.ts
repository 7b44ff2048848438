/** One connected client of the gateway: an MCP server of the SDK that answers the requests, or passes them to servers. */

import {
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type ResourceContents,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Session } from "../core/session.js";
import { ANYTHING } from "../upstream/list.js";
import { seesWhole, type View } from "./catalog.js";
import type { ListKind } from "../upstream/follow.js";
import type { Peer } from "./clients.js";
import { isContent, skillOf } from "../skills/entry.js";
import { ofServer, prefixed } from "./directory.js";
import type { Hub } from "./hub.js";
import { Outbox } from "./outbox.js";
import type { ServerRequest, Upstream } from "./upstream.js";
import { extensionIn, hasDirectories } from "../skills/extension.js";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
/** The time limit of a server's question, in ms. It is long because people answer some questions. */
const QUESTION_MS = 600_000;
/** The pause after which a new conversation is assumed, in ms: within a conversation, a model searches sooner. */
const QUIET_MS = 60_000;
const MOST_FOLLOWED = 1_000;

/** Registers the handler of a request for which the SDK has no types. */
type Handling = (
  method: string,
  schemas: { params: typeof ANYTHING },
  handler: (params: Record<string, unknown>, context: ServerContext) => Promise<unknown>,
) => void;

/** The caching hints that the newer protocol (without `initialize`) requires: no caching, because files may change. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

/** A connected client. */
export class Connection implements Peer {
  readonly id = crypto.randomUUID();
  readonly server: Server;
  readonly era: McpRequestContext["era"];
  readonly outbox: Outbox;
  readonly #scope: View["scope"];
  #session: Session | undefined;
  #usedAt = 0;
  readonly #hub: Hub;
  /** The functions that stop following a resource, by URI. */
  readonly #followed = new Map<string, () => void>();
  /** True while an inactive client follows no resources at the servers. */
  #isResting = false;
  /** A key of each list's content when the client read it, to notice changes. */
  readonly #read = new Map<ListKind, string>();
  #level = 0;
  #isClosed = false;

  constructor(hub: Hub, era: McpRequestContext["era"], view: View) {
    this.#hub = hub;
    this.era = era;
    this.#scope = view.scope;
    const instructions = hub.lists.instructions(view);
    const capabilities = hub.lists.capabilities();
    this.server = new Server(
      { name: "toolsift", title: "toolsift", version: hub.servers.version },
      {
        capabilities,
        ...(instructions !== "" && { instructions }),
        cacheHints: { "tools/list": { ttlMs: 60_000, cacheScope: "private" } },
      },
    );
    this.outbox = new Outbox(this.server);
    this.server.onclose = () => {
      this.#isClosed = true;
      for (const release of this.#followed.values()) release();
      this.#followed.clear();
      this.#closeSession();
      hub.closed(this);
    };
    // An error outside of a request concerns a client that is disconnected.
    this.server.onerror = () => {};
    this.#handleTools();
    if (capabilities.prompts !== undefined) this.#handlePrompts();
    if (capabilities.resources !== undefined) this.#handleResources();
    if (capabilities.extensions !== undefined) this.#handleSkills();
    if (capabilities.completions !== undefined) this.#handleCompletions();
    if (era === "legacy") this.#handleOlder(capabilities);
  }

  /** Returns the client's view. If the shared view was closed because it was not used, it is opened again. */
  get view(): View {
    return this.#hub.servers.catalog.view(this.#scope);
  }

  /**
   * Returns the core's session of the client's current conversation. After a pause the client may have a new conversation,
   * in which a repeated search starts with the first matches again. So the session is replaced; it is also replaced after
   * its eviction.
   */
  get session(): Session {
    const now = performance.now();
    if (now - this.#usedAt > QUIET_MS) this.#closeSession();
    this.#usedAt = now;
    if (this.#session?.isOpen !== true) this.#session = this.#hub.servers.catalog.open(this.#scope);
    return this.#session;
  }

  #closeSession(): void {
    if (this.#session?.isOpen) this.#session.close();
    this.#session = undefined;
  }

  get capabilities(): Record<string, unknown> {
    return { ...this.server.getClientCapabilities() };
  }

  /** True while a server works on a request of the client, whether or not the client has an open stream. */
  get isCalling(): boolean {
    return this.#hub.forwarder.isCalling(this);
  }

  /** Stops following the client's resources at the servers: an inactive client may be gone. */
  rest(): void {
    this.#isResting = true;
    for (const [uri, release] of this.#followed) {
      release();
      this.#followed.set(uri, () => {});
    }
  }

  /** Follows the resources again, and reports each as updated, because it may have changed in between. */
  resume(): void {
    if (!this.#isResting) return;
    this.#isResting = false;
    for (const uri of this.#followed.keys()) {
      const again = async () => {
        const release = await this.#hub.notices.subscribe(this.view, uri);
        if (this.#isClosed || this.#isResting || !this.#followed.has(uri)) return release();
        this.#followed.set(uri, release);
        this.updated(uri);
      };
      again().catch(() => {});
    }
  }

  async push({ method, params }: ServerRequest, signal: AbortSignal): Promise<unknown> {
    const options = { signal, timeout: QUESTION_MS };
    if (method === "roots/list") return this.server.listRoots(undefined, options);
    if (method === "elicitation/create") return this.server.elicitInput(params as never, options);
    return this.server.createMessage(params as never, options);
  }

  changed(kind: ListKind): void {
    const read = this.#read.get(kind);
    if (read === undefined || (kind === "tools" && read === this.#hub.lists.toolsKey(this.view))) return;
    this.notify(`notifications/${kind}/list_changed`);
  }

  updated(uri: string): void {
    if (this.era === "modern" || this.#followed.has(uri)) this.notify("notifications/resources/updated", { uri });
  }

  log(params: { level: string; logger: string; data: unknown }): void {
    if (this.era === "legacy" && LEVELS.indexOf(params.level) >= this.#level) this.notify("notifications/message", params);
  }

  notify(method: string, params?: object): void {
    this.outbox.send(params ?? method, () => this.server.notification({ method, ...(params && { params }) } as never));
  }

  #ready({ mcpReq: { signal } }: ServerContext, isEnough = () => false): Promise<void> {
    return this.#hub.servers.ready({ signal, isEnough });
  }

  #handleTools(): void {
    const { lists, calls } = this.#hub;
    this.server.setRequestHandler("tools/list", async (_, context) => {
      await this.#ready(context, () => lists.isSettled(this.view));
      this.#read.set("tools", lists.toolsKey(this.view));
      const tools = lists.tools(this.view);
      void lists.tell(this.view, tools);
      return { tools };
    });
    this.server.setRequestHandler("tools/call", async ({ params }, context) => {
      await this.#ready(context, () => calls.isKnown(this, params));
      return calls.tool(this, params, context) as Promise<CallToolResult | InputRequiredResult>;
    });
  }

  /** Answers requests for a list. A client that has read a list gets notices of its changes. */
  #handleLists(...lists: [method: "prompts/list" | "resources/list" | "resources/templates/list", key: string][]): void {
    for (const [method, key] of lists) {
      const kind = method === "prompts/list" ? "prompts" : "resources";
      this.server.setRequestHandler(method, async (_: unknown, context: ServerContext) => {
        await this.#ready(context);
        this.#read.set(kind, "read");
        return { [key]: this.#hub.lists.entries(this.view, key as "prompts") } as never;
      });
    }
  }

  #handlePrompts(): void {
    this.#handleLists(["prompts/list", "prompts"]);
    this.server.setRequestHandler("prompts/get", async ({ params }, context) => {
      await this.#ready(context);
      const prompt = this.#visible(this.#hub.servers.directory.prompts.get(params.name), "prompt", params.name);
      const request = { method: "prompts/get", params: { ...params, name: prompt.own } };
      return this.#hub.forwarder.forward(this, prompt.upstream, request, context) as never;
    });
  }

  #handleResources(): void {
    this.#handleLists(["resources/list", "resources"], ["resources/templates/list", "resourceTemplates"]);
    this.server.setRequestHandler("resources/read", async ({ params }, context) => {
      await this.#ready(context);
      return this.#readResource(params, context) as never;
    });
  }

  /** Registers the handlers of the extension for skills, for both protocols. */
  #handleSkills(): void {
    const { lists, servers } = this.#hub;
    const handle = this.server.setRequestHandler.bind(this.server) as unknown as Handling;
    const schemas = { params: ANYTHING };
    handle("skills/list", schemas, async (_, context) => {
      await this.#ready(context);
      this.#read.set("resources", "read");
      return { ...UNCACHED, skills: lists.entries(this.view, "skills") };
    });
    handle("skills/get", schemas, async ({ uri: given }, context) => {
      await this.#ready(context);
      const uri = String(given);
      const listed = servers.directory.skills.get(uri);
      if (listed === undefined) return this.#unlistedSkill(uri, context);
      return { ...UNCACHED, skill: this.#visible(listed, "skill", uri).shown };
    });
    handle("resources/directory/read", schemas, async ({ uri: given, ...params }, context) => {
      await this.#ready(context);
      const uri = String(given);
      const isListing = (upstream: Upstream) => hasDirectories(extensionIn(upstream.definitions?.capabilities));
      return this.#asked(
        { method: "resources/directory/read", params },
        { what: "folder", uri, context },
        isListing,
        (answer, owner) => {
          const { resources } = answer as { resources?: unknown };
          if (!Array.isArray(resources)) return answer;
          const isPrefixed = owner.uri !== uri;
          const shown = (resources as unknown[]).flatMap((one) => {
            const { uri: own } = Object(one) as { uri?: unknown };
            if (typeof own !== "string" || servers.directory.isQuarantined(owner.upstream, own)) return [];
            return { ...(one as object), uri: isPrefixed ? prefixed(owner.upstream, own) : own };
          });
          return { ...UNCACHED, ...answer, resources: shown };
        },
      );
    });
  }

  /** Answers with a skill that is in no list, under the same trust policy as listed skills. */
  #unlistedSkill(uri: string, context: ServerContext): Promise<unknown> {
    const has = ({ definitions }: Upstream) => extensionIn(definitions?.capabilities) !== undefined;
    return this.#asked({ method: "skills/get", params: {} }, { what: "skill", uri, context }, has, async (answer, owner) => {
      const read = skillOf((answer as { skill?: unknown }).skill);
      if ("problem" in read || read.skill.uri !== owner.uri) {
        const problem = "problem" in read ? read.problem : "it is another one";
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          `the skill that ${owner.upstream.name} sent is refused: ${problem}`,
        );
      }
      const reason = await this.#hub.servers.admission.unlistedReason(owner.upstream.name, read.skill);
      if (reason !== undefined) throw missing("skill", `${uri}; it is quarantined: ${reason}`);
      if (owner.uri === uri) return { ...UNCACHED, skill: read.skill };
      return { ...UNCACHED, skill: this.#hub.servers.directory.prefixedSkill(owner.upstream, read.skill) };
    });
  }

  #handleCompletions(): void {
    const { forwarder, servers } = this.#hub;
    this.server.setRequestHandler("completion/complete", async ({ params }, context) => {
      await this.#ready(context);
      const { ref } = params;
      const { prompts, resourceTemplates: templates } = servers.directory;
      const isPrompt = ref.type === "ref/prompt";
      const target = isPrompt
        ? this.#visible(prompts.get(ref.name), "prompt", ref.name)
        : this.#visible(templates.get(ref.uri), "template", ref.uri);
      const own = isPrompt ? { ...ref, name: target.own } : { ...ref, uri: target.own };
      const request = { method: "completion/complete", params: { ...params, ref: own } };
      return forwarder.forward(this, target.upstream, request, context) as never;
    });
  }

  /** Registers the requests of the older protocol (with `initialize`). The newer one has streams and `_meta` instead. */
  #handleOlder({ resources, logging }: ServerCapabilities): void {
    const { notices } = this.#hub;
    this.server.oninitialized = () => this.#hub.opened(this);
    this.server.setNotificationHandler("notifications/roots/list_changed", () => notices.rootsChanged());
    if (resources !== undefined) {
      this.server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
        if (this.#followed.size >= MOST_FOLLOWED) {
          throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `at most ${MOST_FOLLOWED} resources can be followed`);
        }
        if (this.#followed.has(uri)) return {};
        const release = await notices.subscribe(this.view, uri);
        // The client may have sent the request twice, or may be gone.
        this.#followed.get(uri)?.();
        if (this.#isClosed) release();
        else this.#followed.set(uri, release);
        return {};
      });
      this.server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
        this.#followed.get(uri)?.();
        this.#followed.delete(uri);
        return {};
      });
    }
    if (logging === undefined) return;
    this.server.setRequestHandler("logging/setLevel", async ({ params: { level } }) => {
      this.#level = Math.max(0, LEVELS.indexOf(level));
      await notices.setLevel(level);
      return {};
    });
  }

  /** @throws ProtocolError if there is no such entry, or if this client may not see it */
  #visible<T extends { upstream: { name: string } }>(entry: T | undefined, ...what: [what: string, name: string]): T {
    if (entry !== undefined && seesWhole(this.view, entry.upstream.name)) return entry;
    throw missing(...what);
  }

  async #readResource(params: { uri: string }, context: ServerContext): Promise<unknown> {
    const { uri, ...others } = params;
    const request = { method: "resources/read", params: others };
    return this.#asked(request, { what: "resource", uri, context }, undefined, (answer, owner) => {
      const { contents } = answer as { contents?: ResourceContents[] };
      if (!Array.isArray(contents)) return answer;
      this.#checkFile(owner, contents);
      const outward = contents.map((one) => ofServer(owner.upstream, one.uri === owner.uri ? { ...one, uri } : one));
      return { ...answer, contents: outward };
    });
  }

  /** @throws ProtocolError if a skill's file is not the one that its server listed. Then the server's list is read again. */
  #checkFile({ upstream, uri }: Owner, contents: readonly ResourceContents[]): void {
    const files = this.#hub.servers.directory.listedFiles(upstream, uri);
    if (files.every((file) => contents.every((content) => isContent(file, content)))) return;
    upstream.changes.note();
    const reason = `${uri.slice(0, 200)} of ${upstream.name} is not the file that it listed: its digest or its size is another`;
    throw new ProtocolError(ProtocolErrorCode.InternalError, reason);
  }

  /**
   * Asks the servers that may have a URI, one after the other.
   *
   * @param isAsked checks if a server is asked
   * @param read converts a server's answer for the client
   */
  async #asked(
    request: { method: string; params: Record<string, unknown> },
    { what, uri, context }: { what: string; uri: string; context: ServerContext },
    isAsked: ((upstream: Upstream) => boolean) | undefined,
    read: (answer: object, owner: Owner) => unknown,
  ): Promise<unknown> {
    const { servers, forwarder } = this.#hub;
    const isSeen = ({ upstream }: Owner) => seesWhole(this.view, upstream.name) && isAsked?.(upstream) !== false;
    let problem: unknown = missing(what, uri);
    for (const owner of servers.directory.owners(uri).filter(isSeen)) {
      try {
        const params = { ...request.params, uri: owner.uri };
        const answer = await forwarder.forward(this, owner.upstream, { ...request, params }, context);
        // The lists may have been read again during the request.
        if (servers.directory.isQuarantined(owner.upstream, owner.uri)) throw missing(what, uri);
        return await read(Object(answer) as object, owner);
      } catch (error) {
        problem = error;
        if (context.mcpReq.signal.aborted) break;
      }
    }
    throw problem;
  }
}

/** A server that may have a URI, and the URI at that server. */
type Owner = ReturnType<Hub["servers"]["directory"]["owners"]>[number];

const missing = (what: string, name: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no ${what} ${name.slice(0, 200)}`);
