import { Fragment } from "preact";
import type { Hit } from "toolsift";
import { FIELDS } from "../../model/labels.ts";
import { elsewhere } from "../../model/marks.ts";
import { Marked } from "../lib/marked.tsx";
import { Reasons } from "../lib/reasons.tsx";
import { Score } from "../lib/score.tsx";

/** Texts of other fields that are shown. */
const ELSEWHERE = 3;
/** Characters of a description that are shown. */
const SHOWN = 160;

/** One hit: its texts with what matched in them, and its score with what that is made of. */
export function HitCard({ hit, place, most }: { hit: Hit; place: number; most: number }) {
  const { name, description, score, parts } = hit;
  const text = description.length > SHOWN ? `${description.slice(0, SHOWN).trimEnd()}…` : description;
  return (
    <li class="hit" data-hit={name}>
      <p class="hit-name mono">
        <span class="hit-place">{place}</span>
        <span>
          <Marked text={name} parts={parts} field="name" />
        </span>
      </p>
      <p class="hit-text">
        <Marked text={text} parts={parts} field="description" />
      </p>
      {elsewhere(parts).map(({ field, pieces }) => (
        <p key={field} class="hit-also">
          {FIELDS[field]}:
          {pieces.slice(0, ELSEWHERE).map(({ text: matched, kind }) => (
            <Fragment key={matched}>
              {" "}
              <mark class={`mark-${kind}`}>{matched}</mark>
            </Fragment>
          ))}
        </p>
      ))}
      {parts.length === 0 ? (
        <Score value={score} full={most} parts={parts} />
      ) : (
        <details class="why">
          <summary>
            <Score value={score} full={most} parts={parts} />
            <span class="visually-hidden">Why?</span>
          </summary>
          <Reasons parts={parts} />
        </details>
      )}
    </li>
  );
}
