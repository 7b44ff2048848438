import { useState } from "preact/hooks";
import type { Hit, ToolInfo } from "toolsift";
import type { Exchange } from "../model/conversation.ts";
import type { Lab } from "../model/lab.ts";
import { count, plural } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import { loaderOf, namesValue, type SurfaceTool } from "../model/surface.ts";
import { isSent } from "./state.ts";
import { StateTag } from "./state-tag.tsx";

/** A pattern may match the whole catalog; a page of it is enough to see what the model gets. */
const SHOWN = 8;

/** The tools that the last search named: they stay while the model loads one after another. */
export function Results({ lab }: { lab: Lab }) {
  const search = lab.current.lastSearch;
  if (!search) return null;
  return <ResultList key={search.turn} lab={lab} search={search} />;
}

function ResultList({ lab, search }: { lab: Lab; search: Exchange }) {
  const [all, setAll] = useState(false);
  const loader = loaderOf(lab.surface);
  const infos = new Map(lab.current.tools.map((tool) => [tool.name, tool]));
  const hits = new Map(search.insight?.hits.map((hit) => [hit.name, hit]));
  const rows = all ? search.rows : search.rows.slice(0, SHOWN);
  return (
    <div class="results">
      <h3 class="results-title">{titleOf(search)}</h3>
      {rows.length > 0 && (
        <ul class="rows">
          {rows.map((row) => (
            <ResultRow
              key={row.name}
              lab={lab}
              row={row}
              info={infos.get(row.name) ?? null}
              hit={hits.get(row.name) ?? null}
              loader={loader}
            />
          ))}
        </ul>
      )}
      {!all && search.rows.length > SHOWN && (
        <button type="button" class="button small" onClick={() => setAll(true)}>
          Show all {count(search.rows.length)}
        </button>
      )}
    </div>
  );
}

const STAGES = {
  pattern: "the pattern matched, in catalog order",
  fuzzy: "no match for the pattern, so the most similar, best first",
  none: "neither the pattern nor anything similar",
};

function titleOf({ insight, rows, outcome }: Exchange): string {
  if (outcome.kind === "result" && outcome.isError) return "The search was refused; the answer says why";
  if (!insight) return plural(rows.length, "tool");
  const named = rows.length === 0 ? "No tool" : plural(rows.length, "tool");
  return `${named} of ${count(insight.searched)}: ${STAGES[insight.stage]}`;
}

interface RowProps {
  lab: Lab;
  row: Row;
  info: ToolInfo | null;
  hit: Hit | null;
  loader: SurfaceTool | null;
}

function ResultRow({ lab, row, info, hit, loader }: RowProps) {
  const description = row.description || (info?.description ?? "");
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-name mono">{row.name}</span>
        {info && <StateTag state={info.state} found={lab.current.found.has(row.name)} />}
        {description && <p class="row-text">{description}</p>}
        {hit && <Why hit={hit} />}
      </div>
      <div class="row-side">
        {info && <span class="cost">{plural(info.tokens, "token")}</span>}
        {info && <LoadButton lab={lab} info={info} loader={loader} />}
      </div>
    </li>
  );
}

/** Keeps its place, and the focus, once the tool is loaded. */
function LoadButton({ lab, info, loader }: { lab: Lab; info: ToolInfo; loader: SurfaceTool | null }) {
  const names = loader?.names;
  if (!loader || !names || info.state === "hidden") return null;
  const verb = lab.profile.reveal === "add" ? "Add" : loader.name;
  const done = isSent(info);
  return (
    <button
      type="button"
      class="button small add"
      aria-disabled={done}
      onClick={() => !done && lab.call(loader.name, { [names.name]: namesValue(names, [info.name]) })}
    >
      {done ? "Added" : verb}
      <span class="visually-hidden"> {info.name}</span>
    </button>
  );
}

const HOW = {
  pattern: "matches",
  "whole-query": "holds the whole query",
  word: "holds the word",
  similar: "is similar to",
};

function Why({ hit }: { hit: Hit }) {
  if (hit.parts.length === 0) return null;
  return (
    <details class="why">
      <summary>Why?</summary>
      <ul>
        {hit.parts.map((part) => (
          <li>
            {part.field}: <q>{part.matched}</q> {HOW[part.how]}{" "}
            <q>{part.term}</q>
            <span class="cost"> {part.contribution.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
