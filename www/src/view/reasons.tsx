import type { HitPart } from "toolsift";
import { score } from "../model/numbers.ts";
import { FIELDS, groupsOf, HOWS, kindOf, KINDS, kindsOf } from "../model/reasons.ts";

/** A bar for each part of a score, by the words of the query: the field, the match, and the contribution. */
export function Reasons({ parts }: { parts: readonly HitPart[] }) {
  const most = Math.max(...parts.map((part) => part.contribution));
  return (
    <div class="reasons">
      {groupsOf(parts).map(({ term, parts: own, sum }) => (
        <section key={term} class="reason-group">
          <p class="reason-term">
            {term === "" ? "As a whole" : <q>{term}</q>}
            {own.length > 1 && <span class="cost">{score(sum)}</span>}
          </p>
          <ul>
            {own.map((part, index) => (
              <Reason key={index} part={part} share={most > 0 ? part.contribution / most : 0} />
            ))}
          </ul>
        </section>
      ))}
      <ul class="legend">
        {kindsOf(parts).map(({ kind }) => (
          <li key={kind} class={`key-${kind}`}>
            {KINDS[kind]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Reason({ part, share }: { part: HitPart; share: number }) {
  return (
    <li class="reason">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class={`fit-${kindOf(part)}`} width={share * 100} height="6" />
      </svg>
      <span class="reason-value">{score(part.contribution)}</span>
      <span class="reason-text">{part.term === "" ? <Whole part={part} /> : <Word part={part} />}</span>
    </li>
  );
}

function Word({ part: { field, matched, how } }: { part: HitPart }) {
  return (
    <>
      <b>{FIELDS[field]}</b> <q>{matched}</q>, {HOWS[how]}
    </>
  );
}

function Whole({ part: { matched, how } }: { part: HitPart }) {
  return (
    <>
      {HOWS[how]} {matched !== "" && <q>{matched}</q>}
    </>
  );
}
