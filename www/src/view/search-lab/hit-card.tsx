import { Fragment } from "preact";
import type { Hit } from "toolsift";
import { FIELDS } from "../../model/labels.ts";
import { elsewhere } from "../../model/marks.ts";
import { Marked } from "../lib/marked.tsx";
import { Score } from "../lib/score.tsx";

/** Texts of other fields that are shown. */
const ELSEWHERE = 3;
/** Characters of a description that are shown. */
const SHOWN = 160;

interface Props {
  hit: Hit;
  place: number;
  /** What a full bar stands for. */
  most: number;
  chosen: boolean;
  onChoose: (name: string) => void;
}

/** One hit of the ranker in use: its texts with what matched in them, and its score with what that is made of. */
export function HitCard({ hit, place, most, chosen, onChoose }: Props) {
  const { name, description, score, parts } = hit;
  const text = description.length > SHOWN ? `${description.slice(0, SHOWN).trimEnd()}…` : description;
  return (
    <li class={`hit ${chosen ? "chosen" : ""}`} data-hit={name}>
      <button type="button" class="hit-name mono" aria-pressed={chosen} onClick={() => onChoose(name)}>
        <span class="hit-place">{place}</span>
        <span>
          <Marked text={name} parts={parts} field="name" />
        </span>
      </button>
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
      <Score value={score} full={most} parts={parts} />
    </li>
  );
}

/** One hit of another ranker: its place and its name. */
export function HitLine({ name, chosen, onChoose }: { name: string } & Pick<Props, "chosen" | "onChoose">) {
  return (
    <li data-hit={name}>
      <button type="button" class="hit-line mono" aria-pressed={chosen} onClick={() => onChoose(name)}>
        {name}
      </button>
    </li>
  );
}
