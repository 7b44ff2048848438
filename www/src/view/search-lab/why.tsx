import { useLayoutEffect, useState } from "preact/hooks";
import type { Ranker } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { rankerName } from "../../model/labels.ts";
import { Reasons } from "../lib/reasons.tsx";
import { ToolNameField } from "../lib/tool-name-field.tsx";
import { useAnswer } from "../lib/use-answer.ts";

interface Props {
  query: string;
  /** The tool that is looked at. */
  tool: string;
  /** The ranker whose reasons are drawn. */
  ranker: Ranker;
  onChoose: (name: string) => void;
}

/** What the ranker in use found in one tool, and where each ranker has it, or what kept it from being found. */
export function Why({ query, tool, ranker, onChoose }: Props) {
  const store = useStore();
  const { edition, inForce, tools } = store.snapshot;
  const [name, setName] = useState(tool);
  useLayoutEffect(() => setName(tool), [tool]);
  const isTool = (wanted: string) => tools.some((one) => one.name === wanted);
  const key = isTool(tool) ? `${edition} ${JSON.stringify(inForce)} ${tool} ${query}` : null;
  const { answer } = useAnswer(key, () => store.core.bench().explain(edition, inForce, query, tool));
  const parts = answer?.find((row) => row.ranker === ranker)?.explanation?.parts ?? [];
  return (
    <aside class="lab-why" aria-label="Why a tool is where it is">
      <ToolNameField
        label="Why this tool, or why not?"
        placeholder="the name of a tool"
        value={name}
        onType={(typed) => {
          setName(typed);
          if (isTool(typed)) onChoose(typed);
        }}
      />
      <div role="status">{name !== "" && !isTool(name) && <p class="hint">No tool has this name.</p>}</div>
      {answer && (
        <>
          {parts.length > 0 && <Reasons parts={parts} />}
          <ul class="verdicts">
            {answer.map(({ ranker: other, explanation }) => (
              <li key={other}>
                <code>{rankerName(other)}</code>
                <span class={`place ${explanation?.rank === 1 ? "is-first" : ""}`}>
                  {explanation?.rank ? `no. ${explanation.rank}` : "not found"}
                </span>
                {!explanation?.rank && <span>{explanation?.reason ?? "The query is refused."}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}
