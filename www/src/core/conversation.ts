/**
 * One conversation: a script, played in a session from its first step on. A change of profile, settings or tools plays the
 * script again, so that every request of a conversation was made under the same rules.
 */
import {
  ToolSiftError,
  type Assembly,
  type Explanation,
  type Outcome,
  type SearchResult,
  type Session,
  type ToolInfo,
  type ToolSift,
  type WireFormat,
} from "toolsift";
import type { JsonRecord } from "../model/json.ts";
import { tokensOf } from "../model/numbers.ts";
import { namedIn, type Named } from "../model/rows.ts";
import { MAX_STEPS, type Step } from "../model/script.ts";
import type { ProfileTable } from "../model/settings.ts";
import { surfaceOf, type Surface } from "../model/surface.ts";
import { wireTools, type WireTool } from "../model/wire.ts";
import { callsFor, type Call } from "./calls.ts";
import type { Change, ConversationView, Exchange, Payload, Skipped, Turn } from "./types.ts";

const NOTHING: Named = { rows: [], missing: [], offered: [] };
const NO_CHANGE: Change = { added: [], removed: [], rewritten: [], prompt: false };

/** Hits whose reasons are read: a search that is made again continues after those of its first answer. */
const READ = 50;

/** What a conversation is played with. */
export interface Rules {
  sift: ToolSift;
  /** Names of its discovery tools. */
  surface: readonly string[];
  format: WireFormat;
  /** Counts tokens of what is said. */
  count: (text: string) => number;
  servers: readonly string[];
  /** Names of the discovery tools of all profiles. */
  discovery: ReadonlySet<string>;
  /** A tool's parameters, for the arguments that a script leaves open. */
  schemaOf: (tool: ToolInfo) => JsonRecord;
}

export function discoveryNames({ all }: ProfileTable): ReadonlySet<string> {
  return new Set(all.flatMap((profile) => profile.surface));
}

export class Conversation {
  script: Step[] = [];
  ahead: Step[] = [];
  excluded: ReadonlySet<string> = new Set();
  turns: Turn[] = [];
  skipped: Skipped[] = [];
  found: ReadonlySet<string> = new Set();
  lastSearch: Exchange | null = null;
  assembly!: Assembly;
  #sent: WireTool[] = [];
  /** Their definitions as texts, by their names. */
  #texts: ReadonlyMap<string, string> = new Map();
  /** Deferred tools whose parameters an answer has shown. */
  #shown = new Set<string>();
  #session!: Session;
  /** Where every tool stands, read when somebody asks: after a call of many it is seldom asked in between. */
  #tools: ToolInfo[] | null = null;
  #rules!: Rules;

  constructor(
    readonly id: string,
    rules: Rules,
  ) {
    this.replay(rules);
  }

  /** Plays another script; `ahead` can be played after it. */
  perform(script: Step[], ahead: Step[], rules: Rules): void {
    this.script = script;
    this.ahead = ahead;
    this.replay(rules);
  }

  /** Plays the script from the start under these rules. */
  replay(rules: Rules): void {
    this.#rules = rules;
    this.#session = this.#open(this.id);
    this.turns = [];
    this.skipped = [];
    this.found = new Set();
    this.lastSearch = null;
    this.#sent = [];
    this.#texts = new Map();
    this.#shown = new Set();
    this.#request(null, null);
    for (const [index, step] of this.script.entries()) this.#play(step, index);
  }

  /** Plays one more step. What was undone before is forgotten, unless the step is the next of it. */
  add(step: Step): Exchange | null {
    if (this.script.length >= MAX_STEPS) return null;
    this.script = [...this.script, step];
    return this.#play(step, this.script.length - 1);
  }

