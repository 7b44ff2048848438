/**
 * Searches the core. The core answers a plain search in numbers, and the texts of each tool are fetched only once: writing
 * and reading the texts takes about as long as a search among a hundred tools.
 */

import { type Core, core as glue } from "./bindings.js";
import type { Confidence, Hit, SearchResult } from "../types/index.js";

/** The maximum `limit`: no catalog is larger. */
const MOST_HITS = 200_000;
/** The maximum number of characters of stored texts. Above it, all texts are dropped, including those of removed tools. */
const MOST_CHARS = 2_000_000;

/** The lengths of the parts of an answer: its head, a hit, a server. `src/facade/numbers.rs` describes them. */
const HEAD = 8;
const HIT = 4;
const SERVER = 2;

type Texts = readonly [name: string, server: string | null, description: string];

/** The names for the indexes in an answer. */
let names: [stages: SearchResult["stage"][], confidences: Confidence[]] | undefined;

/** Stores the texts of found tools, by the number of the tool's version. */
export class Finder {
  readonly #texts = new Map<number, Texts>();
  #chars = 0;

  /** Searches the core with options that are plain data. The core may throw. */
  search(core: Core, query: string, options: unknown): SearchResult {
    const plainOptions = scalars(options);
    if (plainOptions === undefined) return JSON.parse(core.search(query, options)) as SearchResult;
    const answer = core.find(query, plainOptions.limit, plainOptions.session) as string | Float64Array;
    // An answer with reasons is a text.
    if (typeof answer === "string") return JSON.parse(answer) as SearchResult;
    this.#learn(core, answer);
    const result = this.#result(query, answer);
    if (this.#chars > MOST_CHARS) this.forget();
    return result;
  }

  forget(): void {
    this.#texts.clear();
    this.#chars = 0;
  }

  /** Fetches the texts of the answer's tools that are not stored yet. */
  #learn(core: Core, answer: Float64Array): void {
    const [hits, servers] = [answer[2]!, answer[5]! + answer[6]!];
    const unknown = new Map<number, number>();
    const see = (at: number) => {
      if (!this.#texts.has(answer[at]!)) unknown.set(answer[at]!, answer[at + 1]!);
    };
    const rest = HEAD + HIT * hits;
    for (let at = HEAD; at < rest; at += HIT) see(at);
    for (let at = rest; at < rest + SERVER * servers; at += SERVER) see(at);
    if (unknown.size === 0) return;
    const learned = JSON.parse(core.texts(Uint32Array.from(unknown.values()))) as Texts[];
    let next = 0;
    for (const id of unknown.keys()) {
      const texts = learned[next++]!;
      this.#texts.set(id, texts);
      this.#chars += texts[0].length + texts[2].length;
    }
  }

  /** Reads an answer after the texts of its tools were stored. */
  #result(query: string, answer: Float64Array): SearchResult {
    const [stages, confidences] = (names ??= JSON.parse(glue().Core.names()) as NonNullable<typeof names>);
    const [count, overChance, closest, crowded, words] = [answer[2]!, answer[4]!, answer[5]!, answer[6]!, answer[7]!];
    let at = HEAD;
    const hits: Hit[] = [];
    for (; hits.length < count; at += HIT) {
      const [name, server, description] = this.#texts.get(answer[at]!)!;
      const [score, likelihood] = [answer[at + 2]!, answer[at + 3]!];
      hits.push(
        Number.isNaN(likelihood)
          ? { name, server, description, score, parts: [] }
          : { name, server, description, score, likelihood, parts: [] },
      );
    }
    const result: SearchResult = { query, stage: stages[answer[0]!]!, hits, searched: answer[1]! };
    const confidence = confidences[answer[3]!];
    if (confidence === undefined) return result;
    const servers: string[] = [];
    for (; servers.length < closest + crowded; at += SERVER) servers.push(this.#texts.get(answer[at]!)![1]!);
    const unknownWords: string[] = [];
    while (unknownWords.length < words) {
      const end = at + 1 + answer[at]!;
      let word = "";
      for (at += 1; at < end; at++) word += String.fromCharCode(answer[at]!);
      unknownWords.push(word);
    }
    result.confidence = confidence;
    result.overChance = Number.isFinite(overChance) ? overChance : null;
    result.unknownWords = unknownWords;
    result.closestServers = servers.slice(0, closest);
    result.crowded = servers.slice(closest);
    return result;
  }
}

/** Returns the options of a plain search; undefined for other options, and for values that the core has to refuse. */
function scalars(options: unknown): { limit?: number; session?: string } | undefined {
  if (options === undefined) return {};
  if (typeof options !== "object" || options === null || Array.isArray(options)) return undefined;
  const { limit, session, ...others } = options as { limit?: unknown; session?: unknown };
  for (const _ in others) return undefined;
  if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= MOST_HITS))
    return undefined;
  // The key `session` with the value undefined is refused: the program may have failed to find its session.
  if ("session" in options && typeof session !== "string") return undefined;
  return options;
}
