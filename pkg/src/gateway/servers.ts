/** The servers behind a gateway, and the catalog of what they have after the trust policy. */

import type { ClientCapabilities, Notification } from "@modelcontextprotocol/client";
import { type Job, keptWords } from "../mcp/background.js";
import { joinedWords, withPacks } from "../mcp/packs.js";
import { within } from "../mcp/wait.js";
import { distance } from "../checks.js";
import type { Plan } from "../servers/plans.js";
import type { ServerTools } from "../doorway/types.js";
import { ToolSiftError } from "../errors.js";
import type { ToolSift } from "../sift.js";
import { readable } from "../suspicious/hidden.js";
import { foreign } from "../suspicious/foreign.js";
import { inspect } from "../suspicious/inspect.js";
import { spelling } from "../suspicious/spellings.js";
import type { WordsStatus } from "../types.js";
import { aside, reasonOf } from "../values.js";
import { Catalog, type View } from "./catalog.js";
import type { ListKind } from "./clients.js";
import { Directory } from "./directory.js";
import { isForFewer, Kept } from "./kept.js";
import type { Rules, Settings } from "./options.js";
import type { Definitions, GatewayEvent, Review, ServerStatus, ServerTool } from "./types.js";
import { type ServerRequest, Upstream, type UpstreamHost } from "./upstream.js";

/** How long lists and searches wait in all for a server that was never listed before. What comes later is announced. */
const PATIENCE_MS = 5_000;

/** How servers that are not known yet are waited for. */
export interface Waiting {
  /** Milliseconds in all, from when somebody first waited for a server. */
  ms?: number;
  signal?: AbortSignal;
  /** Whether what is known already will do. */
  isEnough?: () => boolean;
}

/** What is read and repeated of a name that is none, and the hits among which the meant one may be. */
const NAME_CHARS = 80;
const NEAR = 5;

/** Who hears of servers. */
export interface Listener {
  capabilities(): ClientCapabilities;
  ask(upstream: Upstream, request: ServerRequest, signal: AbortSignal): Promise<unknown>;
  notified(upstream: Upstream, notification: Notification): void;
  /** A list of some server has changed. */
  changed(kind: ListKind): void;
  /** A server runs now. */
  started(upstream: Upstream): void;
}

/** The servers. */
export class Servers implements UpstreamHost {
  readonly version: string;
  readonly startTimeoutMs: number;
  readonly idleMs: number;
  readonly isStateless: boolean;
  readonly transport: UpstreamHost["transport"];
  readonly catalog: Catalog;
  #upstreams: readonly Upstream[];
  readonly settings: Settings;
  readonly #listener: Listener;
  readonly #kept: Kept;
  readonly #held = new Map<string, Review["held"]>();
  /** By server, which tools the host was told to look at. */
  readonly #looks = new Map<string, string>();
  readonly #rejected = new Map<string, ServerStatus["rejected"]>();
  readonly #words = new Map<string, WordsStatus>();
  /** By server, what ends the writing of words for its list. */
  readonly #writing = new Map<string, AbortController>();
  readonly #told = new Map<string, string>();
  readonly #lists = new Map<Upstream, string>();
  /** The servers whose tools are in the catalog: from listing them to there, review and packs take their time. */
  readonly #taken = new WeakSet<Upstream>();
  #warmed: Promise<void>;
  #directory: Directory | undefined;
  /** Since when servers are waited for, with what clients could do then: one that hangs is waited for once. */
  readonly #awaited = new Map<Upstream, number>();
  #awaitedFor = "";
  #isSettled = false;
  #isClosed = false;

  constructor(sift: ToolSift, settings: Settings, version: string, listener: Listener) {
    this.settings = settings;
    this.version = version;
    this.startTimeoutMs = settings.startTimeoutMs;
    this.idleMs = settings.idleMs;
    this.isStateless = settings.stateless;
    this.transport = settings.transport;
    this.catalog = new Catalog(sift, settings, (name) => {
      return this.upstreams.some((upstream) => spelling(upstream.name) === spelling(name));
    });
    this.#listener = listener;
    this.#kept = new Kept(settings.cache, (message) => this.problem(message));
    this.#upstreams = settings.plans.map((plan) => new Upstream(plan, this));
    this.#warmed = this.#warm(this.#upstreams);
  }

  /** In the order of the configuration. */
  get upstreams(): readonly Upstream[] {
    return this.#upstreams;
  }

