/** The servers of a gateway, and the catalog of their tools and skills after the trust policy's review. */

import { within } from "../base/wait.js";
import type { Plan } from "../servers/plans.js";
import { ToolSiftError } from "../base/errors.js";
import { mayDownload } from "../upstream/installer.js";
import type { ToolSift } from "../core/sift.js";
import { foreignReason } from "../trust/foreign.js";
import { spelling } from "../trust/names.js";
import { aside } from "../base/values.js";
import { Admission, firstNames } from "./admission.js";
import { Catalog, type View, sees } from "./catalog.js";
import type { ListKind } from "../upstream/follow.js";
import { Directory } from "./directory.js";
import { isForFewer, KeptDefinitions } from "./definition-cache.js";
import type { Rules, GatewaySettings } from "./options.js";
import type { Definitions, GatewayEvent, ServerStatus } from "./types.js";
import { type ServersClients, Upstream, type UpstreamHost } from "./upstream.js";

const PROBLEM_CHARS = 10_000;

/** The time that lists and searches wait for a server that was never listed, in ms. Later changes are announced. */
const LISTING_WAIT_MS = 5_000;

/** How long to wait for servers that are not known yet. */
interface Waiting {
  /** The time limit in ms, counted from the first wait for a server. */
  ms?: number;
  signal?: AbortSignal;
  /** Checks if the servers that have listed their tools are enough. */
  isEnough?: () => boolean;
}

/** The receiver of servers' questions, notifications and changes. */
export interface Listener extends ServersClients {
  /** Called when the list of a server has changed. */
  changed(kind: ListKind): void;
  /** Called when a server has started. */
  started(upstream: Upstream): void;
}

/** The servers of a gateway. */
export class Servers implements UpstreamHost {
  readonly catalog: Catalog;
  readonly admission: Admission;
  #upstreams: readonly Upstream[];
  readonly #kept: KeptDefinitions;
  readonly #lastError = new Map<string, string>();
  readonly #lists = new Map<Upstream, string>();
  /** The time when the wait for each server began. It restarts only when clients with other capabilities connect. */
  readonly #awaited = new Map<Upstream, number>();
  #awaitedFor = "";
  #warmed: Promise<void>;
  #directory: Directory | undefined;
  #isSettled = false;
  #isClosed = false;

  constructor(
    sift: ToolSift,
    readonly settings: GatewaySettings,
    readonly version: string,
    readonly listener: Listener,
  ) {
    this.catalog = new Catalog(sift, settings, (name) => {
      return this.upstreams.some((upstream) => spelling(upstream.name) === spelling(name));
    });
    this.admission = new Admission(this.catalog, settings, this);
    this.#kept = new KeptDefinitions(settings.cache, (message) => this.problem(message));
    this.#upstreams = settings.plans.map((plan) => new Upstream(plan, this));
    this.#warmed = this.#warm(this.#upstreams);
  }

  /** The servers, in the order of the configuration. */
  get upstreams(): readonly Upstream[] {
    return this.#upstreams;
  }

