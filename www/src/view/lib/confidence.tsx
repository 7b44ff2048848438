import type { SearchResult } from "toolsift";
import { CONFIDENCES } from "../../model/labels.ts";
import { score } from "../../model/numbers.ts";

/** How far a search trusts its own hits, and what it could not place. */
export function ConfidenceNote({ result }: { result: SearchResult }) {
  const { confidence, unknownWords = [], closestServers = [] } = result;
  if (confidence === undefined) return null;
  const { label, meaning } = CONFIDENCES[confidence];
  return (
    <div class="confidence">
      <span class={`confidence-badge ${confidence}`} data-confidence={confidence}>
        <Level confidence={confidence} />
        {label}
        {narrow(result) && ", only just"}
      </span>
      <p class="hint">
        {[meaning, besideChance(result)].filter(Boolean).join(" ")}
        {unknownWords.length > 0 && (
          <>
            {" No tool knows "}
            {unknownWords.map((word, index) => (
              <>
                {index > 0 && ", "}
                <q key={word}>{word}</q>
              </>
            ))}
            .
          </>
        )}
        {confidence !== "high" && closestServers.length > 0 && ` Closest servers: ${closestServers.join(", ")}.`}
      </p>
    </div>
  );
}

/** What the confidence rests on. A multiple of next to nothing says nothing. */
function besideChance({ overChance, hits }: SearchResult): string {
  if (overChance === undefined || hits.length === 0) return "";
  if (overChance === null) return "The query names what it wants.";
  return overChance < MOST_SAID ? `The best score is ${score(overChance)} times what chance would find here.` : "";
}

const MOST_SAID = 100;

/** Up to this multiple of chance, confidence is high but not by much: the library calls it high from 1 on. */
const NARROW = 1.2;

function narrow({ confidence, overChance }: SearchResult): boolean {
  return confidence === "high" && typeof overChance === "number" && overChance < NARROW;
}

const LEVELS = { none: 0, low: 1, high: 3 };

/** Three steps, as many of them filled as the hits deserve. */
function Level({ confidence }: { confidence: keyof typeof LEVELS }) {
  return (
    <svg viewBox="0 0 14 10" aria-hidden="true">
      {[0, 1, 2].map((step) => (
        <rect
          key={step}
          class={step < LEVELS[confidence] ? "reached" : "missed"}
          x={step * 5}
          y={6 - step * 3}
          width="4"
          height={4 + step * 3}
        />
      ))}
    </svg>
  );
}
