import { useState } from "preact/hooks";
import type { Ranker } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { Column } from "../../core/lab.ts";
import { rankerName } from "../../model/labels.ts";
import { count } from "../../model/numbers.ts";
import { ConfidenceNote } from "../lib/confidence.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { useAnswer } from "../lib/use-answer.ts";
import { useTyped } from "../lib/use-typed.ts";
import { HitCard, HitLine } from "./hit-card.tsx";
import { Why } from "./why.tsx";

/** The first hits for what is being typed: of the ranker in use with what matched, of the others their places; and the reasons. */
export function SideBySide() {
  const store = useStore();
  const { edition, inForce, examples, tools } = store.snapshot;
  const { typed, type, take } = useTyped(store.query, (text) => store.ask(text));
  const [touched, setTouched] = useState(false);
  // Somebody who has typed nothing yet sees a query at work.
  const query = typed === "" && !touched ? (examples[0]?.query ?? "") : typed;
  const asked = query.trim() === "" ? null : `${edition} ${JSON.stringify(inForce)} ${query}`;
  const { answer, problem } = useAnswer(asked, () => store.core.bench().rank(edition, inForce, query));
  const [shown, setShown] = useState<Ranker | null>(null);
  const lead = answer?.find(({ inForce: used }) => used);
  // Only the ranker that is in force says how sure it is.
  const sure = lead?.result?.confidence === undefined ? null : lead.result;
  const tool = store.place.at || lead?.result?.hits[0]?.name || "";
  const choose = (name: string) => store.showPart({ at: name });
  // What was looked at was a hit of the query before.
  const look = (text: string, tell: (text: string) => void) => {
    setTouched(true);
    if (store.place.at !== "") store.showPart({ at: "" });
    tell(text);
  };
  return (
    <div class="card lab-sides">
      <label class="field grow">
        <span class="field-name">What the model looks for, in {count(tools.length)} tools</span>
        <input
          type="search"
          class="mono lab-query"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="type a query"
          value={query}
          onInput={(event) => look(event.currentTarget.value, type)}
        />
      </label>
      {examples.length > 0 && (
        <div class="chips" role="group" aria-label="Queries to try">
          {examples.map((example) => (
            <button
              key={example.query}
              type="button"
              class="chip mono"
              title={example.why}
              onClick={() => look(example.query, take)}
            >
              {example.query}
            </button>
          ))}
        </div>
      )}
      {problem && <p class="problem">{problem}</p>}
      {sure && <ConfidenceNote result={sure} why={false} />}
      {answer && lead && (
        <>
          <RankerChoice columns={answer} shown={shown} onShow={setShown} />
          <div class="lab-parts">
            <div class="columns" data-testid="columns">
              {answer.map((column) => (
                <ColumnView
                  key={column.ranker}
                  column={column}
                  shown={column.ranker === chosen(answer, shown)}
                  tool={tool}
                  onChoose={choose}
                />
              ))}
            </div>
            <Why query={query} tool={tool} ranker={lead.ranker} onChoose={choose} />
          </div>
        </>
      )}
      {answer === null && (
        <p class="hint">
          Type what the model would look for. The ranker in use shows its first five hits with what matched, the others
          theirs.
        </p>
      )}
    </div>
  );
}

/** On a narrow screen one ranker is shown at a time. */
function RankerChoice({
  columns,
  shown,
  onShow,
}: {
  columns: readonly Column[];
  shown: Ranker | null;
  onShow: (ranker: Ranker) => void;
}) {
  const choices = Object.fromEntries(columns.map(({ ranker }) => [ranker, rankerName(ranker)])) as Record<Ranker, string>;
  return (
    <div class="ranker-choice">
      <Tabs name="ranker" label="Ranker" choices={choices} value={chosen(columns, shown)} onChoose={onShow} />
    </div>
  );
}

function chosen(columns: readonly Column[], shown: Ranker | null): Ranker {
  return shown ?? columns.find(({ inForce }) => inForce)?.ranker ?? "sift";
}

interface ColumnProps {
  column: Column;
  shown: boolean;
  /** The tool whose reasons are shown. */
  tool: string;
  onChoose: (name: string) => void;
}

function ColumnView({ column, shown, tool, onChoose }: ColumnProps) {
  const { ranker, profile, inForce, result, refused } = column;
  const most = Math.max(...(result?.hits.map(({ score }) => score) ?? []), 0);
  return (
    <section
      class={`column ${inForce ? "is-lead" : ""} ${shown ? "is-shown" : ""}`}
      data-ranker={ranker}
      aria-label={`Ranker ${rankerName(ranker)}`}
    >
      <header class="column-head">
        <h2>
          <code>{rankerName(ranker)}</code>
        </h2>
        <span class="hint">{inForce ? <span class="tag new">in use</span> : `used by ${profile}`}</span>
      </header>
      {refused && <p class="problem">{refused}</p>}
      {result?.hits.length === 0 && <p class="hint">It finds nothing.</p>}
      <ol class={inForce ? "hits" : "hit-lines"}>
        {result?.hits.map((hit, at) =>
          inForce ? (
            <HitCard
              key={hit.name}
              hit={hit}
              place={at + 1}
              most={result.stage === "sift" ? 1 : most}
              chosen={hit.name === tool}
              onChoose={onChoose}
            />
          ) : (
            <HitLine key={hit.name} name={hit.name} chosen={hit.name === tool} onChoose={onChoose} />
          ),
        )}
      </ol>
    </section>
  );
}
