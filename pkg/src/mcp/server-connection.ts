/**
 * Keeps the list of one server in the catalog: it is listed, followed as it changes, and connected again when it has gone.
 */

import { text } from "../base/texts.js";
import { aside, reasonOf } from "../base/values.js";
import { foreignError } from "../suspicious/foreign.js";
import { ToolSiftError } from "../base/errors.js";
import { type Call, callTool, sessionAfter } from "../upstream/call.js";
import { Changes } from "../upstream/changes.js";
import { definitionsOf, withinBudget, withoutServer } from "../upstream/definition.js";
import { ended, forgotten } from "../upstream/dialler.js";
import { follow } from "../upstream/follow.js";
import { budgetOf, listAll, type Listing, readIn } from "../upstream/list.js";
import { keptWords } from "../author/background/load.js";
import { joinedWords, type Packed, withPacks } from "../packs/with-packs.js";
import { isIsolated } from "../upstream/isolated.js";
import { Attempts } from "../upstream/attempts.js";
import { pause, type Wait, within } from "../base/wait.js";
import type { Enrichment, WordsStatus } from "../types/index.js";
import type { Entry, McpSettings } from "./options.js";
import { isTaken } from "../servers/config.js";
import { reconnected } from "./reconnect.js";
import { statusText } from "./texts.js";
import type { McpCatalog, McpClient, McpDispatch, McpState, McpStatus, McpToolResult } from "./types.js";

const ERROR_CHARS = 4_000;
/** Failed attempts during which its tools stay and calls wait: less than eight seconds, if each fails at once. */
const PATIENCE = 5;
/** The pause after the first of them. */
const PAUSE_MS = 500;
/** What workerd says of it. */
const OTHER_REQUEST = /on behalf of a different request/i;
const NO_CHANGE = { added: [], changed: [], removed: [], rejected: [], repaired: [], incomplete: null };