  /**
   * Waits until every server is known, from this process or an earlier one, or has failed, or until the time limit. A server
   * that was listed for clients with fewer capabilities is listed again.
   *
   * @throws the reason of the signal if it is aborted
   */
  async ready(waiting?: Waiting): Promise<void> {
    await this.#warmed;
    if (await this.#known(waiting)) this.#settle();
  }

  /** Waits for the servers. Returns false if the wait ended because of `isEnough`. */
  async #known({ ms = LISTING_WAIT_MS, signal, isEnough = () => false }: Waiting = {}): Promise<boolean> {
    const capabilities = Object.keys(this.listener.capabilities());
    if (capabilities.join() !== this.#awaitedFor) this.#awaited.clear();
    this.#awaitedFor = capabilities.join();
    const unknown = this.upstreams.filter((upstream) => {
      const { definitions, running } = upstream;
      if (definitions === undefined || !this.isTaken(upstream)) return true;
      return running === undefined && isForFewer(definitions, capabilities);
    });
    // In stateless mode nothing may outlive the request, so the lists that were begun are waited for.
    if (this.settings.stateless && isEnough()) return false;
    const isDone = () => !this.settings.stateless && isEnough();
    const now = performance.now();
    const attempts = unknown.map((upstream) => [upstream, upstream.learned().catch(() => {})] as const);
    const awaited = attempts.flatMap(([upstream, attempt]) => {
      const since = this.settings.stateless ? now : (this.#awaited.get(upstream) ?? now);
      this.#awaited.set(upstream, since);
      const left = since + ms - now;
      return left > 0 ? { attempt, left } : [];
    });
    if (isDone()) return false;
    if (awaited.length === 0) return true;
    const known = new Promise<void>((resolve) => {
      let missing = awaited.length;
      for (const { attempt } of awaited) void attempt.then(() => (--missing === 0 || isDone()) && resolve());
    });
    const longest = Math.max(...awaited.map(({ left }) => left));
    await within({ what: "listing the servers", ms: longest, signal }, () => known).catch(() => signal?.throwIfAborted());
    return true;
  }

  /** Assigns the tools' names by the order of the configuration before clients see them: not by the servers' speed. */
  #settle(): void {
    if (this.#isSettled || this.#isClosed) return;
    this.#isSettled = true;
    this.catalog.reorder(this.upstreams.map(({ name }) => name));
  }

  isPresent(upstream: Upstream): boolean {
    return !this.#isClosed && this.named(upstream.name) === upstream;
  }

  isTaken(upstream: Upstream): boolean {
    return this.admission.has(upstream);
  }

  /** Checks if a server is being connected for the first time: then its tools are not in the catalog yet. */
  isStarting(upstream: Upstream): boolean {
    return upstream.state === "starting" && !this.isTaken(upstream);
  }

  remembered(): Promise<void> {
    return this.#warmed;
  }

  /** Reads the stored definitions of servers. With `eager`, it also starts to connect to all servers. */
  async #warm(upstreams: readonly Upstream[]): Promise<void> {
    const kept = await Promise.all(upstreams.map(({ name }) => this.#kept.read(name)));
    // In the order of the configuration, which decides which of two tools with the same name keeps it.
    for (const [at, definitions] of kept.entries()) {
      const upstream = upstreams[at]!;
      if (definitions === undefined) continue;
      upstream.definitions ??= definitions;
      await this.admission.take(upstream, definitions);
    }
    if (this.settings.eager) for (const upstream of upstreams) void upstream.learned().catch(() => {});
  }

  /** Applies a new configuration: unchanged servers continue, the others are stopped or started. */
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
      this.#lastError.delete(name);
      this.admission.drop(name);
    }
    this.#warmed = this.#warm(after.filter((upstream) => before.get(upstream.name) !== upstream));
    if (rules !== undefined) await this.reviewAgain();
    await Promise.all([this.ready(), ...gone.map((upstream) => upstream.close())]);
    for (const kind of ["tools", "prompts", "resources"] as const) this.listener.changed(kind);
  }

  /** The prompts, resources, templates and skills of all servers. */
  get directory(): Directory {
    this.#directory ??= new Directory(this.upstreams, (server) => this.admission.skillsOf(server));
    return this.#directory;
  }

  named(name: string): Upstream | undefined {
    return this.upstreams.find((upstream) => upstream.name === name);
  }

  seenBy(view: View): Upstream[] {
    return this.upstreams.filter(({ name }) => sees(view, name));
  }

  /** Returns the reason why a client finds no tool of a name: as a replacement of the core's answer or an addition to it. */
  whyMissing(view: View, name: string): { instead?: string; beside?: string } {
    for (const { name: server } of this.seenBy(view)) {
      const own = name.startsWith(`${server}__`) ? name.slice(server.length + 2) : name;
      const reason = this.admission.quarantineReason(server, own);
      if (reason !== undefined) return { instead: `${own} of ${server} was not called; it is quarantined: ${reason}` };
    }
    const starting = firstNames(this.seenBy(view).filter((upstream) => this.isStarting(upstream)));
    return starting === "" ? {} : { beside: ` These servers are still starting: ${starting}.` };
  }

  async listed(upstream: Upstream, definitions: Definitions, incomplete: string[]): Promise<void> {
    for (const problem of incomplete) this.problem(`${upstream.name} is listed in part: ${problem}`);
    if (await this.#take(upstream, definitions)) await this.#kept.write(upstream.name, definitions);
  }

  /** Admits a server's lists, and reports changed lists to clients. Returns true if the server is still configured. */
  async #take(upstream: Upstream, definitions: Definitions): Promise<boolean> {
    const before = this.#lists.get(upstream);
    const isChanged = await this.admission.take(upstream, definitions);
    if (this.named(upstream.name) !== upstream) return false;
    this.#directory = undefined;
    const { prompts, resources, resourceTemplates } = definitions;
    const lists = JSON.stringify([prompts, resources, resourceTemplates, this.admission.skillsOf(upstream.name)]);
    this.#lists.set(upstream, lists);
    if (isChanged) this.listener.changed("tools");
    if (before === lists) return true;
    this.listener.changed("prompts");
    this.listener.changed("resources");
    return true;
  }

  async reviewAgain(): Promise<void> {
    for (const upstream of this.upstreams) {
      const { definitions } = upstream;
      if (definitions !== undefined) await this.#take(upstream, definitions);
    }
  }

  changed(upstream: Upstream): void {
    if (this.#isClosed) return;
    const { name, state, error } = upstream;
    this.event({ type: "server", server: name, state, ...(error !== undefined && { error }) });
    if (error === undefined) this.#lastError.delete(name);
    else if (this.#lastError.get(name) !== error) {
      this.#lastError.set(name, error);
      this.problem(`${name} is not available: ${error}`);
    }
    if (state === "running") this.listener.started(upstream);
  }

  status(): ServerStatus[] {
    return this.upstreams.map((upstream) => {
      const { name, state, error, installer } = upstream;
      const tools = this.catalog.count(name);
      const note = this.isStarting(upstream) && installer !== undefined && { note: mayDownload(installer) };
      return { name, state, tools, ...this.admission.status(upstream), ...note, ...(error !== undefined && { error }) };
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.admission.close();
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
    this.catalog.sift.dispose();
  }

  /** Reports an event to your program. An error of its listener must not end a call. */
  event(event: GatewayEvent): void {
    aside(() => this.settings.onEvent?.(event));
  }

  problem(message: string): void {
    // The message may contain text of a server.
    aside(() => this.settings.onProblem?.(foreignReason(message, PROBLEM_CHARS)));
  }
}

/** Checks if two plans connect to a server in the same way and register its tools in the same way. */
function isSame(one: Plan, other: Plan): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
