import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { Reasons } from "./reasons.tsx";
import { Score } from "./score.tsx";
import { ToolNameField } from "./tool-name-field.tsx";
import { useAnswer } from "./use-answer.ts";

interface Props {
  query: string;
  /** What a full bar stands for. */
  full: number | null;
}

/** What kept one tool from being found: whichever a person asks about. */
export function WhyNot({ query, full }: Props) {
  const [name, setName] = useState("");
  const store = useStore();
  const { current, edition, inForce, tools } = store.snapshot;
  const isTool = tools.some((one) => one.name === name);
  const key = isTool ? JSON.stringify([edition, inForce, current.script, query, name]) : null;
  const { answer: explanation } = useAnswer(key, () => store.core.engine.explain(query, name));
  return (
    <details class="why-not">
      <summary>Why not another tool?</summary>
      <div class="why-not-body">
        <ToolNameField label="Tool that was expected" value={name} onType={setName} />
        <div role="status">
          {explanation && <p class="why-not-reason">{explanation.reason}</p>}
          {name !== "" && !isTool && <p class="hint">No tool has this name.</p>}
        </div>
        {explanation && explanation.parts.length > 0 && (
          <>
            {full !== null && <Score value={explanation.score} full={full} parts={explanation.parts} />}
            <Reasons parts={explanation.parts} />
          </>
        )}
      </div>
    </details>
  );
}
