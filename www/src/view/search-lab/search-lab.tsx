import { useEffect, useState } from "preact/hooks";
import type { SearchResult } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { plural } from "../../model/numbers.ts";
import { scaleOf } from "../../model/reasons.ts";
import { ConfidenceNote } from "../lib/confidence.tsx";
import { Reasons } from "../lib/reasons.tsx";
import { Score } from "../lib/score.tsx";
import { WhyNot } from "../lib/why-not.tsx";

const SHOWN = 8;

/** What a query finds, as it is typed, and why. */
export function SearchLab() {
  const store = useStore();
  const { query } = store;
  const { current, examples } = store.snapshot;
  const [result, setResult] = useState<SearchResult | null>(null);
  useEffect(() => {
    let wanted = true;
    if (query.trim() === "") setResult(null);
    else void store.core.engine.ask(query, SHOWN).then((found) => wanted && setResult(found));
    return () => void (wanted = false);
  }, [query, current]);
  const full = scaleOf(result);
  return (
    <section class="card search-lab" aria-labelledby="search-title">
      <header class="card-head">
        <h1 id="search-title">Search lab</h1>
      </header>
      <label class="field grow">
        <span class="field-name">Query</span>
        <input
          type="search"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => store.ask(event.currentTarget.value)}
        />
      </label>
      <div class="chips" role="group" aria-label="Queries to try">
        {examples.map((example) => (
          <button key={example.query} type="button" class="chip mono" title={example.why} onClick={() => store.ask(example.query)}>
            {example.query}
          </button>
        ))}
      </div>
      {result && (
        <div class="results">
          <h2 class="results-title">
            {plural(result.hits.length, "tool")} of {result.searched}
          </h2>
          <ConfidenceNote result={result} />
          <ul class="rows">
            {result.hits.map((hit) => (
              <li key={hit.name} class="row" data-row={hit.name}>
                <div class="row-main">
                  <span class="row-name mono">{hit.name}</span>
                  <p class="row-text">{hit.description}</p>
                </div>
                {hit.parts.length > 0 && (
                  <details class="row-fit why">
                    <summary>
                      {full !== null && <Score value={hit.score} full={full} parts={hit.parts} />}
                      <span>Why?</span>
                    </summary>
                    <Reasons parts={hit.parts} />
                  </details>
                )}
              </li>
            ))}
          </ul>
          <WhyNot query={query} full={full} />
        </div>
      )}
    </section>
  );
}
