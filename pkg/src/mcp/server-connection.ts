/** Keeps the list of one server in the catalog up to date, and reports the server's status to your program. */

import { ToolSiftError } from "../base/errors.js";
import { text } from "../base/texts.js";
import { aside, reasonOf, cut } from "../base/values.js";
import { keptWords } from "../author/background/load.js";
import { joinedWords, type Packed, withPacks } from "../packs/with-packs.js";
import { isTaken, registering } from "../servers/config.js";
import { foreignError } from "../trust/foreign.js";
import type { Enrichment, WordsStatus, ToolNews } from "../types/index.js";
import { type Call, callTool } from "../upstream/call.js";
import { definitionsOf, withinBudget, withoutServer } from "../upstream/definition.js";
import { connectInTime } from "../upstream/dialler.js";
import { isIsolated } from "../upstream/isolated.js";
import { Link, reasonFrom } from "../upstream/link.js";
import { type ListBudget, listAll, type Listing } from "../upstream/list.js";
import { connected, type Entry, type McpSettings } from "./options.js";
import type { McpCatalog, McpClient, McpDispatch, McpState, McpStatus, McpToolResult } from "./types.js";
import { mayDownload } from "../upstream/installer.js";
import { neutralised } from "../trust/hidden.js";
import { hasSkills } from "../skills/extension.js";

const ERROR_CHARS = 4_000;
/** The number of failed attempts during which its tools stay and calls wait: below eight seconds if each fails fast. */
const MOST_FAILURES = 5;
/** The pause after the first failed attempt, in ms. */
const PAUSE_MS = 500;
/** The error of Cloudflare's runtime (workerd) for a client of another request. */
const OTHER_REQUEST = /on behalf of a different request/i;
const NO_CHANGE = { added: [], changed: [], removed: [], rejected: [], repaired: [], incomplete: null };

interface Read {
  listing: Listing;
  packed: Packed;
  kept: number;
  /** The server's skills, as they are registered. */
  skills: object[];
}

/** One server: its current client, and the status of its tools in the catalog. */
export class ServerConnection extends Link<McpClient, Read> {
  client: McpClient;
  /** The server's instructions. They are kept after the connection has ended. */
  instructions = "";
  readonly #sift: McpCatalog;
  readonly #settings: McpSettings;
  readonly #connectMs: number;
  readonly #installer: string | undefined;
  /** Your program's own client, if it passed one. */
  readonly #given: McpClient | undefined;
  /** Makes the first client; undefined afterwards. */
  #first: (() => Promise<McpClient>) | undefined;
  /** The schemas of the parameters, by the server's own tool names. */
  #schemas: ReadonlyMap<string, unknown> = new Map();
  #status: Omit<McpStatus, "message">;
  #lastProblem = "";
  /** Aborts the writing of search words for the previous list. */
  #writing = new AbortController();
  /** Settled when the tools of the earlier servers are registered: the order decides about names. */
  #before: Promise<void> = Promise.resolve();
  #starting: Promise<void> = Promise.resolve();

  constructor(sift: McpCatalog, name: string, { client, connect, connectMs, installer, settings }: Entry) {
    const ms = connectMs ?? settings.timeoutMs;
    super(name, {
      // A server announces a change of its skills as a change of its resources.
      kinds: (client) => (hasSkills(client) ? ["tools", "resources"] : ["tools"]),
      connectMs: ms,
      listMs: settings.timeoutMs,
      // Your program's client may be connected in this request.
      isIsolated: connect !== undefined && isIsolated(),
      insistsAfterMs: PAUSE_MS,
    });
    this.#sift = sift;
    this.client = client;
    const isDead = "transport" in client && client.transport === undefined;
    this.#first = connect ?? (isDead && settings.reconnect !== undefined ? undefined : async () => client);
    this.#settings = settings;
    this.#connectMs = ms;
    this.#installer = installer;
    this.#given = connect === undefined ? client : undefined;
    this.#status = { name, state: "starting", tools: 0, ...NO_CHANGE, error: null };
  }

