/**
 * One MCP server: connects, lists, follows changes of its lists, calls, reconnects, and ends. The subclasses in the library
 * and the gateway decide how to connect, what to do with the lists, and what to report. Attempts never stop: the pauses
 * between them grow to a minute.
 */

import { ToolSiftError } from "../base/errors.js";
import { reasonOf } from "../base/values.js";
import { later, pause, type Wait, within } from "../base/wait.js";
import type { McpClient, McpRequestOptions } from "../servers/client.js";
import { foreignReason } from "../trust/foreign.js";
import { Attempts } from "./attempts.js";
import { isTooLate, sessionAfter } from "./call.js";
import { Changes } from "./changes.js";
import { ended, forgotten } from "./dialler.js";
import { follow, type ListKind } from "./follow.js";
import { budgetOf, type ListBudget, readIn } from "./list.js";

/** The extra time before a stuck attempt is abandoned, in ms. On Workers an attempt may never end. */
const LOST_MS = 5_000;
const REASON_CHARS = 2_000;

const GONE = () => new Error("its connection has ended");

/** Returns the text of an error, quoted, because it may be the server's text. */
export const reasonFrom = (error: unknown): string => foreignReason(reasonOf(error), REASON_CHARS);

/** The settings for following and retrying a server. */
export interface LinkSettings {
  /** The lists of a server whose changes are followed. */
  kinds: (client: McpClient) => readonly ListKind[];
  /** The time limits for a connection, and for its lists, in ms. */
  connectMs: number;
  listMs: number;
  /** True if a connection must end with the request that opened it. Then each use of the server makes its own connection. */
  isIsolated: boolean;
  /** The pause after the first failure, in ms. If it is set, the server is tried again even if no caller needs it. */
  insistsAfterMs?: number;
}

/** One server. `L` is the type of its lists. */
export abstract class Link<C extends McpClient, L> {
  readonly name: string;
  /** The last error, until a connection succeeds. It may be text of the server. */
  error: string | undefined;
  protected readonly attempts: Attempts;
  protected isEnded = false;
  readonly #settings: LinkSettings;
  #client: C | undefined;
  /** True if the lists of the connection were read: before that, it is not used. */
  #isListed = false;
  /** A connection whose session may be lost, or whose server hangs. The next work gets a new connection, or this one if no new one can be made. */
  #doubted: C | undefined;
  /** Connections that were replaced and are closed soon, when their calls have had time to end. */
  readonly #replaced = new Set<C>();
  protected making: Promise<C> | undefined;
  /** The time after which an unfinished connection attempt is ignored. */
  #givenUp = 0;
  #listing: Promise<unknown> = Promise.resolve();
  #budget = budgetOf(0);
  readonly #running = new Set<Promise<unknown>>();
  /** Schedules when changed lists are read again. */
  readonly changes = new Changes(() => this.relisted());
  #later: ReturnType<typeof setTimeout> | undefined;
  #unfollow = () => {};

  constructor(name: string, settings: LinkSettings) {
    this.name = name;
    this.#settings = settings;
    this.attempts = new Attempts(settings.insistsAfterMs);
  }

  protected abstract get canDial(): boolean;
  /** The number of successive failed attempts after which waiting callers get the error. */
  protected abstract get mostFailures(): number;
  /** True if the earlier lists stay when a new connection cannot be listed. */
  protected abstract get hasLists(): boolean;

  /** Makes a connection. @throws the reason why there is none */
  protected abstract dial(): Promise<C>;
  /** Called with each lasting connection before it is listed. */
  protected attached(_client: C): void {}
  protected abstract read(client: C, budget: ListBudget): Promise<L>;
  /** Handles the lists that were read. Not called if the connection has ended. */
  protected abstract take(lists: L): void | Promise<void>;
  /** Called if the lists could not be read; the earlier lists stay. */
  protected abstract unread(error: unknown): void;
  /** Handles a connection whose lists could not be read, if there are no earlier lists. By default it is closed. */
  protected discard(client: C): void {
    this.drop(client);
    void ended(client);
  }
  protected failed(_error: unknown): void {}
  /** Called after the connection has ended. `isShaky` is true if connections repeatedly ended soon after they were made. */
  protected abstract lost(error: unknown, isShaky: boolean): void;
  /** Called after `mostFailures` failed attempts. */
  protected away(): void {}
  /** Called when an attempt begins or ends, and when the connection ends. */
  protected moved(): void {}
  /** True if the lists are recent enough for an isolated call to skip listing. */
  protected get isFresh(): boolean {
    return true;
  }

  /** The client, if the server is connected and listed. */
  get running(): C | undefined {
    return this.#isListed ? this.#client : undefined;
  }

