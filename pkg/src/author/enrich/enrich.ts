/** Lets a model write the words that people use for tools, and keeps the valid ones. */

import { workInTime, unlessEnded } from "../../loop/ending.js";
import { whenAborted } from "../../base/wait.js";
import type { Enrichment, SingleTool, ToolList } from "../../types/index.js";
import { kind, reasonOf, parsed } from "../../base/values.js";
import { fieldsOf } from "../../wire/fields.js";
import { Keeper, type Texts, type Offer } from "./accept.js";
import { type EnrichSettings, settingsOf, type EnrichOptions, type EnrichReport, type NotEnriched } from "./options.js";
import { type Batch, entryOf, type Piece, type Plan, planOf } from "./plan.js";
import { promptText, systemText } from "./prompt.js";
import { subjectsOf } from "./subjects.js";
import { mostTokens, tokensOf } from "./tokens.js";

/** The number of failed requests in a row after which no more are sent, because the key or the address is probably wrong. */
const MOST_FAILURES = 5;
/** The maximum length of an answer, in characters. */
const ANSWER_CHARS = 1_000_000;
/** The maximum length of a reason, in characters. */
const REASON_CHARS = 300;

/**
 * Lets a model write the words that people use for tools: whole requests and keywords that the definitions lack. Texts that
 * are too long, copy the definition, contain URLs or invisible characters, or give orders to a model are left out. Missing
 * texts are requested once more. If they are still missing, that is reported; other tools are not affected.
 *
 * Definitions are untrusted data, and the prompt says so. Read the model's words before you commit them.
 *
 * @param tools tools in any format that `register` reads, or the result of `tools/list`
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `enrichment_invalid` (for `previous`),
 * `not_json`; the reason of `signal` if it is aborted; the error of `onProgress`
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
  /** The number of failed requests in a row, and the reason of the last failure. */
  #failures = 0;
  #reason = "";
  /** Calls the listener of progress one call after the other, because it may write a file. */
  #telling = Promise.resolve();

  constructor(plan: Plan, settings: EnrichSettings) {
    this.#plan = plan;
    this.#settings = settings;
  }

  /** Requests all batches, several at the same time. The first error that cannot be handled ends all of them. */
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

  /** Sends one request. If it fails, the text is empty and `error` has the reason. */
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
    if (this.#failures >= MOST_FAILURES) {
      return { text: "", error: `not asked, because ${MOST_FAILURES} requests in a row failed: ${this.#reason}` };
    }
    const { complete, timeoutMs } = this.#settings;
    this.#tokens.input += tokensOf(system) + tokensOf(prompt);
    try {
      const maxTokens = mostTokens(tools.length, this.#settings);
      const request = { system, prompt, language, tools, attempt, maxTokens };
      const text: unknown = await workInTime(timeoutMs, signal, (own) => complete({ ...request, signal: own }));
      if (typeof text !== "string") throw new Error(`the model returned ${kind(text)}, not a text`);
      this.#failures = 0;
      this.#tokens.output += tokensOf(text);
      if (text.length <= ANSWER_CHARS) return { text };
      return { text: "", error: `the answer has ${text.length} characters; at most ${ANSWER_CHARS}` };
    } catch (error) {
      signal.throwIfAborted();
      this.#failures += 1;
      this.#reason = reasonOf(error).slice(0, REASON_CHARS);
      // An error with a status was already retried enough, by `askServer` or by the SDK of the caller.
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

/** The maximum depth at which values are searched. */
const DEPTH = 6;
/** The maximum number of code fences that are read. */
const MOST_FENCES = 20;
/** The maximum nesting of objects. A valid answer nests less. */
const MOST_OPEN = 10_000;

function offersIn(reply: string, names: readonly string[]): Map<string, Offer> {
  const wanted = new Set(names);
  for (const text of candidates(reply)) {
    const found = new Map<string, Offer>();
    const value = parsed(text);
    if (value !== undefined) collect(value, wanted, found, DEPTH);
    if (found.size > 0) return found;
  }
  // If an answer was cut, the tools before the cut are complete.
  const found = new Map<string, Offer>();
  for (const text of objectsIn(reply)) collect(parsed(text), wanted, found, DEPTH);
  return found;
}

/** Returns the parts of an answer that may be its JSON, the most likely first. */
function* candidates(reply: string): Iterable<string> {
  yield reply;
  const fenced = reply.split("```", 2 * MOST_FENCES).filter((_, at) => at % 2 === 1);
  for (const code of fenced) yield code.replace(/^\w*/, "");
  for (const [open, close] of ["{}", "[]"]) {
    const [from, to] = [reply.indexOf(open!), reply.lastIndexOf(close!)];
    if (from >= 0 && to > from) yield reply.slice(from, to + 1);
  }
}

/** Collects tools from a list, from an object with a list, or from an object with tools by name. */
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

/** Returns every complete object in a text, inner ones before outer ones, in linear time. */
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
      // An outer object is skipped if it only wraps inner ones that were read.
      if (from !== undefined && from >= read) {
        objects.push(reply.slice(from, at + 1));
        read = at;
      }
    }
  }
  return objects;
}