  get status(): McpStatus {
    return { ...structuredClone(this.#status), message: statusText(this.#status, this.#installer) };
  }

  get state(): McpState {
    return this.#status.state;
  }

  protected get canDial(): boolean {
    return this.#first !== undefined || this.#settings.reconnect !== undefined;
  }

  /** While there are no tools, calls wait for only one attempt. */
  protected get mostFailures(): number {
    return this.state === "connected" || this.state === "reconnecting" ? MOST_FAILURES : 1;
  }

  protected get hasLists(): boolean {
    return this.#status.tools > 0;
  }

  /** Connects the server, lists its tools, and registers them after `before`. */
  start(before: Promise<void>): Promise<void> {
    this.#before = before;
    this.#starting = this.learned().catch(() => {});
    return this.#starting;
  }

  /** Waits for a starting server, reads the list of a running one again, or connects again. Errors are in the status. */
  async refresh(): Promise<void> {
    if (this.state === "starting") return this.#starting;
    if (this.running !== undefined) {
      await this.relisted();
      await this.making?.catch(() => {});
    } else {
      this.attempts.reset();
      await this.learned().catch(() => {});
    }
  }

  /**
   * Calls a tool. If the call changed the server's list, the answer is returned after the list has been read again.
   *
   * @throws ToolSiftError `not_currently_available`; the client's error with its text quoted; the reason of the signal if
   *   aborted
   */
  async call(dispatch: McpDispatch): Promise<McpToolResult> {
    const { signal } = dispatch;
    try {
      return await this.#call(dispatch);
    } catch (error) {
      signal?.throwIfAborted();
      // The message may be text of the server.
      if (error instanceof Error && !ToolSiftError.is(error)) error.message = foreignError(this.name, error.message);
      throw error;
    } finally {
      await this.changes.settled(signal);
    }
  }

  #call({ name, arguments: args, signal }: McpDispatch): Promise<McpToolResult> {
    const call: Call = { params: { name, arguments: args }, inputSchema: this.#schemas.get(name) };
    const { callTimeoutMs: ms, callTotalMs: totalMs } = this.#settings;
    const wait = { what: `${text("name", name)} of ${this.name}`, ms, totalMs, signal };
    const work = async (client: McpClient) => {
      try {
        return await callTool(client, call, wait);
      } catch (error) {
        signal?.throwIfAborted();
        throw isIsolated() && OTHER_REQUEST.test(reasonOf(error)) ? this.#ofAnotherRequest(error) : error;
      }
    };
    return this.use(work, { what: `connecting to ${this.name}`, ms, signal });
  }

  /** Reports a client that was connected in another request of a Worker. Returns the error. */
  #ofAnotherRequest(cause: unknown): ToolSiftError {
    const message = `the client of ${this.name} was connected in another request of this Worker; connect it in each request`;
    this.#say({ error: message });
    return new ToolSiftError("not_currently_available", message, { cause });
  }

  /** Removes its tools from the catalog. Their names stay reserved, unless your program ends the server. */
  #leave({ ended = false } = {}): string[] {
    withoutServer(this.#sift, this.name);
    try {
      return ended ? this.#sift.unregister({ server: this.name }) : this.#sift.sync(this.name, []).removed;
    } catch {
      // The catalog was disposed, so nobody can see the tools.
      return [];
    }
  }

  /** Ends the connection. With `leave`, its tools are also removed from the catalog. */
  end({ leave }: { leave: boolean }): void {
    this.finish();
    this.#writing.abort();
    if (leave) this.#leave({ ended: true });
  }

  protected async dial(): Promise<McpClient> {
    const [first, { reconnect }] = [this.#first, this.#settings];
    this.#first = undefined;
    if (first !== undefined) return first();
    return connected(
      "what reconnect gives",
      await connectInTime({ ms: this.#connectMs }, async () => reconnect!(this.name)),
    );
  }

  protected override attached(client: McpClient): void {
    this.client = client;
    const text = client.getInstructions?.();
    this.instructions = typeof text === "string" ? text.trim() : "";
  }

  /** Lists the server's definitions, and finds search words for them. A server without tools is not asked. */
  protected async read(client: McpClient, budget: ListBudget): Promise<Read> {
    const { maxTools, enrichment, packs, words } = this.#settings;
    const capabilities = client.getServerCapabilities?.();
    const hasNone = capabilities !== undefined && capabilities.tools === undefined;
    const { entries: all, incomplete } = hasNone
      ? { entries: [], incomplete: null }
      : await listAll(client, "tools/list", maxTools, budget);
    const chosen = all.filter((tool) => isTaken(this.#settings, String(Object(tool).name)));
    const entries = definitionsOf(chosen, this.#settings);
    const packed = packs ? await withPacks(entries, enrichment) : { enrichment, problem: null };
    const kept = await keptWords(words, entries);
    packed.enrichment = joinedWords(packed.enrichment, kept);
    const listed = await this.#listSkills(client, budget);
    await this.#before;
    const listing = { entries, incomplete: incomplete ?? listed.incomplete };
    return { listing, packed, kept: kept.length, skills: listed.entries as object[] };
  }

  /** Lists the server's skills. Only the profile `sift` has skills. */
  async #listSkills(client: McpClient, budget: ListBudget): Promise<Listing> {
    if (!hasSkills(client) || this.#sift.settings.profile !== "sift") return { entries: [], incomplete: null };
    return (await import("./skills.js")).listSkills(this, client, budget, this.#settings);
  }

  /** Registers a list, and starts the writing of search words for its tools. */
  protected take({ listing, packed, kept, skills }: Read): void {
    this.#writing.abort();
    this.#writing = new AbortController();
    this.#register(listing, packed, skills);
    const tell = (words: readonly Enrichment[], status: WordsStatus) => {
      if (this.isEnded) return;
      try {
        if (words.length > 0) {
          this.#register(listing, { ...packed, enrichment: joinedWords(packed.enrichment, words) }, skills);
        }
      } catch (error) {
        this.failed(error);
      }
      this.#say({ words: { ...status, kept } });
    };
    const { signal } = this.#writing;
    const job = { server: this.name, tools: listing.entries as object[], enrichment: packed.enrichment, signal, tell };
    this.#settings.words?.write(job);
    this.tell();
  }

  #register({ entries, incomplete }: Listing, { enrichment, problem }: Packed, skills: readonly object[]): void {
    const tools = withinBudget(entries as object[], this.#sift, this.name) as { name: string; inputSchema?: unknown }[];
    this.#schemas = new Map(tools.map((tool) => [Object(tool).name, Object(tool).inputSchema]));
    const options = registering({ ...this.#settings, ...(enrichment !== undefined && { enrichment }) });
    const { unchanged: _, ...changes } = this.#sift.sync(this.name, [...(tools as object[]), ...skills], options);
    const taken = tools.length + skills.length - changes.rejected.length - (changes.quarantined?.length ?? 0);
    const status = { name: this.name, state: "connected", tools: taken, ...changes, incomplete, error: null } as const;
    const { words } = this.#status;
    this.#status = { ...status, ...(problem !== null && { packProblem: problem }), ...(words !== undefined && { words }) };
  }

  protected override failed(error: unknown): void {
    this.#status = { ...this.#status, ...NO_CHANGE, error: reasonOf(error).slice(0, ERROR_CHARS) };
  }

  protected unread(error: unknown): void {
    this.failed(error);
    this.#say(this.state === "reconnecting" ? { state: "connected" } : {});
  }

  /** Your program's own client stays, and is listed again. */
  protected override discard(client: McpClient): void {
    if (client !== this.#given) super.discard(client);
  }

  protected lost(error: unknown): void {
    this.error = reasonFrom(error);
    this.failed(error);
    const isTried = this.canDial && this.state === "connected" && this.attempts.failures < MOST_FAILURES;
    if (isTried) this.#say({ state: "reconnecting" });
  }

  /** Reports the end of the connection. Its tools, even those of an earlier client, are removed from the catalog. */
  protected override away(): void {
    if (this.isEnded || this.state === "failed" || this.state === "closed") return;
    const state = this.state === "starting" ? "failed" : "closed";
    this.#say({ ...NO_CHANGE, state, tools: 0, removed: this.#leave() });
  }

  #say(change: Partial<McpStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.tell();
  }

  /** Reports the server's status to your program. A listener that fails, now or later, must not end the connection. */
  tell(): void {
    const { status } = this;
    const { onChange, onProblem } = this.#settings;
    const { error, incomplete, rejected, quarantined = [], suspicious = [], news = [], packProblem } = status;
    const isTaken = rejected.length + quarantined.length + suspicious.length + news.length === 0;
    const isWell = error === null && incomplete === null && isTaken && packProblem === undefined;
    // If a tool is quarantined again with another definition, this is a new problem.
    const problem = isWell ? "" : [status.message, ...quarantined.map(({ hash }) => hash)].join("\n");
    const isNew = problem !== "" && problem !== this.#lastProblem;
    this.#lastProblem = problem;
    aside(() => isNew && onProblem?.(status.message, status));
    aside(() => onChange?.(status));
  }
}

/** The maximum length of an error in a sentence, in characters. The status has the whole error. */
const REASON_CHARS = 500;

const NAMED = 5;

/**
 * Returns the status of a server as a text for your program.
 *
 * @param installer the command that installs the server before it runs
 */
function statusText(status: Omit<McpStatus, "message">, installer?: string): string {
  const {
    name,
    state,
    tools,
    rejected,
    quarantined = [],
    suspicious = [],
    news = [],
    incomplete,
    packProblem,
    error,
  } = status;
  const server = `The MCP server ${name}`;
  // The sentence has only the first line of a reason; the status has the whole reason.
  const [reason = ""] = (error ?? "").trim().split(/(?:; it wrote:)?\r?\n/, 1);
  const why = error === null ? "" : `: ${cut(reason, REASON_CHARS, "…").replace(/[.:]$/, "")}`;
  const count = tools === 1 ? "1 tool" : `${tools} tools`;
  const download = installer === undefined ? "" : `: ${mayDownload(installer)}`;
  if (state === "starting") return `${server} is still starting${download}. Its tools are added when it is connected.`;
  if (state === "reconnecting") return `${server} is gone${why}. Its tools stay while a new connection is tried.`;
  if (state !== "connected") {
    return `${server} ${state === "failed" ? "did not come up" : "is gone"}${why}. None of its tools are available.`;
  }
  if (error !== null) return `${server} could not list its tools again${why}. It keeps ${count} of its last list.`;
  const broken = rejected.length === 0 ? "" : ` Broken tools were left out: ${rejected.length}.`;
  const waiting = naming("Quarantined until the host accepts them", quarantined);
  const isNew = ({ added }: ToolNews) => added.length === 0;
  const fresh = naming("New beside pinned ones", news.filter(isNew));
  const grown = naming(
    "Used without what was added to them",
    news.filter((one) => !isNew(one)),
  );
  const flagged = suspicious.length === 0 ? "" : ` Suspicious texts: ${suspicious.length}.`;
  const partial = incomplete === null ? "" : ` Its list was not read to the end: ${incomplete}.`;
  const unpacked = packProblem === undefined ? "" : ` Packs were left out: ${packProblem}.`;
  return `${server} is connected with ${count}.${broken}${waiting}${fresh}${grown}${flagged}${partial}${unpacked}`;
}

function naming(what: string, tools: readonly { name: string }[]): string {
  const names = [...tools.slice(0, NAMED).map((tool) => tool.name), ...(tools.length > NAMED ? ["…"] : [])].join(", ");
  return tools.length === 0 ? "" : ` ${what}: ${neutralised(names)}.`;
}