  get tools(): ToolInfo[] {
    return (this.#tools ??= this.#session.tools());
  }

  get surface(): Surface {
    return surfaceOf(this.#rules.surface, this.#sent);
  }

  /** Every call so far, oldest first. */
  get exchanges(): Exchange[] {
    return this.turns.flatMap(({ does }) => (does === null || does === "answer" ? [] : [does]));
  }

  /** What a query would find. The model is not told. */
  ask(query: string, limit: number, reasons = true): SearchResult | null {
    try {
      return this.#rules.sift.search(query, { session: this.id, limit, reasons });
    } catch {
      // If the query is wrong, the model's own call says what is wrong with it.
      return null;
    }
  }

  /** Why a query finds a tool, or does not. */
  explain(query: string, name: string): Explanation | null {
    try {
      return this.#rules.sift.explain(query, name, { session: this.id });
    } catch {
      return null;
    }
  }

  /** The request of that number in any format, by playing the script again up to it. */
  payload(number: number, format: WireFormat): Payload {
    const session = this.#open(`${this.id} payload`);
    try {
      session.assemble({ format });
      for (const turn of this.turns.slice(0, Math.max(0, number - 1))) {
        if (turn.does === null || turn.does === "answer") continue;
        outcomeOf(session, turn.does.tool, turn.does.args);
        session.assemble({ format });
      }
      const { tools, systemPrompt } = session.assemble({ format });
      return { tools, systemPrompt };
    } finally {
      session.close();
    }
  }

  view(): ConversationView {
    const last = this.turns.at(-1) as Turn;
    return {
      id: this.id,
      excluded: [...this.excluded],
      script: this.script,
      ahead: this.ahead,
      turns: this.turns.map(withoutHits),
      skipped: this.skipped,
      surface: this.surface,
      found: [...this.found],
      lastSearch: this.lastSearch,
      fresh: [...last.change.added, ...last.change.rewritten],
      revealed: this.#session.revealed,
      active: this.assembly.active,
      size: this.assembly.size,
      deferrable: this.assembly.deferrable,
    };
  }

  close(): void {
    this.#session.close();
  }

  #open(id: string): Session {
    const { sift, servers } = this.#rules;
    sift.closeSession(id);
    const visible = servers.filter((server) => !this.excluded.has(server));
    return sift.session(id, visible.length < servers.length ? { scope: { servers: visible } } : {});
  }

  #play(step: Step, index: number): Exchange | null {
    if (step.kind === "say") {
      const open = this.turns.at(-1) as Turn;
      if (this.turns.length > 1 || open.said !== null) {
        open.does = "answer";
        this.#request(step.text, null);
      } else {
        open.said = step.text;
        open.saidTokens = this.#rules.count(step.text);
      }
      return null;
    }
    if (step.kind === "answer") {
      const open = this.turns.at(-1) as Turn;
      open.does = "answer";
      open.words = step.text ?? null;
      return null;
    }
    let last: Exchange | null = null;
    const calls = callsFor(step, {
      surface: () => this.surface,
      tools: () => this.tools,
      schemaOf: this.#rules.schemaOf,
      rules: this.#rules.sift.settings,
      discovery: this.#rules.discovery,
      shown: (name) => this.#shown.has(name),
    });
    for (const call of calls) {
      if ("why" in call) this.skipped = [...this.skipped, { step: index, why: call.why }];
      else last = this.#call(call, index);
    }
    return last;
  }

  /** The model calls a tool; its next request follows at once. */
  #call({ tool, args }: Call, step: number): Exchange {
    const open = this.turns.at(-1) as Turn;
    const surface = this.surface.tools.find((row) => row.name === tool) ?? null;
    const outcome = outcomeOf(this.#session, tool, args);
    const given = surface?.query ? args[surface.query.name] : undefined;
    const query = typeof given === "string" && given !== "" ? given : null;
    const named = outcome.kind === "result" && !outcome.isError ? namedIn(outcome.content) : NOTHING;
    const shown = query !== null && !this.script.slice(step + 1).some(mayFind);
    const insight = shown ? this.ask(query, Math.max(READ, named.rows.length)) : null;
    const before = open.size.request.tokens;
    this.#request(null, tool);
    const exchange: Exchange = {
      turn: open.number,
      step,
      tool,
      args,
      outcome,
      named,
      query,
      insight,
      callTokens: this.#rules.count(JSON.stringify({ name: tool, arguments: args })),
      directTokens: this.#rules.count(directCall(outcome, tool, args)),
      answerTokens: outcome.kind === "dispatch" ? null : this.#rules.count(textOf(outcome)),
      before,
      after: this.assembly.size.request.tokens,
    };
    open.does = exchange;
    const described = this.surface.describe;
    if (described?.names && tool === described.name) this.#shown.add(String(args[described.names.name]));
    for (const row of named.rows) if (row.schema !== null) this.#shown.add(row.name);
    // What was found stays in sight while the model loads, describes and calls.
    if (surface && (surface.query || named.rows.length > 0)) {
      this.lastSearch = exchange;
      this.found = new Set(surface.query ? named.rows.map((row) => row.name) : []);
    }
    return exchange;
  }

