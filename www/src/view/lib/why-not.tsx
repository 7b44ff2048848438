import { useEffect, useId, useState } from "preact/hooks";
import type { Explanation } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import { Reasons } from "./reasons.tsx";
import { Score } from "./score.tsx";
import { ToolNames } from "./tool-names.tsx";

interface Props {
  query: string;
  /** What a full bar stands for. */
  full: number | null;
}

/** What kept one tool from being found: whichever a person asks about. */
export function WhyNot({ query, full }: Props) {
  const id = useId();
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
        <label class="field">
          <span class="field-name">Tool that was expected</span>
          <input
            class="mono"
            type="text"
            list={id}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={name}
            onInput={(event) => setName(event.currentTarget.value.trim())}
          />
        </label>
        <ToolNames id={id} typed={name} />
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
