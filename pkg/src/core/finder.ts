/**
 * Searches. The core answers a plain search in numbers, and the texts of a tool are asked for once: writing and reading texts
 * would take about as long as a search among a hundred tools.
 */

import { type Core, core as glue } from "./bindings.js";
import type { Confidence, Hit, SearchResult } from "../types/index.js";

/** No catalog is larger, so no limit is. */
const MOST_HITS = 200_000;
/** Characters of texts that are kept. Past them all are forgotten, and with them those of tools that have gone. */
const MOST_CHARS = 2_000_000;

/** How an answer begins; a hit, a server and a word follow as `src/facade/numbers.rs` says. */
const HEAD = 8;
const HIT = 4;
const SERVER = 2;

type Texts = readonly [name: string, server: string | null, description: string];

/** What indexes in an answer stand for. */
let names: [stages: SearchResult["stage"][], confidences: Confidence[]] | undefined;

/** Keeps the texts of the tools that were found, by the number of the tool's version. */
export class Finder {
  readonly #texts = new Map<number, Texts>();
  #chars = 0;

  /** What the core finds, with options that are plain data. Runs the core, which may throw. */
  search(core: Core, query: string, options: unknown): SearchResult {
    const plainOptions = scalars(options);
    if (plainOptions === undefined) return JSON.parse(core.search(query, options)) as SearchResult;
    const answer = core.find(query, plainOptions.limit, plainOptions.session) as string | Float64Array;
    // Hits that have reasons come as texts.
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

  /** Asks for the texts of the tools in an answer that are not known. */
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

  /** Reads an answer, the texts of whose tools are known. */
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

/** The options of a plain search. None where others are said, or some that the core refuses: it knows the message. */
function scalars(options: unknown): { limit?: number; session?: string } | undefined {
  if (options === undefined) return {};
  if (typeof options !== "object" || options === null || Array.isArray(options)) return undefined;
  const { limit, session, ...others } = options as { limit?: unknown; session?: unknown };
  for (const _ in others) return undefined;
  if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= MOST_HITS))
    return undefined;
  // A session that is there and undefined is refused: it may be one that the host failed to find.
  if ("session" in options && typeof session !== "string") return undefined;
  return options;
}
