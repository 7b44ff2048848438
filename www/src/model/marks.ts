/** Marks in a text what a search matched there. */
import type { HitPart, SearchedField } from "toolsift";
import { kindOf, type Kind } from "./reasons.ts";

/** A piece of a text; `kind` where it matched. */
export interface Piece {
  text: string;
  kind: Kind | null;
}

/** How a part may stand inside of a word. */
const ANYWHERE: readonly HitPart["how"][] = ["inside", "pattern", "whole-query", "similar"];

/** A text with the words of it that parts of a score name. `text` is every field of a ranker that does not tell them apart. */
export function marked(text: string, parts: readonly HitPart[], field: SearchedField): Piece[] {
  const kinds: (Kind | null)[] = Array.from({ length: text.length }, () => null);
  const lower = text.toLowerCase();
  // Where the case of a letter changes how long a text is, places would not fit.
  if (lower.length !== text.length) return [{ text, kind: null }];
  for (const part of parts) {
    if (part.field !== field && part.field !== "text") continue;
    const wanted = part.matched.toLowerCase();
    // What stands for the text as a whole marks no words of it.
    if (wanted === "" || kindOf(part) === "whole" || wanted === lower) continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      if (!ANYWHERE.includes(part.how) && !beginsWord(text, at)) continue;
      for (let place = at; place < at + wanted.length; place += 1) kinds[place] ??= kindOf(part);
    }
  }
  return piecesOf(text, kinds);
}

/** Fields other than name and description in which something matched, each with its texts. */
export function elsewhere(parts: readonly HitPart[]): { field: SearchedField; pieces: Piece[] }[] {
  const fields = new Map<SearchedField, Map<string, Kind>>();
  for (const part of parts) {
    const { field, matched, term } = part;
    if (term === "" || matched === "" || field === "name" || field === "description" || field === "text") continue;
    const own = fields.get(field) ?? new Map<string, Kind>();
    fields.set(field, own);
    if (!own.has(matched)) own.set(matched, kindOf(part));
  }
  return [...fields].map(([field, own]) => ({ field, pieces: [...own].map(([text, kind]) => ({ text, kind })) }));
}

function beginsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const [before, first] = [text[at - 1] as string, text[at] as string];
  if (!/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}|\p{N}/u.test(before) && /\p{Lu}/u.test(first);
}

function piecesOf(text: string, kinds: readonly (Kind | null)[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && kinds[at] === kinds[from]) continue;
    pieces.push({ text: text.slice(from, at), kind: kinds[from] ?? null });
    from = at;
  }
  return pieces;
}
