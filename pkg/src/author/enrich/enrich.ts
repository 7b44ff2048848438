/** Asks a model for the words that people use for tools, and keeps what can be kept. */

import { inTime, unlessEnded } from "../../loop/ending.js";
import { whenAborted } from "../../base/signals.js";
import type { Enrichment, SingleTool, ToolList } from "../../types/index.js";
import { kind, reasonOf, parsed } from "../../base/values.js";
import { fieldsOf } from "../../wire/fields.js";
import { Keeper, type Texts, type Offer } from "./accept.js";
import { type EnrichSettings, settingsOf, type EnrichOptions, type EnrichReport, type NotEnriched } from "./options.js";
import { type Batch, entryOf, type Piece, type Plan, planOf } from "./plan.js";
import { promptText, systemText } from "./prompt.js";
import { subjectsOf } from "./subjects.js";
import { mostTokens, tokensOf } from "./tokens.js";

/** After so many requests in a row that failed, the model is not asked again: a key or an address is wrong. */
const PATIENCE = 5;
/** A longer answer is no answer to what was asked. */
const ANSWER_CHARS = 1_000_000;
/** A reason is a line. */
const REASON_CHARS = 300;

/**
 * Asks a model for the words that people use for tools: whole requests and keywords that the definitions lack. Each answer
 * is checked: texts that are too long, copy the definition, hold URLs or invisible characters, or give orders to a model are
 * left out. What is missing is asked for once more; what is missing then is reported, and costs the other tools nothing.
 *
 * Definitions are data from strangers, and the model is told so. Read what it wrote before you commit it.
 *
 * @param tools every shape that `register` reads, or the result of `tools/list`
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` (for `previous`),
 * `not_json`; what `signal` was aborted with, and what `onProgress` throws
 */
export async function enrich(tools: ToolList | SingleTool, options: EnrichOptions): Promise<EnrichReport> {
  const settings = settingsOf(options);
  settings.signal?.throwIfAborted();
  const { subjects, refused } = subjectsOf(tools, settings.server);
  const run = new Run(planOf(subjects, settings), settings);
  await unlessEnded(settings.signal, (signal) => run.all(signal));
  return run.report(refused);
}

class Run {
  readonly #plan: Plan;
  readonly #settings: EnrichSettings;
  readonly #written = new Map<Piece, Map<string, Texts>>();
  readonly #failed = new Map<Piece, { language: string; problem: string }[]>();
  readonly #tokens = { input: 0, output: 0 };
  #next = 0;
  #done = 0;
  /** Requests in a row that failed, and why the last one did. */
  #failures = 0;
  #reason = "";
  /** One call of the host's listener after the other: it may write a file. */
  #telling = Promise.resolve();

  constructor(plan: Plan, settings: EnrichSettings) {
    this.#plan = plan;
    this.#settings = settings;
  }

