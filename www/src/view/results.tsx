import { useState } from "preact/hooks";
import type { Hit, ToolInfo } from "toolsift";
import type { Exchange } from "../model/conversation.ts";
import type { Lab } from "../model/lab.ts";
import { count, plural } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import { stepsFor, type Draft } from "../model/steps.ts";
import { scaleOf } from "../model/reasons.ts";
import { ConfidenceNote } from "./confidence.tsx";
import { Reasons } from "./reasons.tsx";
import { Score } from "./score.tsx";
import { StateTag } from "./state-tag.tsx";
import { StepButton } from "./step-button.tsx";
import { WhyNot } from "./why-not.tsx";

/** A pattern may match the whole catalog; a page of it is enough to see what the model gets. */
const SHOWN = 8;

interface Props {
  lab: Lab;
  onCall: (draft: Draft) => void;
}

/** The tools that the last search named: they stay while the model loads one after another. */
export function Results({ lab, onCall }: Props) {
  const search = lab.current.lastSearch;
  if (!search) return null;
  return <ResultList key={search.turn} lab={lab} search={search} onCall={onCall} />;
}

function ResultList({ lab, search, onCall }: Props & { search: Exchange }) {
  const [all, setAll] = useState(false);
  const infos = new Map(lab.current.tools.map((tool) => [tool.name, tool]));
  const hits = new Map(search.insight?.hits.map((hit) => [hit.name, hit]));
  const full = scaleOf(search.insight);
  const { missing, offered } = search.named;
  const found = search.named.rows;
  // What is offered in place of hits can be looked for by its name.
  const named = found.length > 0 ? found : offered.map((name): Row => ({ name, description: "", schema: null }));
  const rows = all ? named : named.slice(0, SHOWN);
  return (
    <div class="results">
      <h3 class="results-title">{titleOf(search)}</h3>
      {search.insight && <ConfidenceNote result={search.insight} />}
      {missing.length > 0 && (
        <p class="hint">
          There is no tool <code>{missing.join(", ")}</code>; the answer says so.
        </p>
      )}
      {offered.length > 0 && <p class="hint">The answer offers the names of all {count(offered.length)} instead:</p>}
      {rows.length > 0 && (
        <ul class="rows">
          {rows.map((row, index) => (
            <ResultRow
              key={row.name}
              lab={lab}
              row={row}
              info={infos.get(row.name) ?? null}
              hit={hits.get(row.name) ?? null}
              full={full}
              unfolded={index === 0 && full === 1}
              onCall={onCall}
            />
          ))}
        </ul>
      )}
      {!all && named.length > SHOWN && (
        <button type="button" class="button small" onClick={() => setAll(true)}>
          Show all {count(named.length)}
        </button>
      )}
      {search.insight && <WhyNot conversation={lab.current} full={full} />}
    </div>
  );
}

const STAGES = {
  select: "named in the query",
  pattern: "the pattern matched, in catalog order",
  fuzzy: "no match for the pattern, so the most similar, best first",
  parts: "by words in parts of names, hints and descriptions, best first",
  overlap: "by words inside names and descriptions, best first",
  bm25: "by BM25, best first",
  sift: "by how well they fit, best first",
  substring: "no word matched, so names that hold the query",
  none: "nothing fits",
};

function titleOf({ insight, named, outcome }: Exchange): string {
  if (outcome.kind === "result" && outcome.isError) return "The search was refused; the answer says why";
  const rows = named.rows.length;
  if (!insight) return plural(rows, "tool");
  return `${rows === 0 ? "No tool" : plural(rows, "tool")} of ${count(insight.searched)}: ${STAGES[insight.stage]}`;
}

interface RowProps extends Props {
  row: Row;
  info: ToolInfo | null;
  hit: Hit | null;
  /** What a full bar of a score stands for, where scores rank. */
  full: number | null;
  /** Whether its reasons are shown unasked. */
  unfolded: boolean;
}

function ResultRow({ lab, row, info, hit, full, unfolded, onCall }: RowProps) {
  const description = row.description || (info?.description ?? "");
  const schema = row.schema ?? (info && lab.definition(info)?.schema) ?? {};
  const steps = stepsFor(row, info, { surface: lab.surface, rules: lab.rules, schema });
  return (
    <li class="row" data-row={row.name}>
      <div class="row-main">
        <span class="row-name mono">{row.name}</span>
        {info && <StateTag state={info.state} found={lab.current.found.has(row.name)} />}
        {description && <p class="row-text">{description}</p>}
      </div>
      <div class="row-side">
        {info && <span class="cost">{plural(info.tokens, "token")}</span>}
        {steps.map((step, index) => (
          <StepButton key={index} lab={lab} step={step} name={row.name} onCall={onCall} />
        ))}
      </div>
      {hit && <Fit hit={hit} full={full} unfolded={unfolded} />}
    </li>
  );
}

function Fit({ hit, full, unfolded }: { hit: Hit; full: number | null; unfolded: boolean }) {
  const value = full !== null && <Score value={hit.score} full={full} parts={hit.parts} />;
  if (hit.parts.length === 0) return value && <div class="row-fit">{value}</div>;
  return (
    <details class="row-fit why" open={unfolded}>
      <summary>
        {value}
        <span>Why?</span>
      </summary>
      <Reasons parts={hit.parts} />
    </details>
  );
}