  /** Assembles the next request, once per turn: the core compares each request with the one before. */
  #request(said: string | null, after: string | null): void {
    const before = this.assembly;
    const first = this.turns.length === 0;
    const known = this.#texts;
    this.assembly = this.#session.assemble({ format: this.#rules.format });
    this.#sent = wireTools(this.assembly.tools);
    this.#texts = new Map(this.#sent.map(({ name, json }) => [name, JSON.stringify(json)]));
    const prompt = !first && before.systemPrompt !== this.assembly.systemPrompt;
    const change = first ? NO_CHANGE : { ...changeOf(known, this.#texts), prompt };
    const { added, removed, rewritten } = change;
    const whole = !first && !prompt && added.length + removed.length + rewritten.length === 0;
    // Where the request is the one before, every tool stands where it stood.
    if (!whole) this.#tools = null;
    const { size } = this.assembly;
    // The library tells the unchanged beginning in bytes.
    const perByte = this.#rules.count === tokensOf ? 1 / 4 : size.request.tokens / Math.max(1, size.request.bytes);
    const turn: Turn = {
      number: (this.turns.at(-1)?.number ?? 0) + 1,
      said,
      saidTokens: said === null ? 0 : this.#rules.count(said),
      after,
      size,
      change,
      kept: {
        whole,
        tokens: Math.min(size.request.tokens, Math.floor(size.prefix.bytes * perByte)),
      },
      active: this.assembly.active,
      words: null,
      does: null,
    };
    this.turns = [...this.turns, turn];
  }
}

function changeOf(known: ReadonlyMap<string, string>, sent: ReadonlyMap<string, string>): Omit<Change, "prompt"> {
  const names = [...sent.keys()];
  return {
    added: names.filter((name) => !known.has(name)),
    removed: [...known.keys()].filter((name) => !sent.has(name)),
    rewritten: names.filter((name) => known.has(name) && known.get(name) !== sent.get(name)),
  };
}

/** Whether a step surely asks for tools: of the searches before it, the page shows no hits. */
function mayFind({ kind }: Step): boolean {
  return kind === "search" || kind === "load" || kind === "call";
}

function outcomeOf(session: Session, tool: string, args: JsonRecord): Outcome {
  try {
    return session.call(tool, args);
  } catch (error) {
    if (!(error instanceof ToolSiftError)) throw error;
    return { kind: "refused", error: { code: error.code, message: error.message } };
  }
}

/** A call through a bridge is written out in full there; with every tool in the request the model calls the tool itself. */
function directCall(outcome: Outcome, tool: string, args: JsonRecord): string {
  const direct = outcome.kind === "dispatch";
  return JSON.stringify({ name: direct ? outcome.modelName : tool, arguments: direct ? outcome.arguments : args });
}

function textOf(outcome: Exclude<Outcome, { kind: "dispatch" }>): string {
  return outcome.kind === "result" ? outcome.content : outcome.error.message;
}

/** Hits with their reasons are large; the page shows those of the newest search only. */
function withoutHits(turn: Turn): Turn {
  const { does } = turn;
  return does === null || does === "answer" ? turn : { ...turn, does: { ...does, insight: null } };
}
