/** Decides what to request: tools without an entry, with an entry of another definition, or with a missing language. */

import type { Enrichment, SingleTool, ToolList } from "../../types/index.js";
import { grouped } from "../grouped.js";
import { MOST_TEXTS, type Choices, choicesOf, type EnrichEstimate, type EnrichOptions } from "./options.js";
import type { Texts } from "./accept.js";
import { type Subject, subjectsOf } from "./subjects.js";
import { promptText, systemText } from "./prompt.js";
import { answerTokens, tokensOf } from "./tokens.js";

/** The languages of an entry that states none. */
const UNSAID = ["en"];

/** A tool with its entries so far, and the languages in which words are missing. */
export interface Piece {
  subject: Subject;
  /** The entry that was written for this definition. */
  base: Enrichment | undefined;
  /** The earlier entries of this tool, in their order. */
  before: Enrichment[];
  /** The earlier entries that were written for another definition. */
  stale: Set<Enrichment>;
  missing: string[];
}

/** Tools that are requested together, in one language. */
export interface Batch {
  language: string;
  pieces: Piece[];
  /** The names of other tools of the same servers. */
  others: string[];
}

/** The work of a run. */
export interface Plan {
  pieces: Piece[];
  batches: Batch[];
  /** Earlier entries that belong to no tool of the list. */
  rest: Enrichment[];
}

export function planOf(subjects: readonly Subject[], { previous, languages, batch }: Choices): Plan {
  const byHash = grouped(previous, ({ hash }) => hash);
  const byName = grouped(previous, ({ name }) => name);
  const hashes = new Set(subjects.map(({ hash }) => hash));
  const taken = new Set<Enrichment>();
  const planned = new Set<string>();
  const pieces = subjects.map((subject): Piece => {
    const isHere = (entry: Enrichment) => (entry.server ?? subject.server) === subject.server;
    // As in the core, words that were written for this definition count whatever the server's name is.
    const same = [...(byHash.get(subject.hash) ?? [])].sort((a, b) => Number(isHere(b)) - Number(isHere(a)));
    const named = (byName.get(subject.name) ?? []).filter((entry) => isHere(entry) && !hashes.has(entry.hash!));
    const before = [...new Set([...same, ...named])].filter((entry) => !taken.has(entry));
    before.forEach((entry) => taken.add(entry));
    const known = new Set(same.flatMap((entry) => entry.languages ?? UNSAID).map(canonical));
    const missing = planned.has(subject.hash) ? [] : languages.filter((language) => !known.has(language));
    planned.add(subject.hash);
    return { subject, base: same[0], before, stale: new Set(named.filter(({ hash }) => hash)), missing };
  });
  const batches = languages.flatMap((language) => batchesOf(pieces, language, batch));
  const place = new Map(pieces.map((piece, at) => [piece, at]));
  // All languages of a tool follow each other, so that an interrupted run leaves complete entries.
  batches.sort((a, b) => place.get(a.pieces[0]!)! - place.get(b.pieces[0]!)!);
  return { pieces, batches, rest: previous.filter((entry) => !taken.has(entry)) };
}

/** Splits the tools into batches by server. A batch has each name only once. */
function batchesOf(pieces: readonly Piece[], language: string, most: number): Batch[] {
  const open = pieces.filter(({ missing }) => missing.includes(language));
  const lists: Piece[][] = [];
  for (const list of grouped(open, ({ subject }) => subject.server ?? "").values()) {
    for (const piece of list) {
      const last = lists.at(-1);
      const isFull =
        last === undefined || last.length === most || last.some(({ subject }) => subject.name === piece.subject.name);
      if (isFull) lists.push([piece]);
      else last.push(piece);
    }
  }
  const names = grouped(pieces, ({ subject }) => subject.server ?? "");
  return lists.map((list) => {
    const own = new Set(list);
    const servers = new Set(list.map(({ subject }) => subject.server ?? ""));
    const siblings = [...servers].flatMap((server) => names.get(server)!).filter((piece) => !own.has(piece));
    return { language, pieces: list, others: siblings.map(({ subject }) => subject.name) };
  });
}

/** Returns the entry of a tool with its new texts, by language. */
export function entryOf({ subject, base }: Piece, written: ReadonlyMap<string, Texts>): Enrichment {
  const { name, server, hash } = subject;
  const texts = [base ?? {}, ...written.values()];
  const all = (what: "queries" | "keywords") => [...new Set(texts.flatMap((one) => one[what] ?? []))].slice(0, MOST_TEXTS);
  const languages = [...(base === undefined ? [] : (base.languages ?? UNSAID)), ...written.keys()];
  return {
    ...(base ?? (server !== null && { server })),
    name,
    hash,
    languages,
    queries: all("queries"),
    keywords: all("keywords"),
  };
}

function canonical(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    // A file may contain any text here. It is no language that could be requested.
    return tag;
  }
}

/**
 * Estimates what `enrich` would request with these options: the tokens of its prompts, and of usual answers. It accepts all
 * options of `enrich`. Tokens are characters / 4; texts in scripts other than Latin take more.
 *
 * @throws ToolSiftError as `enrich`
 */
export function estimate(tools: ToolList | SingleTool, options?: Partial<EnrichOptions>): EnrichEstimate {
  const choices = choicesOf(options);
  const { batches, pieces } = planOf(subjectsOf(tools, choices.server).subjects, choices);
  const tokens = batches.map(({ language, pieces: ofBatch, others }) => {
    const prompt = promptText(
      ofBatch.map(({ subject }) => subject),
      others,
      new Map(),
    );
    return {
      input: tokensOf(systemText(language, choices)) + tokensOf(prompt),
      output: answerTokens(ofBatch.length, choices),
    };
  });
  return {
    tools: pieces.filter(({ missing }) => missing.length > 0).length,
    requests: batches.length,
    inputTokens: tokens.reduce((sum, { input }) => sum + input, 0),
    outputTokens: tokens.reduce((sum, { output }) => sum + output, 0),
  };
}
