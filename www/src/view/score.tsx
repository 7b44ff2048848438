import type { Hit, SearchResult } from "toolsift";
import { score } from "../model/numbers.ts";

/** Whether scores say anything: what was named or matched a pattern is not ranked. */
export function isRanked(result: SearchResult | null): boolean {
  return result !== null && !["select", "pattern", "none"].includes(result.stage);
}

/** A score on its ranker's own scale; the bar compares it with the best of the same search. */
export function Score({ value, best }: { value: number; best: number }) {
  return (
    <span class="score" title="The ranker’s own scale; the bar is relative to the best hit">
      <span class="visually-hidden">Score </span>
      <span class="score-value">{score(value)}</span>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={best > 0 ? (value / best) * 100 : 0} height="4" />
      </svg>
    </span>
  );
}

const HOW = {
  pattern: "matches",
  "whole-query": "holds the whole query",
  word: "is the word",
  inside: "holds",
  similar: "is similar to",
};

const FIELDS = { name: "name", hint: "hint", description: "description", text: "name, description or parameters" };

export function Why({ hit }: { hit: Hit }) {
  if (hit.parts.length === 0) return null;
  return (
    <details class="why">
      <summary>Why?</summary>
      <ul>
        {hit.parts.map((part) => (
          <li>
            {FIELDS[part.field]}: <q>{part.matched}</q> {HOW[part.how]} <q>{part.term}</q>
            <span class="cost"> {score(part.contribution)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
