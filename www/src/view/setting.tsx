import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Lab } from "../model/lab.ts";
import type { SettingKey, Settings } from "../model/settings.ts";

export interface Ids {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

interface SettingProps {
  lab: Lab;
  name: SettingKey;
  label: string;
  note?: ComponentChildren;
  children: (ids: Ids) => ComponentChildren;
}

/** A label, the control, and what the library says to the value. */
export function Setting({ lab, name, label, note, children }: SettingProps) {
  const id = useId();
  const problem = lab.problem?.setting === name ? lab.problem : null;
  return (
    <div class="setting" data-setting={name}>
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": `${id}-note`, "aria-invalid": problem !== null })}
      <div id={`${id}-note`}>
        {note && <p class="hint">{note}</p>}
        {problem && (
          <p class="problem" role="alert">
            <code>{problem.code}</code> {problem.message}. The setting before stays in force.
          </p>
        )}
      </div>
    </div>
  );
}

export type ChoiceKey =
  | "activation"
  | "deferral"
  | "disclosure"
  | "stubWhen"
  | "reveal"
  | "unrevealedCall"
  | "ranker"
  | "grammar"
  | "universe"
  | "cutoff";

interface ChoiceProps {
  lab: Lab;
  name: ChoiceKey;
  label: string;
  labels: Record<string, string>;
  /** The profile's own value, where leaving it to the profile is a choice. */
  own?: string;
  note?: ComponentChildren;
}

export function Choice({ lab, name, label, labels, own, note }: ChoiceProps) {
  const ownLabel = own === undefined ? undefined : (labels[own] ?? own);
  return (
    <Setting lab={lab} name={name} label={label} note={note}>
      {(ids) => (
        <select
          {...ids}
          value={lab.settings[name]}
          onChange={(event) => lab.change(name, event.currentTarget.value as Settings[ChoiceKey])}
        >
          {ownLabel !== undefined && (
            <option value="">{`As the profile has it: ${ownLabel.charAt(0).toLowerCase()}${ownLabel.slice(1)}`}</option>
          )}
          {Object.entries(labels).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Setting>
  );
}

export type AmountKey =
  | "fromTools"
  | "fromTokens"
  | "fromPercent"
  | "budgetTools"
  | "budgetTokens"
  | "hits"
  | "maxHits"
  | "searchesPerMinute"
  | "contextWindow";

/** A number; `empty` says what it means to leave it out, where that is possible. */
export function Amount({ lab, name, label, empty }: { lab: Lab; name: AmountKey; label: string; empty?: string }) {
  return (
    <Setting lab={lab} name={name} label={label}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          placeholder={empty}
          value={lab.settings[name] ?? ""}
          onChange={(event) => lab.change(name, numberIn(event.currentTarget.value) ?? (empty === undefined ? 0 : null))}
        />
      )}
    </Setting>
  );
}

function numberIn(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
