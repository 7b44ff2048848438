import { useState } from "preact/hooks";
import type { Hit, ToolInfo } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { Exchange } from "../../core/types.ts";
import { count, plural } from "../../model/numbers.ts";
import { scaleOf } from "../../model/reasons.ts";
import type { Row } from "../../model/rows.ts";
import { stepsFor, type Draft } from "../../model/steps.ts";
import { ConfidenceNote } from "../lib/confidence.tsx";
import { Reasons } from "../lib/reasons.tsx";
import { Score } from "../lib/score.tsx";
import { StateTag } from "../lib/state-tag.tsx";
import { WhyNot } from "../lib/why-not.tsx";
import { StepButton } from "./step-button.tsx";

/** A pattern may match the whole catalog; a page of it is enough to see what the model gets. */
const SHOWN = 5;

interface Props {
  onDraft: (draft: Draft) => void;
}

/** The tools that the last search named: they stay while the model reveals one after another. */
export function Hits({ onDraft }: Props) {
  const { lastSearch } = useStore().snapshot.current;
  return lastSearch && <HitList key={lastSearch.turn} search={lastSearch} onDraft={onDraft} />;
}

function HitList({ search, onDraft }: Props & { search: Exchange }) {
  const { tools, current } = useStore().snapshot;
  const [all, setAll] = useState(false);
  const infos = new Map(tools.map((tool) => [tool.name, tool]));
  const hits = new Map(search.insight?.hits.map((hit) => [hit.name, hit]));
  const full = scaleOf(search.insight);
  const { missing, offered } = search.named;
  const answered = search.named.rows;
  // What is offered in place of hits can be looked for by its name.
  const named = answered.length > 0 ? answered : offered.map((name): Row => ({ name, description: "", schema: null }));
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
          {rows.map((row) => (
            <HitRow
              key={row.name}
              row={row}
              info={infos.get(row.name) ?? null}
              hit={hits.get(row.name) ?? null}
              found={current.found.includes(row.name)}
              full={full}
              onDraft={onDraft}
            />
          ))}
        </ul>
      )}
      {!all && named.length > SHOWN && (
        <button type="button" class="button small" onClick={() => setAll(true)}>
          Show all {count(named.length)}
        </button>
      )}
      {search.insight && <WhyNot query={search.insight.query} full={full} />}
    </div>
  );
}

/** The order of the hits, where it is one of how well they fit. */
const STAGES = {
  select: "named in the query",
  pattern: "the pattern matched, in the order of the catalog",
  fuzzy: "no match for the pattern, so the most similar ones",
  parts: "by words in parts of names, hints and descriptions",
  overlap: "by words inside names and descriptions",
  bm25: "by BM25",
  sift: "by how well they fit",
  substring: "no word matched, so names that contain the query",
  none: "nothing fits",
};

const RANKED: readonly string[] = ["fuzzy", "parts", "overlap", "bm25", "sift"];

function titleOf({ insight, named, outcome }: Exchange): string {
  if (outcome.kind === "result" && outcome.isError) return "The search was refused; the answer says why";
  const rows = named.rows.length;
  if (!insight) return plural(rows, "tool");
  const stage = STAGES[insight.stage];
  return `${rows === 0 ? "No tool" : plural(rows, "tool")} of ${count(insight.searched)}: ${stage}${orderOf(insight, named.rows)}`;
}

/** Best first is said only where it is so: an answer puts what it reveals, or what is new, before the rest. */
function orderOf(insight: NonNullable<Exchange["insight"]>, rows: readonly Row[]): string {
  if (!RANKED.includes(insight.stage) || rows.length < 2) return "";
  const place = new Map(insight.hits.map((hit, index) => [hit.name, index]));
  const places = rows.map((row) => place.get(row.name) ?? Infinity);
  const sorted = places.every((one, index) => index === 0 || (places[index - 1] as number) <= one);
  return sorted ? ", best first" : "; first what is revealed, and what it needs";
}

interface RowProps extends Props {
  row: Row;
  info: ToolInfo | null;
  hit: Hit | null;
  found: boolean;
  /** What a full bar of a score stands for, where scores rank. */
  full: number | null;
}

function HitRow({ row, info, hit, found, full, onDraft }: RowProps) {
  const { current, rules } = useStore().snapshot;
  const description = row.description || (info?.description ?? "");
  const steps = stepsFor(row, info, { surface: current.surface, rules, schema: row.schema ?? {} });
  return (
    <li class="row" data-row={row.name}>
      <div class="row-main">
        <span class="row-name mono">{row.name}</span>
        {info && <StateTag state={info.state} found={found} />}
        {description && <p class="row-text">{description}</p>}
      </div>
      <div class="row-side">
        {info && <span class="cost">{plural(info.tokens, "token")}</span>}
        {steps.map((step, index) => (
          <StepButton key={index} step={step} name={row.name} onDraft={onDraft} />
        ))}
      </div>
      {hit && <Fit hit={hit} full={full} />}
    </li>
  );
}

function Fit({ hit, full }: { hit: Hit; full: number | null }) {
  const value = full !== null && <Score value={hit.score} full={full} parts={hit.parts} />;
  if (hit.parts.length === 0) return value && <div class="row-fit">{value}</div>;
  return (
    <details class="row-fit why">
      <summary>
        {value}
        <span>Why?</span>
      </summary>
      <Reasons parts={hit.parts} />
    </details>
  );
}
