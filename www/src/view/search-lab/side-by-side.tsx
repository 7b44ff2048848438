import { useState } from "preact/hooks";
import type { Ranker } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { Column } from "../../core/lab.ts";
import { KINDS, type Kind } from "../../model/reasons.ts";
import { count } from "../../model/numbers.ts";
import { ConfidenceNote } from "../lib/confidence.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { useAnswer } from "../lib/use-answer.ts";
import { useTyped } from "../lib/use-typed.ts";
import { HitCard } from "./hit-card.tsx";
import { WhyNotThis } from "./why-not-this.tsx";

/** The first hits of every ranker for what is being typed. */
export function SideBySide() {
  const store = useStore();
  const { typed: query, type, take } = useTyped(store.query, (text) => store.ask(text));
  const { edition, inForce, examples, tools } = store.snapshot;
  const asked = query.trim() === "" ? null : `${edition} ${JSON.stringify(inForce)} ${query}`;
  const { answer, problem } = useAnswer(asked, () => store.core.bench().rank(edition, inForce, query));
  const [shown, setShown] = useState<Ranker | null>(null);
  const sure = answer?.find(({ result }) => result?.confidence !== undefined)?.result ?? null;
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
          onInput={(event) => type(event.currentTarget.value)}
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
              onClick={() => take(example.query)}
            >
              {example.query}
            </button>
          ))}
        </div>
      )}
      {problem && <p class="problem">{problem}</p>}
      {sure && <ConfidenceNote result={sure} />}
      {answer && (
        <>
          <RankerChoice columns={answer} shown={shown} onShow={setShown} />
          <div class="columns" data-testid="columns">
            {answer.map((column) => (
              <ColumnView key={column.ranker} column={column} shown={column.ranker === chosen(answer, shown)} />
            ))}
          </div>
          <Legend columns={answer} />
          <WhyNotThis query={query} />
        </>
      )}
      {answer === null && (
        <p class="hint">
          Type what the model would look for. Each ranker shows its first five hits side by side, with what matched; the one
          in use is that of your profile.
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
  const choices = Object.fromEntries(columns.map(({ ranker }) => [ranker, ranker])) as Record<Ranker, string>;
  return (
    <div class="ranker-choice">
      <Tabs name="ranker" label="Ranker" choices={choices} value={chosen(columns, shown)} onChoose={onShow} />
    </div>
  );
}

function chosen(columns: readonly Column[], shown: Ranker | null): Ranker {
  return shown ?? columns.find(({ inForce }) => inForce)?.ranker ?? "sift";
}

function ColumnView({ column, shown }: { column: Column; shown: boolean }) {
  const { ranker, profile, inForce, result, refused } = column;
  const most = Math.max(...(result?.hits.map(({ score }) => score) ?? []), 0);
  return (
    <section class={`column ${shown ? "is-shown" : ""}`} data-ranker={ranker} aria-label={`Ranker ${ranker}`}>
      <header class="column-head">
        <h2>
          <code>{ranker}</code>
        </h2>
        <span class="hint">{inForce ? <span class="tag new">in use</span> : `used by ${profile}`}</span>
      </header>
      {refused && <p class="problem">{refused}</p>}
      {result?.hits.length === 0 && <p class="hint">It finds nothing.</p>}
      <ol class="hits">
        {result?.hits.map((hit, at) => (
          <HitCard key={hit.name} hit={hit} place={at + 1} most={result.stage === "sift" ? 1 : most} />
        ))}
      </ol>
    </section>
  );
}

/** What the colours of marks mean, as far as they occur. */
function Legend({ columns }: { columns: readonly Column[] }) {
  if (columns.every(({ result }) => (result?.hits.length ?? 0) === 0)) return null;
  return (
    <ul class="legend">
      {(Object.keys(KINDS) as Kind[]).map((kind) => (
        <li key={kind} class={`key-${kind}`}>
          {KINDS[kind]}
        </li>
      ))}
    </ul>
  );
}
