/** One conversation of a model: its session, every request it was sent, every call it made and what that came to. */
import {
  ToolSiftError,
  type Assembly,
  type Explanation,
  type Outcome,
  type SearchResult,
  type Session,
  type Size,
  type ToolInfo,
  type ToolSift,
  type WireFormat,
} from "toolsift";
import type { JsonRecord } from "./json.ts";
import { namedIn, type Named } from "./rows.ts";
import type { SurfaceTool } from "./surface.ts";
import { wireTools, type WireTool } from "./wire.ts";

/** Why a request was assembled. */
export type Cause = { kind: "start" | "settings" | "catalog" } | { kind: "call"; tool: string };

/** One request to the model, and what it cost. */
export interface Turn {
  number: number;
  cause: Cause;
  size: Size;
}

/** One call of the model, with the answer. */
export interface Exchange {
  /** The turn whose request the model answered with this call. */
  turn: number;
  tool: string;
  args: JsonRecord;
  outcome: Outcome;
  /** Tools that the answer names. */
  named: Named;
  /** For a search: how the ranker came to it. */
  insight: SearchResult | null;
  /** Tokens of the request before and after. */
  before: number;
  after: number;
}

const NOTHING: Named = { rows: [], missing: [], offered: [] };

/** Hits whose reasons are read: a search that is made again goes on past those of its first answer. */
const READ = 50;

/** Older ones are dropped: the page shows a conversation, it does not archive one. */
const MAX_TURNS = 200;

export class Conversation {
  turns: Turn[] = [];
  exchanges: Exchange[] = [];
  /** Servers that this conversation may not see. */
  excluded: ReadonlySet<string> = new Set();
  /** Names that the last search found. */
  found: ReadonlySet<string> = new Set();
  /** The last search that found or looked for something. */
  lastSearch: Exchange | null = null;
  /** Names in the newest request whose definitions were not in the one before, or were stubs there. */
  fresh: ReadonlySet<string> = new Set();
  assembly!: Assembly;
  /** The tools of `assembly`, read. */
  sent: WireTool[] = [];
  tools: ToolInfo[] = [];
  #session!: Session;
  #format: WireFormat | null = null;

  constructor(
    readonly id: string,
    private sift: ToolSift,
    servers: readonly string[],
    format: WireFormat,
  ) {
    this.#open(sift, servers);
    this.request({ kind: "start" }, format);
  }

  get size(): Size {
    return this.assembly.size;
  }

  get revealed(): string[] {
    return this.#session.revealed;
  }

  /** The model calls a tool; its next request follows at once. */
  call(tool: string, args: JsonRecord, surface: SurfaceTool | null, format: WireFormat): Exchange {
    const before = this.size.request.tokens;
    const turn = this.turns.at(-1)?.number ?? 1;
    const outcome = this.#outcome(tool, args);
    const query = surface?.query ? args[surface.query.name] : undefined;
    const named = outcome.kind === "result" && !outcome.isError ? namedIn(outcome.content) : NOTHING;
    const insight = typeof query === "string" && query !== "" ? this.ask(query, Math.max(READ, named.rows.length)) : null;
    this.request({ kind: "call", tool }, format);
    const after = this.size.request.tokens;
    const exchange: Exchange = { turn, tool, args, outcome, named, insight, before, after };
    this.exchanges = [...this.exchanges, exchange].slice(-MAX_TURNS);
    // What was found stays in sight while the model loads, describes and calls.
    if (surface && (surface.query || named.rows.length > 0)) {
      this.lastSearch = exchange;
      this.found = new Set(surface.query ? named.rows.map((row) => row.name) : []);
    }
    return exchange;
  }

  /** Assembles the next request. It is done once per turn: the core compares each with the one before. */
  request(cause: Cause, format: WireFormat): void {
    const known = new Map(this.sent.map((tool) => [tool.name, JSON.stringify(tool.json)]));
    this.assembly = this.#session.assemble({ format });
    this.sent = wireTools(this.assembly.tools);
    const rewritten = this.#format !== format || this.turns.length === 0;
    const changed = ({ name, json }: WireTool) => known.get(name) !== JSON.stringify(json);
    this.fresh = new Set(rewritten ? [] : this.sent.filter(changed).map((tool) => tool.name));
    this.#format = format;
    this.tools = this.#session.tools();
    this.#record(cause);
  }

  /** Moves to another sift, or to another scope on the same one, with everything revealed that still exists. */
  move(sift: ToolSift, servers: readonly string[]): void {
    const held = this.#session.snapshot().revealed;
    if (sift === this.sift) this.#session.close();
    this.#open(sift, servers);
    const deferred = this.#session.tools().filter((tool) => tool.state === "deferred");
    const names = held.flatMap(({ server, name }) =>
      deferred.filter((tool) => tool.server === server && tool.originalName === name).map((tool) => tool.name),
    );
    if (names.length > 0) this.#session.reveal(names);
  }

  /** Begins anew on another sift: what one profile revealed means nothing to another. */
  restart(sift: ToolSift, servers: readonly string[], format: WireFormat): void {
    this.turns = [];
    this.exchanges = [];
    this.lastSearch = null;
    this.found = new Set();
    this.sent = [];
    this.#open(sift, servers);
    this.request({ kind: "start" }, format);
  }

  close(): void {
    this.#session.close();
  }

  /** What a query would find, without the model being told. */
  ask(query: string, limit: number): SearchResult | null {
    try {
      return this.sift.search(query, { session: this.id, limit, reasons: true });
    } catch {
      // Whatever is wrong with the query: what the model is told when it asks says it.
      return null;
    }
  }

  /** Why a tool was, or was not, found by the last search. */
  explain(name: string): Explanation | null {
    const query = this.lastSearch?.insight?.query;
    if (query === undefined) return null;
    try {
      return this.sift.explain(query, name, { session: this.id });
    } catch {
      return null;
    }
  }

  #open(sift: ToolSift, servers: readonly string[]): void {
    const visible = servers.filter((server) => !this.excluded.has(server));
    const scoped = visible.length < servers.length;
    this.#session = sift.session(this.id, scoped ? { scope: { servers: visible } } : {});
    this.sift = sift;
  }

  #outcome(tool: string, args: JsonRecord): Outcome {
    try {
      return this.#session.call(tool, args);
    } catch (error) {
      if (!(error instanceof ToolSiftError)) throw error;
      return { kind: "refused", error: { code: error.code, message: error.message } };
    }
  }

  #record(cause: Cause): void {
    const last = this.turns.at(-1);
    const turn: Turn = { number: (last?.number ?? 0) + 1, cause, size: this.assembly.size };
    if (last && cause.kind === "settings" && (last.cause.kind === "settings" || last.cause.kind === "start")) {
      // Trying settings one after another is one step, not many: only the newest of them would ever be sent.
      this.turns = [...this.turns.slice(0, -1), { ...turn, number: last.number, cause: last.cause }];
      if (last.cause.kind === "start") this.fresh = new Set();
    } else {
      this.turns = [...this.turns, turn].slice(-MAX_TURNS);
    }
  }
}
