import { useState } from "preact/hooks";
import type { Ranker } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { Miss, Score } from "../../core/lab.ts";
import { rankerName } from "../../model/labels.ts";
import { type BadLine, type Line, readLines, writeLines } from "../../model/lines.ts";
import { percent, plural } from "../../model/numbers.ts";
import { KnownWords } from "../lib/known-words.tsx";

/** Lines that are measured at a time, so that typing is answered in between. */
const BATCH = 20;
/** Misses that are shown at first. */
const SHOWN = 8;

interface Measured {
  scores: Score[];
  unknown: Line[];
  bad: BadLine[];
}

const EXAMPLE = "open a ticket → create_issue\nwho works here → slack_get_users";

/** Lines of a query and its tool: how often each ranker has the tool first, and among the first five. */
export function Evaluation({ onTry }: { onTry: (query: string) => void }) {
  const store = useStore();
  const { edition, inForce, tools, words } = store.snapshot;
  const [text, setText] = useState("");
  const [measured, setMeasured] = useState<Measured | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [ranker, setRanker] = useState<Ranker | null>(null);
  const measure = async (given: string) => {
    const { lines, bad } = readLines(given);
    setMeasured(null);
    const all: Measured = { scores: [], unknown: [], bad };
    try {
      for (let at = 0; at < lines.length; at += BATCH) {
        setDone(`${at} of ${lines.length}`);
        const { scores, unknown } = await store.core.bench().evaluate(edition, inForce, lines.slice(at, at + BATCH));
        all.scores = added(all.scores, scores);
        all.unknown.push(...unknown);
      }
      setMeasured(all);
      const own = all.scores.find((score) => score.ranker === inForce.ranker) ?? all.scores[0];
      store.say(own ? `${rankerName(own.ranker)}: ${shareOf(own.first, own)} come first.` : "There is no line to measure.");
    } finally {
      setDone(null);
    }
  };
  const propose = async () => {
    setDone("no query yet");
    const lines = writeLines(await store.core.bench().propose(edition, inForce));
    setText(lines);
    await measure(lines);
  };
  return (
    <div class="evaluation">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void measure(text);
        }}
      >
        <label class="field">
          <span class="field-name">
            One line for each query: <code>query → expected tool</code>
          </span>
          <textarea
            class="mono lines"
            rows={9}
            spellcheck={false}
            placeholder={EXAMPLE}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="button primary" disabled={text.trim() === "" || done !== null}>
            Measure
          </button>
          <button type="button" class="button" disabled={done !== null || tools.length === 0} onClick={() => void propose()}>
            Propose queries from the catalog
          </button>
          {done !== null && <span class="hint">Measured {done} …</span>}
        </div>
        <p class="hint">
          Proposed queries are what people ask for, as far as toolsift’s packs know the tool, or else the first sentence of
          its description.{" "}
          {words.tools > 0 && (
            <>
              <KnownWords /> They are searched too, as <code>toolsift()</code> does, so most of these queries find their own
              tool: queries of your own say more.{" "}
            </>
          )}
          <code>npx toolsift eval</code> reads the same lines.
        </p>
      </form>
      {measured && <Outcome measured={measured} ranker={ranker} onRanker={setRanker} onTry={onTry} />}
    </div>
  );
}

function added(before: readonly Score[], more: readonly Score[]): Score[] {
  if (before.length === 0) return [...more];
  return before.map((score, at) => {
    const next = more[at] as Score;
    return {
      ranker: score.ranker,
      queries: score.queries + next.queries,
      first: score.first + next.first,
      five: score.five + next.five,
      misses: [...score.misses, ...next.misses],
    };
  });
}

function shareOf(found: number, { queries }: Score): string {
  return queries === 0 ? "–" : percent(found / queries);
}

interface OutcomeProps {
  measured: Measured;
  ranker: Ranker | null;
  onRanker: (ranker: Ranker) => void;
  onTry: (query: string) => void;
}

function Outcome({ measured, ranker, onRanker, onTry }: OutcomeProps) {
  const { scores, unknown, bad } = measured;
  const queries = scores[0]?.queries ?? 0;
  const best = Math.max(...scores.map((score) => score.first));
  const chosen = scores.find((score) => score.ranker === ranker) ?? scores[0];
  return (
    <section class="card outcome" aria-labelledby="outcome-title">
      <h2 id="outcome-title">{plural(queries, "query", "queries")}</h2>
      {[...bad.map(({ line, problem }) => ({ line, problem })), ...unknown.map(unknownTool)]
        .slice(0, SHOWN)
        .map(({ line, problem }) => (
          <p key={line} class="problem">
            Line {line}: {problem}
          </p>
        ))}
      {queries > 0 && (
        <table class="recall">
          <thead>
            <tr>
              <th scope="col">Ranker</th>
              <th scope="col">Recall@1</th>
              <th scope="col">Recall@5</th>
              <th scope="col">Misses</th>
            </tr>
          </thead>
          <tbody>
            {scores.map((score) => (
              <tr key={score.ranker} data-ranker={score.ranker} class={score.first === best ? "is-best" : ""}>
                <th scope="row">
                  <code>{rankerName(score.ranker)}</code>
                </th>
                <td>{shareOf(score.first, score)}</td>
                <td>{shareOf(score.five, score)}</td>
                <td>
                  <button
                    type="button"
                    class="button small plain"
                    aria-pressed={score === chosen}
                    aria-label={`Show the ${plural(score.misses.length, "miss", "misses")} of ${rankerName(score.ranker)}`}
                    onClick={() => onRanker(score.ranker)}
                  >
                    {score.misses.length}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {chosen && chosen.misses.length > 0 && <Misses key={chosen.ranker} score={chosen} onTry={onTry} />}
    </section>
  );
}

function unknownTool({ line, tools }: Line): BadLine {
  return { line, problem: `no tool is called ${tools.map((tool) => `“${tool}”`).join(" or ")}.` };
}

/** Queries whose tool did not come first, the worst first. */
function Misses({ score, onTry }: { score: Score; onTry: (query: string) => void }) {
  const [all, setAll] = useState(false);
  const worst = [...score.misses].sort((a, b) => (b.rank ?? Infinity) - (a.rank ?? Infinity));
  const shown = all ? worst : worst.slice(0, SHOWN);
  return (
    <div class="misses">
      <h3>
        What <code>{rankerName(score.ranker)}</code> does not find first
      </h3>
      <div class="miss-list" tabIndex={0} role="region" aria-label={`Misses of ${rankerName(score.ranker)}`}>
        <ul>
          {shown.map((miss) => (
            <MissItem key={miss.line.line} miss={miss} onTry={onTry} />
          ))}
        </ul>
      </div>
      {!all && worst.length > SHOWN && (
        <button type="button" class="button small" onClick={() => setAll(true)}>
          Show all {worst.length}
        </button>
      )}
    </div>
  );
}

function MissItem({ miss, onTry }: { miss: Miss; onTry: (query: string) => void }) {
  const { line, rank, first } = miss;
  return (
    <li class="miss">
      <button type="button" class="link" onClick={() => onTry(line.query)} title="See what every ranker finds">
        {line.query}
      </button>
      <span class="hint">
        <code>{line.tools.join(" | ")}</code> {rank === null ? "is not found" : `is no. ${rank}`}
        {first !== null && (
          <>
            , first is <code>{first}</code>
          </>
        )}
      </span>
    </li>
  );
}