  /** True if an attempt can help: another connection, or another listing. */
  get #canAttempt(): boolean {
    return this.canDial || this.#client !== undefined;
  }

  /**
   * Returns the connected client. Callers that need a connection at the same time wait for the same one.
   *
   * @throws ToolSiftError `not_currently_available` with the reason why there is none; after failures there is a pause
   *   without attempts
   */
  connected(): Promise<C> {
    const { running } = this;
    if (running !== undefined && (running !== this.#doubted || !this.canDial)) return Promise.resolve(running);
    return this.#shared(() => this.#made());
  }

  /** Connects to the server, unless it is connected, and reads its lists. @throws as `connected` */
  async learned(): Promise<void> {
    if (!this.#settings.isIsolated) return void (await this.connected());
    await this.#shared(async () => {
      const client = await this.#made();
      await ended(client);
      return client;
    });
  }

  /** @param isDue true to make an attempt after any number of failures */
  #shared(make: () => Promise<C>, isDue = false): Promise<C> {
    if (this.making !== undefined && performance.now() < this.#givenUp) return this.making;
    const { left, failures } = this.attempts;
    const isPaused = !isDue && left > 0 && failures >= this.mostFailures;
    if (isPaused || !this.#canAttempt) {
      const again = this.#canAttempt ? `; it is tried again in ${Math.ceil(left / 1_000)} s` : "";
      return Promise.reject(this.#unavailable(again));
    }
    const making = make().finally(() => {
      if (this.making === making) this.making = undefined;
      this.moved();
    });
    this.making = making;
    this.moved();
    return making;
  }

  #unavailable(more: string, cause?: unknown): ToolSiftError {
    return new ToolSiftError("not_currently_available", `${this.name} is not available: ${this.error}${more}`, { cause });
  }

  /** Makes attempts until one succeeds, or until `mostFailures` of them have failed. */
  async #made(): Promise<C> {
    for (;;) {
      const { left } = this.attempts;
      const { connectMs, listMs } = this.#settings;
      this.#givenUp = performance.now() + left + 2 * connectMs + listMs + LOST_MS;
      if (left > 0) await pause(left);
      try {
        return await this.#attempt();
      } catch (error) {
        if (this.isEnded) throw error;
        if (this.attempts.failures < this.mostFailures && this.#canAttempt) continue;
        this.away();
        this.#plan();
        throw error;
      }
    }
  }

  /** Connects, if there is no usable connection, and reads the lists, because a changed tool may have to be quarantined. */
  async #attempt(isListing = true): Promise<C> {
    const before = this.#client;
    let client = before === this.#doubted ? undefined : before;
    try {
      client ??= await this.#dialled();
      if (isListing) await this.#listed(client);
      this.#checkOpen();
      if (!this.#settings.isIsolated && this.#client !== client) throw GONE();
    } catch (error) {
      if (this.isEnded) throw error;
      // If no new connection could be made, the doubted one is used again.
      if (before !== undefined && before === this.#doubted && before === this.running) return before;
      if (client !== undefined && !this.#forgot(client, error)) this.discard(client);
      this.attempts.failed();
      this.error = reasonFrom(error);
      if (isListing) this.failed(error);
      throw this.#unavailable("", error);
    }
    this.#isListed = !this.#settings.isIsolated;
    this.error = undefined;
    this.attempts.succeeded();
    return client;
  }

  async #dialled(): Promise<C> {
    this.#checkOpen();
    const client = await this.dial();
    if (this.isEnded) void ended(client);
    this.#checkOpen();
    if (!this.#settings.isIsolated) this.#attach(client);
    return client;
  }

  #attach(client: C): void {
    const before = this.#client;
    this.drop();
    if (before !== undefined) {
      this.#replaced.add(before);
      void forgotten(before, this.#running).then(() => this.#replaced.delete(before));
    }
    this.#client = client;
    this.#doubted = undefined;
    this.#listing = Promise.resolve();
    this.attached(client);
    const follower = { changed: () => this.changes.note(), gone: () => this.#gone(client) };
    this.#unfollow = follow(client, this.#settings.kinds(client), follower);
    if ("transport" in client && client.transport === undefined) this.#gone(client);
  }

  /** Reads the lists, one reading at a time. Lists of an ended connection are ignored. */
  #list(client: C): Promise<void> {
    const { isIsolated, listMs } = this.#settings;
    const isCurrent = () => !this.isEnded && (isIsolated || client === this.#client);
    const list = async () => {
      if (!isCurrent()) return;
      this.#budget = budgetOf(listMs);
      const lists = await this.read(client, this.#budget);
      if (isCurrent()) await this.take(lists);
    };
    if (isIsolated) return list();
    const listing = this.#listing.then(list);
    this.#listing = listing.catch(() => {});
    return listing;
  }

  async #listed(client: C): Promise<void> {
    try {
      await this.#list(client);
    } catch (error) {
      if (!this.hasLists || this.#isForgotten(client, error)) throw error;
      this.unread(error);
    }
  }

  /** Reads the lists again, and returns their length in characters. Errors are passed to `unread`. */
  protected async relisted(): Promise<number> {
    const client = this.#client;
    if (client === undefined) return 0;
    try {
      await this.#list(client);
      if (client === this.running) this.error = undefined;
    } catch (error) {
      if (!this.#forgot(client, error)) this.unread(error);
    }
    return readIn(this.#budget);
  }

  /**
   * Runs a function with a connected client. If the server no longer knows the session, it has not run the call, and the
   * function runs again on a new connection. If the session is only possibly lost, or if the server hangs, the error is
   * thrown, and the next function gets a new connection.
   *
   * @param wait limits the wait for a connection
   * @throws as `connected`, and the errors of the function
   */
  async use<T>(work: (client: C) => Promise<T>, wait?: Wait): Promise<T> {
    if (this.#settings.isIsolated) return this.#once(work);
    const connected = () => (wait === undefined ? this.connected() : within(wait, () => this.connected()));
    const client = await connected();
    try {
      return await this.#run(work(client));
    } catch (error) {
      wait?.signal?.throwIfAborted();
      if (isTooLate(error)) void this.#probe(client);
      const session = this.canDial ? sessionAfter(client, error) : undefined;
      if (session === "doubtful") this.#doubted = client;
      if (session !== "lost") throw error;
      // If several calls find that the session is lost, only the first one drops the connection.
      this.#forgot(client, error);
      return await this.#run(work(await connected()));
    }
  }

  /**
   * Asks a server with a ping whether it still answers, after a call took too long. If it does not, the next function gets
   * a new connection: a process that hangs would let each call wait for its whole time limit.
   */
  async #probe(client: C): Promise<void> {
    const { ping } = client as { ping?: (options: McpRequestOptions) => Promise<unknown> };
    if (typeof ping !== "function" || !this.canDial) return;
    const ms = this.#settings.connectMs;
    const asked = within({ what: "the ping", ms }, (signal) => ping.call(client, { signal, timeout: ms + LOST_MS }));
    // A server that answers with an error is alive.
    await asked.catch((error: unknown) => {
      if (isTooLate(error)) this.#doubted = client;
    });
  }

  /** Waits for a function in progress, and keeps its connection open until it ends. */
  async #run<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async #once<T>(work: (client: C) => Promise<T>): Promise<T> {
    const client = await this.#attempt(!this.isFresh);
    try {
      return await work(client);
    } finally {
      await ended(client);
    }
  }

  /** Checks if the server no longer knows a client's session, so that another client can be tried. */
  #isForgotten(client: C, error: unknown): boolean {
    return this.canDial && sessionAfter(client, error) === "lost";
  }

  /** Drops a connection whose session the server no longer knows. @returns true if it was dropped */
  #forgot(client: C, error: unknown): boolean {
    if (!this.#isForgotten(client, error)) return false;
    if (client === this.#client) void forgotten(client);
    this.#gone(client, error);
    return true;
  }

  #gone(client: C, error: unknown = GONE()): void {
    if (this.isEnded || client !== this.#client) return;
    const wasListed = this.#isListed;
    this.drop();
    // If its lists were not read yet, the code that reads them gets the error.
    if (!wasListed) return;
    this.lost(error, this.attempts.lost());
    if (this.#settings.insistsAfterMs !== undefined) this.#insist();
    this.moved();
  }

  #insist(): void {
    if (this.#canAttempt && this.attempts.failures < this.mostFailures) return void this.connected().catch(() => {});
    this.away();
    this.#plan();
  }

  /** Schedules the next attempt. The timer does not keep the process alive. */
  #plan(): void {
    const { insistsAfterMs, isIsolated } = this.#settings;
    if (insistsAfterMs === undefined || isIsolated || this.isEnded || !this.#canAttempt) return;
    clearTimeout(this.#later);
    this.#later = later(this.attempts.left, () => void this.#shared(() => this.#made(), true).catch(() => {}));
  }

  #checkOpen(): void {
    if (this.isEnded) throw new ToolSiftError("disposed", `the connection to ${this.name} was closed`);
  }

  /** Stops following the connection, without closing it. */
  protected drop(client = this.#client): void {
    if (client !== this.#client) return;
    this.#unfollow();
    this.#unfollow = () => {};
    this.#client = undefined;
    this.#isListed = false;
  }

  /** Stops for good. Replaced connections are closed now. @returns all connections that are open; none is followed any more */
  protected finish(): C[] {
    this.isEnded = true;
    clearTimeout(this.#later);
    const replaced = [...this.#replaced];
    for (const client of replaced) void ended(client);
    const client = this.#client;
    this.drop();
    return client === undefined ? replaced : [client, ...replaced];
  }
}
