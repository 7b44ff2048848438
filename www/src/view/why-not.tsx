import { useId, useState } from "preact/hooks";
import type { Conversation } from "../model/conversation.ts";
import { Reasons } from "./reasons.tsx";
import { Score } from "./score.tsx";

interface Props {
  conversation: Conversation;
  /** What a full bar stands for. */
  full: number | null;
}

/** What kept one tool from being found: whichever a person asks about. */
export function WhyNot({ conversation, full }: Props) {
  const id = useId();
  const [name, setName] = useState("");
  const explanation = name === "" ? null : conversation.explain(name);
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
        <datalist id={id}>
          {conversation.tools.map((tool) => (
            <option key={tool.name} value={tool.name} />
          ))}
        </datalist>
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