/** One server: the client that reaches it at present, and how its tools stand in the catalog. */
export class ServerConnection {
  readonly name: string;
  client: McpClient;
  /** The server's instructions; they are kept when the connection ends. */
  instructions = "";
  readonly #sift: McpCatalog;
  readonly #settings: McpSettings;
  readonly #changes = new Changes(async () => {
    await this.#list();
    return readIn(this.#budget);
  });
  /** That of the list that was read last. */
  #budget = budgetOf(0);
  readonly #attempts = new Attempts(PAUSE_MS);
  /** The next attempt, where nobody waits for it. */
  #later: ReturnType<typeof setTimeout> | undefined;
  /** The schemas of the parameters, by the server's own names. */
  #schemas: ReadonlyMap<string, unknown> = new Map();
  #status: Omit<McpStatus, "message">;
  #lastProblem = "";
  #unfollow = () => {};
  /** Ends what writes words for the list of before. */
  #writing = new AbortController();
  #ended = false;
  /** Whether the client's connection has ended. */
  #lost = false;
  #listing: Promise<void> = Promise.resolve();
  #starting: Promise<void> = Promise.resolve();
  #reviving: Promise<void> | undefined;
  /** A client whose session the server may have lost, and what replaces it. */
  #doubted: McpClient | undefined;
  #renewing: Promise<void> | undefined;
  readonly #running = new Set<Promise<unknown>>();

  readonly #connect: Entry["connect"];
  readonly #connectMs: number;
  readonly #installer: Entry["installer"];

  constructor(sift: McpCatalog, name: string, { client, connect, connectMs, installer, settings }: Entry) {
    this.#sift = sift;
    this.name = name;
    this.client = client;
    this.#connect = connect;
    this.#settings = settings;
    this.#connectMs = connectMs ?? settings.timeoutMs;
    this.#installer = installer;
    this.#status = { name, state: "starting", tools: 0, ...NO_CHANGE, error: null };
  }

  get status(): McpStatus {
    return { ...structuredClone(this.#status), message: statusText(this.#status, this.#installer) };
  }

  get state(): McpState {
    return this.#status.state;
  }

  /** Connects the server, lists its tools, and registers them after `before`: the order of servers decides on names. */
  start(before: Promise<void>): Promise<void> {
    this.#starting = this.#begin(before);
    return this.#starting;
  }

  async #begin(before: Promise<void>): Promise<void> {
    try {
      const client = (await this.#connect?.()) ?? this.client;
      if (this.#ended) return void ended(client);
      this.#attach(client);
      await this.#list(before);
      if (this.#isIsolated) return await this.#detach(client);
      await this.#reviving;
    } catch (error) {
      if (this.#ended) return;
      this.#lost = true;
      this.#failed(error);
      this.tell();
    }
    // Tools in the catalog under its name are of an earlier client.
    if (this.state !== "failed" || this.#ended) return;
    this.#attempts.failed();
    this.#leave();
    this.#tryLater();
  }

  /** Whether the host can make another client. */
  get #canReconnect(): boolean {
    return this.#settings.reconnect !== undefined;
  }

  /** Whether each call needs a connection of its own: the client would not live longer than the request that made it. */
  get #isIsolated(): boolean {
    return this.#connect !== undefined && isIsolated();
  }

  /** Ends a connection whose list was read. */
  async #detach(client: McpClient): Promise<void> {
    this.#unfollow();
    await ended(client);
  }

  /** Waits for a server that starts. Reads the list of another one again, or connects again. Errors are in the status. */
  async refresh(): Promise<void> {
    if (this.state === "starting") return this.#starting;
    if (this.#isIsolated) return this.#begin(Promise.resolve());
    if (!this.#lost) {
      await this.#list();
      await this.#reviving;
    } else if (this.#canReconnect) {
      this.#attempts.reset();
      await this.#revive(true);
    }
  }

  /**
   * Calls a tool. If the call changed the server's list, the answer is returned after the list has been read again.
   *
   * @throws ToolSiftError `not_currently_available`, what the client throws with its text quoted, what the signal was aborted with
   */
  async call(dispatch: McpDispatch): Promise<McpToolResult> {
    try {
      return await this.#call(dispatch);
    } catch (error) {
      dispatch.signal?.throwIfAborted();
      // A server may have written it.
      if (error instanceof Error && !ToolSiftError.is(error)) error.message = foreignError(this.name, error.message);
      throw error;
    }
  }

  async #call({ name, arguments: args, signal }: McpDispatch): Promise<McpToolResult> {
    const call: Call = { params: { name, arguments: args }, inputSchema: this.#schemas.get(name) };
    const { callTimeoutMs: ms, callTotalMs: totalMs } = this.#settings;
    const wait = { what: `${text("name", name)} of ${this.name}`, ms, totalMs, signal };
    if (this.#isIsolated) return this.#once(call, wait);
    const client = await this.#connected(signal);
    const running = callTool(client, call, wait);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      signal?.throwIfAborted();
      if (isIsolated() && OTHER_REQUEST.test(reasonOf(error))) throw this.#ofAnotherRequest(error);
      // A server that no longer knows the session has not run the call.
      if (this.#forgotten(client, error)) return await callTool(await this.#connected(signal), call, wait);
      if (sessionAfter(client, error) === "doubtful") this.#doubted = client;
      throw error;
    } finally {
      this.#running.delete(running);
      await this.#changes.settled(signal);
    }
  }

  /** Tells the host of a client that it has connected in another request of a Worker. */
  #ofAnotherRequest(cause: unknown): ToolSiftError {
    const message = `the client of ${this.name} was connected in another request of this Worker; connect it in each request`;
    this.#say({ error: message });
    return new ToolSiftError("not_currently_available", message, { cause });
  }

  /** Calls a tool by a connection of its own. */
  async #once(call: Call, wait: Wait): Promise<McpToolResult> {
    const client = await this.#connect!();
    try {
      return await callTool(client, call, wait);
    } finally {
      await ended(client);
    }
  }

  /** Takes its tools out of the catalog. Unless the host ends the server, their names go to no other one. */
  #leave({ ended = false } = {}): string[] {
    withoutServer(this.#sift, this.name);
    try {
      return ended ? this.#sift.unregister({ server: this.name }) : this.#sift.sync(this.name, []).removed;
    } catch {
      // The catalog was disposed; nobody sees the tools any longer.
      return [];
    }
  }

  /** Ends it; with `leave`, its tools leave the catalog too. */
  end({ leave }: { leave: boolean }): void {
    this.#ended = true;
    clearTimeout(this.#later);
    this.#writing.abort();
    this.#unfollow();
    if (leave) this.#leave({ ended: true });
  }

  #attach(client: McpClient): void {
    this.client = client;
    this.#lost = false;
    const text = client.getInstructions?.();
    this.instructions = typeof text === "string" ? text.trim() : "";
    this.#unfollow = follow(client, { changed: () => this.#changes.note(), gone: () => this.#gone() });
    if ("transport" in client && client.transport === undefined) this.#gone();
  }

  /** Lists the tools, one listing after the other. The result of a connection that has ended is ignored. */
  #list(before?: Promise<void>): Promise<void> {
    const { client } = this;
    const outdated = () => this.#ended || this.#lost || client !== this.client;
    const read = async () => {
      if (outdated()) return;
      const listed = await this.#listed(client).catch((error: unknown) => ({ error }));
      const { enrichment } = this.#settings.tools;
      const isPacked = this.#settings.packs && !("error" in listed);
      const packed = isPacked ? await withPacks(listed.entries as object[], enrichment) : { enrichment, problem: null };
      const kept = "error" in listed ? [] : await keptWords(this.#settings.words, listed.entries as object[]);
      packed.enrichment = joinedWords(packed.enrichment, kept);
      await before;
      if (outdated()) return;
      if (!("error" in listed)) this.#take(listed, packed, kept.length);
      else if (this.#forgotten(client, listed.error)) return;
      else this.#failed(listed.error);
      this.tell();
    };
    this.#listing = this.#listing.then(read);
    return this.#listing;
  }

  /** The definitions that the server lists; a server without tools is not asked. */
  async #listed(client: McpClient): Promise<Listing> {
    const capabilities = client.getServerCapabilities?.();
    if (capabilities !== undefined && capabilities.tools === undefined) return { entries: [], incomplete: null };
    const { timeoutMs, maxTools, trustServerHints, taken, tools: options } = this.#settings;
    this.#budget = budgetOf(timeoutMs);
    const { entries, incomplete } = await listAll(client, "tools/list", maxTools, this.#budget);
    const chosen = entries.filter((tool) => isTaken(taken, String(Object(tool).name)));
    return { entries: definitionsOf(chosen, { trustServerHints, options }), incomplete };
  }

  /** Takes a list, and has the words written that its tools lack. */
  #take(listing: Listing, packed: Packed, kept: number): void {
    this.#writing.abort();
    this.#writing = new AbortController();
    this.#register(listing, packed);
    const tell = (words: readonly Enrichment[], status: WordsStatus) => {
      if (this.#ended) return;
      if (words.length > 0) this.#register(listing, { ...packed, enrichment: joinedWords(packed.enrichment, words) });
      this.#say({ words: { ...status, kept } });
    };
    const { signal } = this.#writing;
    const job = { server: this.name, tools: listing.entries as object[], enrichment: packed.enrichment, signal, tell };
    if (this.state === "connected") this.#settings.words?.write(job);
  }

  #register({ entries, incomplete }: Listing, { enrichment, problem }: Packed): void {
    try {
      const tools = withinBudget(entries as object[], this.#sift, this.name) as { name: string; inputSchema?: unknown }[];
      this.#schemas = new Map(tools.map((tool) => [Object(tool).name, Object(tool).inputSchema]));
      const options = enrichment === undefined ? this.#settings.tools : { ...this.#settings.tools, enrichment };
      const { unchanged: _, ...changes } = this.#sift.sync(this.name, tools as object[], options);
      const taken = tools.length - changes.rejected.length - (changes.held?.length ?? 0);
      const status = { name: this.name, state: "connected", tools: taken, ...changes, incomplete, error: null } as const;
      const { words } = this.#status;
      this.#status = { ...status, ...(problem !== null && { packProblem: problem }), ...(words !== undefined && { words }) };
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const state = this.state === "starting" ? "failed" : this.state;
    this.#status = { ...this.#status, ...NO_CHANGE, state, error: reasonOf(error).slice(0, ERROR_CHARS) };
  }

  /** The client to call, once there is one. */
  async #connected(signal: AbortSignal | undefined): Promise<McpClient> {
    const wait = { what: `connecting to ${this.name}`, ms: this.#settings.callTimeoutMs, signal };
    const isDoubted = this.#doubted === this.client && !this.#lost && this.#canReconnect;
    if (isDoubted) await within(wait, () => (this.#renewing ??= this.#renew()));
    if (this.#reviving !== undefined) await within(wait, async () => this.#reviving);
    if (!this.#lost) return this.client;
    const message = `the server ${this.name} is not connected: ${this.#status.error}`;
    throw new ToolSiftError("not_currently_available", message);
  }

  /** Replaces a connection whose session may be lost. While there is no other, it is used. */
  async #renew(): Promise<void> {
    const { client: before } = this;
    try {
      const client = await reconnected(this.name, this.#settings, this.#connectMs);
      if (this.#ended || this.#lost) return void ended(client);
      this.#unfollow();
      void forgotten(before, this.#running);
      this.#attach(client);
      await this.#list();
    } catch {
      // The next call tries again.
    } finally {
      this.#renewing = undefined;
    }
  }

  #gone(error: unknown = new Error("its connection has ended")): void {
    if (this.#ended || this.#lost) return;
    this.#lost = true;
    this.#unfollow();
    this.#status = { ...this.#status, ...NO_CHANGE, error: reasonOf(error).slice(0, ERROR_CHARS) };
    this.#attempts.lost();
    if (this.#reviving === undefined) void this.#revive();
  }

  /** Whether the server no longer knows a client's session, so that another client is tried. */
  #forgotten(client: McpClient, error: unknown): boolean {
    if (this.#ended || !this.#canReconnect || sessionAfter(client, error) !== "lost") return false;
    if (client !== this.client || this.#lost) return true;
    this.#gone(error);
    void forgotten(client);
    return true;
  }

  /**
   * Connects to the server again. While that fails, it is tried in the background, without end.
   *
   * @param isDue whether an attempt is made at once, however many have failed
   */
  #revive(isDue = false): Promise<void> {
    clearTimeout(this.#later);
    this.#reviving ??= Promise.resolve().then(() => this.#revived(isDue));
    return this.#reviving;
  }

  async #revived(isDue: boolean): Promise<void> {
    const wasAway = this.#isAway;
    const isPatient = () => this.#attempts.failures < PATIENCE;
    if (this.#canReconnect && isPatient() && !wasAway) this.#say({ state: "reconnecting" });
    for (let due = isDue; !this.#ended && this.#canAttempt && (due || isPatient()); due = false) await this.#attempt();
    // Nothing may be awaited between the last check of `#lost` and this line: a later loss must start new attempts.
    this.#reviving = undefined;
    if (this.#ended) return;
    if (this.#lost) {
      if (!wasAway) this.#say({ ...NO_CHANGE, state: "closed", tools: 0, removed: this.#leave() });
    } else if (this.state === "reconnecting" || this.state === "closed") {
      // The connection is back, but the tools could not be listed.
      this.#say({ state: this.#status.tools > 0 ? "connected" : "failed" });
    }
    this.#tryLater();
  }

  /** Whether it has no tools in the catalog, for lack of a connection or of a list. */
  get #isAway(): boolean {
    return this.state === "failed" || this.state === "closed";
  }

  /** Whether an attempt can help: another connection, or another listing where there was none. */
  get #canAttempt(): boolean {
    return this.#lost ? this.#canReconnect : this.state === "failed";
  }

  /** Connects, unless it is only its list that is missing, and lists its tools. */
  async #attempt(): Promise<void> {
    try {
      await pause(this.#attempts.left);
      if (this.#ended) return;
      if (this.#lost) {
        const client = await reconnected(this.name, this.#settings, this.#connectMs);
        if (this.#ended) return await ended(client);
        this.#attempts.succeeded();
        this.#attach(client);
      }
      await this.#list();
      if (this.state === "failed") this.#attempts.failed();
    } catch (error) {
      this.#attempts.failed();
      this.#failed(error);
    }
  }

  /** Plans the next attempt for a server that has no tools here. It keeps no process alive. */
  #tryLater(): void {
    if (!this.#canAttempt || this.#ended || this.#isIsolated) return;
    clearTimeout(this.#later);
    this.#later = setTimeout(() => void this.#revive(true), this.#attempts.left);
    (this.#later as { unref?: () => void }).unref?.();
  }

  #say(change: Partial<McpStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.tell();
  }

  /** Tells the host how the server stands. A listener that fails, at once or later, must not end what it listens to. */
  tell(): void {
    const { status } = this;
    const { onChange, onProblem } = this.#settings;
    const { error, incomplete, rejected, held = [], suspicious = [], news = [], packProblem } = status;
    const isTaken = rejected.length + held.length + suspicious.length + news.length === 0;
    const isWell = error === null && incomplete === null && isTaken && packProblem === undefined;
    // A tool that is held again, with another definition, is a problem that has not been told.
    const problem = isWell ? "" : [status.message, ...held.map(({ hash }) => hash)].join("\n");
    const isNew = problem !== "" && problem !== this.#lastProblem;
    this.#lastProblem = problem;
    aside(() => isNew && onProblem?.(status.message, status));
    aside(() => onChange?.(status));
  }
}
