import { useEffect, useMemo, useState } from "preact/hooks";
import { compare } from "../model/comparison.ts";
import { plainQuery } from "../model/examples.ts";
import type { Lab } from "../model/lab.ts";
import { plural } from "../model/numbers.ts";
import { ComparisonTable } from "./comparison-table.tsx";

/** On larger catalogs every profile is driven only when asked for: it takes as long as registering all of them anew. */
const MAX_TOOLS = 1000;

/** The same tools and the same query under every profile, side by side. */
export function Comparison({ lab }: { lab: Lab }) {
  const [query, setQuery] = useState(() => plainQuery(lab.current.tools));
  const [typed, setTyped] = useState(query);
  const [asked, setAsked] = useState<number | null>(null);
  const ask = (next: string) => {
    setQuery(next);
    setTyped(next);
  };
  // The last search of the console is what is compared, until something else is asked here.
  useEffect(() => void (lab.query !== null && ask(lab.query)), [lab.query, lab.current.lastSearch]);
  useEffect(() => void (lab.query === null && ask(plainQuery(lab.current.tools))), [lab.edition]);

  const { preDiscovered, contextWindow, format } = lab.inForce;
  const small = lab.current.tools.length <= MAX_TOOLS || asked === lab.edition;
  const columns = useMemo(
    () => (small ? compare(lab.sources, { preDiscovered, contextWindow, format }, query) : []),
    [small, lab.edition, query, format, contextWindow, preDiscovered.join()],
  );
  return (
    <section class="card comparison" id="comparison" aria-labelledby="comparison-title">
      <header class="card-head">
        <h2 id="comparison-title">Every profile on these tools</h2>
        <form
          class="compare-query"
          onSubmit={(event) => {
            event.preventDefault();
            setQuery(typed);
          }}
        >
          <label class="inline-field">
            <span>The same query</span>
            <input
              class="mono"
              type="text"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button small">
            Compare
          </button>
        </form>
      </header>
      {small ? (
        <ComparisonTable lab={lab} columns={columns} />
      ) : (
        <button type="button" class="button" onClick={() => setAsked(lab.edition)}>
          Compare the profiles on {plural(lab.current.tools.length, "tool")}
        </button>
      )}
      <p class="hint">
        Each with its own settings, really driven from the first request to a call of its first hit. Choose one to see it
        at work. “Told to hold back”: by itself it would send all of these tools.
      </p>
    </section>
  );
}
