import { useId, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { useAnswer } from "../lib/use-answer.ts";

/** Names that are offered while one is typed. */
const OFFERED = 50;

/** What each ranker makes of one tool: its place, or what kept it from being found. */
export function WhyNotThis({ query }: { query: string }) {
  const id = useId();
  const store = useStore();
  const { edition, inForce, tools } = store.snapshot;
  const [name, setName] = useState("");
  const known = tools.some((tool) => tool.name === name);
  const key = known && query.trim() !== "" ? `${edition} ${JSON.stringify(inForce)} ${name} ${query}` : null;
  const { answer } = useAnswer(key, () => store.core.bench().explain(edition, inForce, query, name));
  const wanted = name.toLowerCase();
  const offered = tools.filter((tool) => tool.name.toLowerCase().includes(wanted)).slice(0, OFFERED);
  return (
    <div class="why-not-this">
      <label class="field">
        <span class="field-name">Why not this tool?</span>
        <input
          class="mono"
          type="text"
          list={id}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="the name of a tool"
          value={name}
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
      </label>
      <datalist id={id}>
        {offered.map((tool) => (
          <option key={tool.name} value={tool.name} />
        ))}
      </datalist>
      <div role="status">
        {name !== "" && !known && <p class="hint">No tool has this name.</p>}
        {known && answer && (
          <ul class="verdicts">
            {answer.map(({ ranker, explanation }) => (
              <li key={ranker}>
                <code>{ranker}</code>
                <span class={`place ${explanation?.rank === 1 ? "is-first" : ""}`}>
                  {explanation?.rank ? `no. ${explanation.rank}` : "not found"}
                </span>
                <span>{explanation?.reason ?? "The query is refused."}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
