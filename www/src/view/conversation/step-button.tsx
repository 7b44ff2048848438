import type { Draft, NextStep } from "../../model/steps.ts";
import { useCall } from "./use-calls.ts";

interface Props {
  step: NextStep;
  /** The tool it is about, for those who do not see the row. */
  name: string;
  onDraft: (draft: Draft) => void;
}

/** One thing to do next; it keeps its place, and the focus, once it is done. */
export function StepButton({ step, name, onDraft }: Props) {
  const call = useCall();
  const hidden = <span class="visually-hidden"> {name}</span>;
  if (step.kind === "call") {
    const through = step.draft.via === null ? "Write a call of it" : `Write a call of it through ${step.draft.via}`;
    return (
      <button type="button" class="button small" title={through} onClick={() => onDraft(step.draft)}>
        {step.label}
        {hidden}
      </button>
    );
  }
  return (
    <button
      type="button"
      class="button small add"
      title={`${step.tool}(${JSON.stringify(step.args)})`}
      aria-disabled={step.done}
      onClick={() => !step.done && call(step.tool, step.args)}
    >
      {step.label}
      {hidden}
    </button>
  );
}
