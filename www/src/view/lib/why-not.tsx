import { useEffect, useState } from "preact/hooks";
import type { Explanation } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { Reasons } from "./reasons.tsx";
import { Score } from "./score.tsx";
import { ToolNameField } from "./tool-name-field.tsx";

interface Props {
  query: string;
  /** What a full bar stands for. */
  full: number | null;
}

/** What kept one tool from being found: whichever a person asks about. */
export function WhyNot({ query, full }: Props) {
  const [name, setName] = useState("");
  const store = useStore();
  const { tools } = store.snapshot;
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  useEffect(() => {
    let wanted = true;
    if (name === "") setExplanation(null);
    else void store.core.engine.explain(query, name).then((found) => wanted && setExplanation(found));
    return () => void (wanted = false);
  }, [name, query, tools]);
  return (
    <details class="why-not">
      <summary>Why not another tool?</summary>
      <div class="why-not-body">
        <ToolNameField label="Tool that was expected" value={name} onType={setName} />
        <div role="status">
          {explanation && <p class="why-not-reason">{explanation.reason}</p>}
          {name !== "" && !explanation && <p class="hint">No tool has this name.</p>}
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
