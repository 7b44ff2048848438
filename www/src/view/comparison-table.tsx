import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Column } from "../model/comparison.ts";
import type { Lab } from "../model/lab.ts";
import { count, percent } from "../model/numbers.ts";
import { savedText } from "./figure.tsx";
import { WithCode } from "./with-code.tsx";

/** Names of hits that are shown; the rest is a number. */
const SHOWN = 5;

interface RowSpec {
  label: string;
  note?: string;
  cell: (column: Column) => ComponentChildren;
  name: string;
}

const ROWS: readonly RowSpec[] = [
  { name: "shows", label: "The model sees", cell: ({ profile }) => <WithCode text={profile.shows} /> },
  { name: "tools", label: "Tools sent at first", cell: ({ first }) => count(first.request.tools) },
  { name: "first", label: "Tokens of the first request", cell: ({ first }) => <Tokens size={first} /> },
  { name: "found", label: "The query returns", cell: (column) => <Found column={column} /> },
  { name: "steps", label: "Calls to get to a hit", cell: (column) => <Steps column={column} /> },
  { name: "answers", label: "Tokens read on the way", note: "in answers", cell: ({ answers }) => count(answers) },
  { name: "after", label: "Tokens with the hit in use", cell: ({ steps, after }) => steps && <Tokens size={after} /> },
  {
    name: "prefix",
    label: "Cached tools kept",
    note: "of the first request",
    cell: ({ steps, after }) => steps && percent(after.prefix.share),
  },
];

/** One column per profile, one row per figure; a column is also the way to its profile. */
export function ComparisonTable({ lab, columns }: { lab: Lab; columns: readonly Column[] }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => showCurrent(frame.current), [lab.profile.name]);
  return (
    <div ref={frame} class="compare-frame" tabIndex={0} role="region" aria-labelledby="comparison-title">
      <table>
        <thead>
          <tr>
            <td />
            {columns.map(({ profile, byItself }) => (
              <th
                scope="col"
                key={profile.name}
                class={profile.name === lab.profile.name ? "current" : ""}
                data-profile={profile.name}
              >
                <button
                  type="button"
                  class="compare-name mono"
                  aria-pressed={profile.name === lab.profile.name}
                  onClick={() => lab.chooseProfile(profile.name)}
                >
                  {profile.name}
                </button>
                <span class="compare-after">after {profile.after}</span>
                {!byItself && <span class="tag" title="By itself it would send everything here">told to hold back</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ name, label, note, cell }) => (
            <tr key={name}>
              <th scope="row">
                {label}
                {note && <span class="quiet"> {note}</span>}
              </th>
              {columns.map((column) => (
                <td
                  key={column.profile.name}
                  class={column.profile.name === lab.profile.name ? "current" : ""}
                  data-figure={`${column.profile.name} ${name}`}
                  // For the mouse the whole column is the button that stands above it.
                  onClick={() => lab.chooseProfile(column.profile.name)}
                >
                  {cell(column) ?? "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where the table scrolls, brings the column of the profile at work beside the labels, and leaves the page where it is. */
function showCurrent(frame: HTMLElement | null): void {
  const column = frame?.querySelector<HTMLElement>("th.current");
  const labels = frame?.querySelector<HTMLElement>("tbody th");
  if (frame && column && labels) frame.scrollLeft = column.offsetLeft - labels.offsetWidth;
}

function Tokens({ size }: { size: Column["first"] }) {
  const share = size.full.tokens > 0 ? Math.min(1, size.request.tokens / size.full.tokens) : 0;
  return (
    <span class="compare-tokens">
      <b>{count(size.request.tokens)}</b> <span class="quiet">{savedText(size)}</span>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="running-all" width="100" height="4" />
        <rect class="running-sent" width={share * 100} height="4" />
      </svg>
    </span>
  );
}

function Found({ column: { found, refused } }: { column: Column }) {
  if (refused !== null) return <span class="problem">{refused}</span>;
  if (found.length === 0) return <span class="quiet">nothing</span>;
  return (
    <ol class="compare-names mono">
      {found.slice(0, SHOWN).map((name) => (
        <li key={name} title={name}>
          {name}
        </li>
      ))}
      {found.length > SHOWN && <li class="quiet">and {count(found.length - SHOWN)} more</li>}
    </ol>
  );
}

function Steps({ column: { steps } }: { column: Column }) {
  if (!steps) return <>–</>;
  return (
    <ol class="compare-steps mono">
      {steps.map((step, index) => (
        <li key={index} title={step}>
          {step}
        </li>
      ))}
    </ol>
  );
}