  /**
   * Waits until every server is known, from this process or an earlier one, or has failed; but not for long. A server that
   * was listed for clients which can do less than those of now is listed again.
   *
   * @throws what the signal was aborted with
   */
  async ready({ ms = PATIENCE_MS, signal, isEnough = () => false }: Waiting = {}): Promise<void> {
    await this.#warmed;
    const able = Object.keys(this.capabilities());
    if (able.join() !== this.#awaitedFor) this.#awaited.clear();
    this.#awaitedFor = able.join();
    const unknown = this.upstreams.filter((upstream) => {
      const { definitions, running } = upstream;
      if (definitions === undefined || !this.#taken.has(upstream)) return true;
      return running === undefined && isForFewer(definitions, able);
    });
    // Where nothing may outlive the request that began it, what is begun is waited for.
    if (this.isStateless && isEnough()) return;
    const isDone = () => !this.isStateless && isEnough();
    const now = Date.now();
    const attempts = unknown.map((upstream) => [upstream, upstream.learned().catch(() => {})] as const);
    const awaited = attempts.flatMap(([upstream, attempt]) => {
      const since = this.isStateless ? now : (this.#awaited.get(upstream) ?? now);
      this.#awaited.set(upstream, since);
      const left = since + ms - now;
      return left > 0 ? { attempt, left } : [];
    });
    if (isDone()) return;
    if (awaited.length === 0) return this.#settle();
    const known = new Promise<void>((resolve) => {
      let missing = awaited.length;
      for (const { attempt } of awaited) void attempt.then(() => (--missing === 0 || isDone()) && resolve());
    });
    const longest = Math.max(...awaited.map(({ left }) => left));
    await within({ what: "listing the servers", ms: longest, signal }, () => known).catch(() => signal?.throwIfAborted());
    this.#settle();
  }

  /** Until somebody sees them, names go by the order of the configuration, and not by which server was faster. */
  #settle(): void {
    if (this.#isSettled || this.#isClosed) return;
    this.#isSettled = true;
    this.catalog.reorder(this.upstreams.map(({ name }) => name));
  }

  /** Whether a server is being connected for the first time: its tools are not in the catalog yet. */
  isStarting(upstream: Upstream): boolean {
    return upstream.state === "starting" && !this.#taken.has(upstream);
  }

  /** Waits until what was kept of the servers was read. */
  remembered(): Promise<void> {
    return this.#warmed;
  }

  /** Takes what was kept of servers, and begins to connect where everything is to be connected at once. */
  async #warm(upstreams: readonly Upstream[]): Promise<void> {
    const kept = await Promise.all(upstreams.map(({ name }) => this.#kept.read(name)));
    // In the order of the configuration: it decides which of two tools of one name keeps it.
    for (const [at, definitions] of kept.entries()) {
      const upstream = upstreams[at]!;
      if (definitions === undefined) continue;
      upstream.remember(definitions);
      await this.#take(upstream, definitions);
    }
    if (this.settings.eager) for (const upstream of upstreams) void upstream.learned().catch(() => {});
  }

  /** Takes another configuration: servers that stand in it as before go on, the others are ended or begun. */
  async replan(plans: readonly Plan[], rules: Rules | undefined): Promise<void> {
    await this.#warmed;
    if (this.#isClosed) throw new ToolSiftError("disposed", "the gateway was closed");
    if (rules !== undefined) this.catalog.rules = rules;
    const before = new Map(this.#upstreams.map((upstream) => [upstream.name, upstream]));
    const after = plans.map((plan) => {
      const known = before.get(plan.name);
      return known !== undefined && isSame(known.plan, plan) ? known : new Upstream(plan, this);
    });
    this.#upstreams = after;
    this.#directory = undefined;
    const gone = [...before.values()].filter((upstream) => !after.includes(upstream));
    for (const { name } of gone) {
      this.#held.delete(name);
      this.#looks.delete(name);
      this.#rejected.delete(name);
      this.#told.delete(name);
      this.#words.delete(name);
      this.catalog.drop(name);
    }
    this.#warmed = this.#warm(after.filter((upstream) => before.get(upstream.name) !== upstream));
    if (rules !== undefined) await this.reviewAgain();
    await Promise.all([this.ready(), ...gone.map((upstream) => upstream.close())]);
    for (const kind of ["tools", "prompts", "resources"] as const) this.#listener.changed(kind);
  }

  /** Prompts, resources and templates of all servers. */
  get directory(): Directory {
    this.#directory ??= new Directory(this.upstreams);
    return this.#directory;
  }

  named(name: string): Upstream | undefined {
    return this.upstreams.find((upstream) => upstream.name === name);
  }

  /** The servers that a client knows of. */
  seenBy(view: View): Upstream[] {
    return this.upstreams.filter(({ name }) => sees(view, name));
  }

  /** Why the trust policy holds a tool back; undefined where it does not. */
  heldReason(server: string, tool: string): string | undefined {
    return this.#held.get(server)?.find(({ name }) => name === tool)?.reason;
  }

  /** What to tell a client of a name that it cannot call. */
  whyNot(view: View, name: string): string {
    for (const { name: server } of this.seenBy(view)) {
      const own = name.startsWith(`${server}__`) ? name.slice(server.length + 2) : name;
      const reason = this.heldReason(server, own);
      if (reason !== undefined) return `${own} of ${server} was not called; it is held back: ${reason}`;
    }
    const words = name.slice(0, NAME_CHARS).replace(/[^\p{L}\p{N}]+/gu, " ");
    const { hits } = this.catalog.sift.search(words, { session: view.session.id, limit: NEAR });
    const near = hits.find((hit) => distance(name, hit.name) <= Math.max(2, name.length / 4));
    const meant = near === undefined ? "" : ` Did you mean ${near.name}?`;
    const starting = firstNames(this.seenBy(view).filter((upstream) => this.isStarting(upstream)));
    const later = starting === "" ? "" : ` These servers are still starting: ${starting}.`;
    return `There is no tool ${JSON.stringify(name.slice(0, NAME_CHARS))}.${meant} Search for what you need.${later}`;
  }

  capabilities(): ClientCapabilities {
    return this.#listener.capabilities();
  }

  ask(upstream: Upstream, request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    return this.#listener.ask(upstream, request, signal);
  }

  notified(upstream: Upstream, notification: Notification): void {
    this.#listener.notified(upstream, notification);
  }

  async listed(upstream: Upstream, definitions: Definitions, incomplete: string[]): Promise<void> {
    for (const problem of incomplete) this.problem(`${upstream.name} is listed in part: ${problem}`);
    const lists = JSON.stringify([definitions.prompts, definitions.resources, definitions.resourceTemplates]);
    const before = this.#lists.get(upstream);
    const isChanged = await this.#take(upstream, definitions);
    if (this.named(upstream.name) !== upstream) return;
    this.#directory = undefined;
    this.#lists.set(upstream, lists);
    await this.#kept.write(upstream.name, definitions);
    if (isChanged) this.#listener.changed("tools");
    if (before === lists) return;
    this.#listener.changed("prompts");
    this.#listener.changed("resources");
  }

  /** Puts a server's tools into the catalog. Returns whether it is another one than before. */
  async #take(upstream: Upstream, { tools, prompts, resources, resourceTemplates }: Definitions): Promise<boolean> {
    const { name, plan } = upstream;
    const { admitted, held, away = [] } = await this.#review(name, tools);
    const { packs = this.settings.packs, enrichment } = plan.tools;
    const packed = packs ? await withPacks(admitted, enrichment) : { enrichment, problem: null };
    const kept = await keptWords(this.settings.words, admitted);
    // It may have been removed meanwhile.
    if (this.#isClosed || this.named(name) !== upstream) return false;
    if (packed.problem !== null) this.problem(`the packs for ${name} are left out: ${packed.problem}`);
    this.#held.set(name, held);
    const waiting = [...away, ...held.map((tool) => tool.name)];
    const known = joinedWords(packed.enrichment, kept);
    const sync = (words: typeof kept) =>
      this.catalog.sync(name, admitted, waiting, { ...plan.tools, enrichment: joinedWords(known, words) } as ServerTools);
    const { isChanged, rejected, stale } = sync([]);
    this.#write(upstream, admitted, known, (words, status) => {
      if (words.length > 0) sync(words);
      this.#words.set(name, { ...status, kept: kept.length });
      this.event({ type: "words", server: name, words: { ...status, kept: kept.length } });
    });
    this.#rejected.set(name, rejected);
    this.#taken.add(upstream);
    if (stale.length > 0) this.problem(staleText(name, stale));
    this.#tellOf(name, admitted, held, [...prompts, ...resources, ...resourceTemplates]);
    return isChanged;
  }

  /** Has the words of a server's tools written, if that is wanted. What was begun for an earlier list ends. */
  #write(upstream: Upstream, tools: readonly ServerTool[], enrichment: Job["enrichment"], told: Job["told"]): void {
    this.#writing.get(upstream.name)?.abort();
    const writing = new AbortController();
    this.#writing.set(upstream.name, writing);
    const isHere = () => !this.#isClosed && this.named(upstream.name) === upstream;
    this.settings.words?.write({
      server: upstream.name,
      tools,
      enrichment,
      signal: writing.signal,
      told: (words, status) => isHere() && told(words, status),
    });
  }

  /** Tells what of a server a person should look at, when it is other than before. */
  #tellOf(server: string, admitted: readonly ServerTool[], held: Review["held"], others: readonly object[]): void {
    const flagged = [...admitted, ...others.map(asTool)].filter((one) => inspect(one).length > 0);
    const waits = held.length === 0 ? [] : [`held back: ${firstNames(held)}`];
    const odd = flagged.length === 0 ? [] : [`suspicious texts in ${firstNames(flagged)}`];
    const text = [...waits, ...odd].join("; ");
    const what = admitted.length + held.length > 0 ? "tools" : "lists";
    if (text !== "" && text !== this.#looks.get(server)) this.problem(`look at the ${what} of ${server}: ${text}`);
    this.#looks.set(server, text);
  }

  /** A policy that fails admits nothing: a definition that nobody has looked at must not be used. */
  async #review(server: string, tools: readonly ServerTool[]): Promise<Review> {
    const { trust } = this.settings;
    if (trust === undefined) return { admitted: [...tools], held: [] };
    try {
      const { admitted, held, away = [] } = await trust.review(server, tools);
      const isTool = (tool: unknown) => typeof (Object(tool) as { name?: unknown }).name === "string";
      if (![...admitted].every(isTool) || ![...held].every(isTool))
        throw new Error("the policy admits or holds what has no name");
      return {
        admitted: [...admitted],
        held: held.map(({ name, reason }) => ({ name, reason: String(reason) })),
        away: away.map(String),
      };
    } catch (error) {
      const reason = `it cannot be reviewed: ${reasonOf(error)}`;
      this.problem(`the tools of ${server} are held back: ${reason}`);
      return { admitted: [], held: tools.map(({ name }) => ({ name, reason })) };
    }
  }

  /** Reviews the known tools again, after the host has approved some. */
  async reviewAgain(): Promise<void> {
    for (const upstream of this.upstreams) {
      const { definitions } = upstream;
      if (definitions !== undefined && (await this.#take(upstream, definitions))) this.#listener.changed("tools");
    }
  }

  changed(upstream: Upstream): void {
    const { name, state, error } = upstream;
    this.event({ type: "server", server: name, state, ...(error !== undefined && { error }) });
    if (error === undefined) this.#told.delete(name);
    else if (this.#told.get(name) !== error) {
      this.#told.set(name, error);
      this.problem(`${name} is not available: ${error}`);
    }
    if (state === "running") this.#listener.started(upstream);
  }

  /** How the servers stand. */
  status(): ServerStatus[] {
    return this.upstreams.map(({ name, state, error }) => ({
      name,
      state,
      tools: this.catalog.count(name),
      held: this.#held.get(name) ?? [],
      rejected: this.#rejected.get(name) ?? [],
      ...(this.#words.has(name) && { words: this.#words.get(name)! }),
      ...(error !== undefined && { error }),
    }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const writing of this.#writing.values()) writing.abort();
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
    this.catalog.sift.dispose();
  }

  /** A listener that fails must not end a call, and neither must one that is told of a problem. */
  event(event: GatewayEvent): void {
    aside(() => this.settings.onEvent?.(event));
  }

  problem(message: string): void {
    // It may hold what a server wrote.
    aside(() => this.settings.onProblem?.(readable(message)));
  }
}

/** A prompt or a resource in the form in which tools are inspected. */
function asTool(entry: object): ServerTool {
  const { name, uri, uriTemplate, title, description, _meta, ...rest } = entry as Record<string, unknown>;
  const texts = { ...(typeof title === "string" && { title }), ...(typeof description === "string" && { description }) };
  return { name: String(name ?? uri ?? uriTemplate), ...texts, inputSchema: [rest, uri, uriTemplate] };
}

/** Whether two plans reach a server in the same way, and register its tools alike. */
function isSame(one: Plan, other: Plan): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Tools that are named in a problem. */
const NAMED = 3;

function staleText(server: string, stale: readonly string[]): string {
  const names = firstNames(stale.map((name) => ({ name })));
  return `the enrichment of ${stale.length} tools of ${server} was written from other definitions and is ignored: ${names}`;
}

/** The first names of a list, for people. */
function firstNames(tools: readonly { name: string }[]): string {
  const names = tools.slice(0, NAMED).map(({ name }) => foreign(name, NAME_CHARS, "line"));
  return names.join(", ") + (tools.length > NAMED ? `, … ${tools.length - NAMED} more` : "");
}

/** Whether a client knows of a server: of some of its tools at least. */
export function sees({ scope }: View, server: string): boolean {
  if (seesWhole({ scope }, server)) return true;
  return scope !== "all" && (scope.tools ?? []).some((tool) => tool.startsWith(`${server}:`));
}

/** Whether everything of a server is in a client's scope: prompts, resources and logs are not told apart by tools. */
export function seesWhole({ scope }: Pick<View, "scope">, server: string): boolean {
  if (scope === "all") return true;
  return (scope.servers ?? []).includes(server) || (scope.tools ?? []).includes(`${server}:*`);
}
