import { useState } from "preact/hooks";
import type { SearchResult } from "toolsift";
import { CONFIDENCES } from "../../model/labels.ts";
import { trustIn } from "../../model/confidence.ts";
import { Reasons } from "./reasons.tsx";

/** How far a search can be trusted, what it could not place, and, unless that stands elsewhere, why its best hit is the best. */
export function ConfidenceNote({ result, why = true }: { result: SearchResult; why?: boolean }) {
  const { unknownWords = [], closestServers = [], overChance } = result;
  // Reasons are a large part of the page, and are seldom looked at.
  const [open, setOpen] = useState(false);
  const [best] = result.hits;
  const trust = trustIn(result);
  if (trust === null) return null;
  const { confidence, fits, lacks } = trust;
  const { label, meaning } = CONFIDENCES[confidence];
  return (
    <div class="confidence">
      <span class={`confidence-badge ${confidence}`} data-confidence={confidence}>
        <Level confidence={confidence} />
        {label}
      </span>
      <p class="hint">
        {fits.length > 0 ? (
          <>
            The best hit fits only <Quoted words={fits} />, not <Quoted words={lacks} />.
          </>
        ) : (
          meaning || (overChance === null && "The query names what it wants.")
        )}
        {unknownWords.length > 0 && (
          <>
            {" No tool knows "}
            <Quoted words={unknownWords} />.
          </>
        )}
        {confidence !== "high" && closestServers.length > 0 && ` Closest servers: ${closestServers.join(", ")}.`}
      </p>
      {why && best && best.parts.length > 0 && (
        <details class="why" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <span>
              Why <code>{best.name}</code>?
            </span>
          </summary>
          {open && <Reasons parts={best.parts} />}
        </details>
      )}
    </div>
  );
}

function Quoted({ words }: { words: readonly string[] }) {
  return (
    <>
      {words.map((word, index) => (
        <span key={word}>
          {index > 0 && ", "}
          <q>{word}</q>
        </span>
      ))}
    </>
  );
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