  /** Asks for every batch, several at the same time. The first that cannot go on ends all. */
  async all(signal: AbortSignal | undefined): Promise<void> {
    const ending = new AbortController();
    const leave = whenAborted(signal, () => ending.abort(signal!.reason));
    const workers = Array.from({ length: this.#settings.concurrency }, () => this.#work(ending));
    try {
      for (const { status, reason } of (await Promise.allSettled(workers)) as PromiseRejectedResult[]) {
        if (status === "rejected") throw reason;
      }
    } finally {
      leave();
    }
  }

  report(refused: NotEnriched[]): EnrichReport {
    const several = this.#settings.languages.length > 1;
    const failed = [...this.#failed].map(([{ subject }, problems]) => {
      const reasons = problems.map(({ language, problem }) => (several ? `${language}: ${problem}` : problem));
      return { name: subject.name, server: subject.server, reason: reasons.join("; ") };
    });
    const kept = this.#plan.pieces.filter(({ missing }) => missing.length === 0).length;
    return {
      entries: this.#entries(),
      written: this.#written.size,
      kept,
      failed: [...refused, ...failed],
      tokens: { ...this.#tokens },
    };
  }

  async #work(ending: AbortController): Promise<void> {
    try {
      for (let batch; (batch = this.#plan.batches[this.#next++]) !== undefined; ) {
        await this.#batch(batch, ending.signal);
        this.#done += 1;
        await (this.#telling = this.#telling.then(() => this.#tell(ending.signal)));
      }
    } catch (error) {
      ending.abort(error);
      throw error;
    }
  }

  async #tell(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const [done, of] = [this.#done, this.#plan.batches.length];
    const tokens = { ...this.#tokens };
    await this.#settings.onProgress?.({ done, of, written: this.#written.size, tokens, entries: this.#entries() });
    signal.throwIfAborted();
  }

  async #batch({ language, pieces, others }: Batch, signal: AbortSignal): Promise<void> {
    const all = pieces.map((piece) => ({ piece, keeper: new Keeper(piece.subject, this.#settings), problem: "" }));
    let open = all;
    for (let attempt = 1; attempt <= 2 && open.length > 0; attempt++) {
      const subjects = open.map(({ piece }) => piece.subject);
      const problems = new Map(
        open.flatMap(({ piece, problem }) => (problem === "" ? [] : [[piece.subject.name, problem]])),
      );
      const system = systemText(language, this.#settings);
      const prompt = promptText(subjects, others, attempt === 1 ? new Map() : problems);
      const names = subjects.map(({ name }) => name);
      const answer = await this.#ask({ system, prompt, language, tools: names, attempt }, signal);
      const offers = offersIn(answer.text, names);
      for (const one of open) {
        const offer = offers.get(one.piece.subject.name);
        const nothing = offers.size > 0 ? "the answer leaves it out" : "the answer holds no JSON as asked for";
        one.problem = offer === undefined ? (answer.error ?? nothing) : one.keeper.take(offer).join("; ");
        if (one.problem === "" && !one.keeper.isEnough) one.problem = "there are too few queries";
      }
      if (answer.isRefused) break;
      open = open.filter(({ keeper }) => !keeper.isEnough);
    }
    for (const { piece, keeper, problem } of all) {
      if (keeper.isEmpty) this.#failed.set(piece, [...(this.#failed.get(piece) ?? []), { language, problem }]);
      else this.#written.set(piece, (this.#written.get(piece) ?? new Map<string, Texts>()).set(language, keeper.texts));
    }
  }

  /** One request; why it failed is no text. */
  async #ask(
    {
      system,
      prompt,
      language,
      tools,
      attempt,
    }: { system: string; prompt: string; language: string; tools: string[]; attempt: number },
    signal: AbortSignal,
  ): Promise<{ text: string; error?: string; isRefused?: boolean }> {
    if (this.#failures >= PATIENCE) {
      return { text: "", error: `not asked, because ${PATIENCE} requests in a row failed: ${this.#reason}` };
    }
    const { complete, timeoutMs } = this.#settings;
    this.#tokens.input += tokensOf(system) + tokensOf(prompt);
    try {
      const maxTokens = mostTokens(tools.length, this.#settings);
      const request = { system, prompt, language, tools, attempt, maxTokens };
      const text: unknown = await inTime(timeoutMs, signal, (own) => complete({ ...request, signal: own }));
      if (typeof text !== "string") throw new Error(`the model returned ${kind(text)}, not a text`);
      this.#failures = 0;
      this.#tokens.output += tokensOf(text);
      if (text.length <= ANSWER_CHARS) return { text };
      return { text: "", error: `the answer has ${text.length} characters; at most ${ANSWER_CHARS}` };
    } catch (error) {
      signal.throwIfAborted();
      this.#failures += 1;
      this.#reason = reasonOf(error).slice(0, REASON_CHARS);
      // A server that has refused with a status has been asked often enough: by `askServer`, or by the SDK of the host.
      return { text: "", error: this.#reason, isRefused: fieldsOf(error)["status"] !== undefined };
    }
  }

  #entries(): Enrichment[] {
    const { pieces, rest } = this.#plan;
    const ofTools = pieces.flatMap((piece) => {
      const written = this.#written.get(piece);
      if (written === undefined) return piece.before;
      const inOrder = new Map(piece.missing.flatMap((one) => (written.has(one) ? [[one, written.get(one)!]] : [])));
      return [entryOf(piece, inOrder), ...piece.before.filter((one) => one !== piece.base && !piece.stale.has(one))];
    });
    return [...ofTools, ...rest];
  }
}

/** Deeper values are not looked at. */
const DEPTH = 6;
/** Code fences that are read. */
const MOST_FENCES = 20;
/** Places at which objects may begin; more are no answer of this kind. */
const MOST_OPEN = 10_000;

function offersIn(reply: string, names: readonly string[]): Map<string, Offer> {
  const wanted = new Set(names);
  for (const text of candidates(reply)) {
    const found = new Map<string, Offer>();
    const value = parsed(text);
    if (value !== undefined) collect(value, wanted, found, DEPTH);
    if (found.size > 0) return found;
  }
  // Of an answer that was cut, the tools before the cut are whole.
  const found = new Map<string, Offer>();
  for (const text of objectsIn(reply)) collect(parsed(text), wanted, found, DEPTH);
  return found;
}

/** The parts of an answer that may be its JSON, the likeliest first. */
function* candidates(reply: string): Iterable<string> {
  yield reply;
  const fenced = reply.split("```", 2 * MOST_FENCES).filter((_, at) => at % 2 === 1);
  for (const code of fenced) yield code.replace(/^\w*/, "");
  for (const [open, close] of ["{}", "[]"]) {
    const [from, to] = [reply.indexOf(open!), reply.lastIndexOf(close!)];
    if (from >= 0 && to > from) yield reply.slice(from, to + 1);
  }
}

/** A list of tools, an object that holds one, or an object of tools by their names. */
function collect(value: unknown, wanted: ReadonlySet<string>, found: Map<string, Offer>, depth: number): void {
  if (typeof value !== "object" || value === null || depth === 0) return;
  const add = (name: string, { queries, keywords }: Partial<Offer>) => {
    if (wanted.has(name) && !found.has(name)) found.set(name, { queries, keywords });
  };
  const { name } = value as { name?: unknown };
  if (typeof name === "string" && isOffer(value)) return add(name.trim(), value);
  for (const [key, inner] of Object.entries(value)) {
    if (wanted.has(key) && isOffer(inner)) add(key, inner);
    else collect(inner, wanted, found, depth - 1);
  }
}

function isOffer(value: unknown): value is Partial<Offer> {
  return typeof value === "object" && value !== null && ("queries" in value || "keywords" in value);
}

/** Every object that is closed, inner ones before outer ones. It takes linear time. */
function objectsIn(reply: string): string[] {
  const objects: string[] = [];
  const open: number[] = [];
  let isText = false;
  let read = 0;
  for (let at = 0; at < reply.length; at++) {
    const char = reply[at];
    if (isText) {
      if (char === "\\") at++;
      else if (char === '"') isText = false;
    } else if (char === "{" && open.length < MOST_OPEN) open.push(at);
    else if (char === '"') isText = open.length > 0;
    else if (char === "}") {
      const from = open.pop();
      // An outer object is read only for what stands behind the inner ones.
      if (from !== undefined && from >= read) {
        objects.push(reply.slice(from, at + 1));
        read = at;
      }
    }
  }
  return objects;
}
