import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Store } from "../../app/store.ts";
import { useStore } from "../../app/use-store.ts";
import { TypedInput } from "./typed-input.tsx";
import { SETTINGS, type NamedSetting } from "../../model/labels.ts";
import type { SettingKey, Settings } from "../../model/settings.ts";

export interface Ids {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

interface SettingProps {
  name: NamedSetting;
  note?: ComponentChildren;
  children: (ids: Ids) => ComponentChildren;
}

/** A label, the control, and what the library says to the value. */
export function Setting({ name, note, children }: SettingProps) {
  const id = useId();
  const { snapshot } = useStore();
  const problem = snapshot.problem?.setting === name ? snapshot.problem : null;
  return (
    <div class="setting" data-setting={name}>
      <label for={id}>{SETTINGS[name]}</label>
      {children({ id, "aria-describedby": `${id}-note`, "aria-invalid": problem !== null })}
      <div id={`${id}-note`}>
        {note && <p class="hint">{note}</p>}
        {problem && (
          <p class="problem" role="alert">
            <code>{problem.code}</code> {problem.message}. The previous value stays.
          </p>
        )}
      </div>
    </div>
  );
}

/** Sets one axis; the library says whether it can. */
export function change<Key extends SettingKey>(store: Store, setting: Key, value: Settings[Key]): void {
  const settings = { ...store.snapshot.settings, [setting]: value };
  void store.run((engine) => engine.change(setting, value), { settings });
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
  name: ChoiceKey;
  labels: Record<string, string>;
  /** The profile's own value, where leaving it to the profile is a choice. */
  own?: string;
  note?: ComponentChildren;
}

export function Choice({ name, labels, own, note }: ChoiceProps) {
  const store = useStore();
  const ownLabel = own === undefined ? undefined : (labels[own] ?? own);
  return (
    <Setting name={name} note={note}>
      {(ids) => (
        <select
          {...ids}
          value={store.snapshot.settings[name]}
          onChange={(event) => change(store, name, event.currentTarget.value as Settings[ChoiceKey])}
        >
          {ownLabel !== undefined && (
            <option value="">{`Profile default: ${ownLabel.charAt(0).toLowerCase()}${ownLabel.slice(1)}`}</option>
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
export function Amount({ name, empty }: { name: AmountKey; empty?: string }) {
  const store = useStore();
  return (
    <Setting name={name}>
      {(ids) => (
        <TypedInput
          {...ids}
          type="number"
          placeholder={empty}
          value={String(store.snapshot.settings[name] ?? "")}
          onTyped={(text) => change(store, name, numberIn(text) ?? (empty === undefined ? 0 : null))}
        />
      )}
    </Setting>
  );
}

function numberIn(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
