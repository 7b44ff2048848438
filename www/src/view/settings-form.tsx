import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { ToolSift, type Activation, type ProfileName } from "toolsift";
import type { Lab } from "../model/lab.ts";
import { percent, plural } from "../model/numbers.ts";
import {
  ACTIVATIONS,
  DISCLOSURES,
  REVEALS,
  UNREVEALED_CALLS,
  defaultSettings,
  type SettingKey,
  type Settings,
} from "../model/settings.ts";

/** The profile, and every axis of it that can be set apart. A change rebuilds everything at once. */
export function SettingsForm({ lab }: { lab: Lab }) {
  const { settings } = lab;
  const profile = ToolSift.profiles().find((row) => row.name === settings.profile);
  const set = <Key extends SettingKey>(key: Key) => (value: Settings[Key]) => lab.change(key, value);
  return (
    <section class="card settings" aria-labelledby="settings-title">
      <header class="card-head">
        <h2 id="settings-title">Settings</h2>
        <button type="button" class="button small" onClick={() => lab.adopt(defaultSettings())}>
          Defaults
        </button>
      </header>
      <Setting lab={lab} name="profile" label="Profile" note={profile && `${profile.summary} After ${profile.after}.`}>
        {(ids) => (
          <select
            {...ids}
            value={settings.profile}
            onChange={(event) => set("profile")(event.currentTarget.value as ProfileName)}
          >
            {ToolSift.profiles().map((row) => (
              <option value={row.name}>{row.name}</option>
            ))}
          </select>
        )}
      </Setting>
      <Choice
        lab={lab}
        name="activation"
        label="Tool search is"
        labels={ACTIVATIONS}
        note={profile && settings.activation === "profile" ? activationText(profile.activation) : undefined}
      />
      {settings.activation === "tools" && <Amount lab={lab} name="fromTools" label="From how many tools" />}
      {settings.activation === "share" && <Amount lab={lab} name="fromPercent" label="From how many per cent" />}
      <Choice
        lab={lab}
        name="disclosure"
        label="What the model sees of a tool held back"
        labels={profile ? { "": own(DISCLOSURES[profile.disclosure]), ...DISCLOSURES } : DISCLOSURES}
      />
      <Choice
        lab={lab}
        name="reveal"
        label="What loads a tool"
        labels={profile ? { "": own(REVEALS[profile.reveal]), ...REVEALS } : REVEALS}
      />
      <Choice
        lab={lab}
        name="unrevealedCall"
        label="A call to a tool not loaded is"
        labels={profile ? { "": own(UNREVEALED_CALLS[profile.unrevealedCall]), ...UNREVEALED_CALLS } : UNREVEALED_CALLS}
      />
      <Setting
        lab={lab}
        name="preDiscovered"
        label="Pinned: every session starts with"
        note="Names, with commas between them."
      >
        {(ids) => (
          <input
            {...ids}
            class="mono"
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={settings.preDiscovered.join(", ")}
            onChange={(event) => set("preDiscovered")(event.currentTarget.value.split(/[\s,]+/).filter(Boolean))}
          />
        )}
      </Setting>
      <Amount lab={lab} name="searchLimit" label="Hits of a search, at most" empty="as the profile has it" />
      <Amount lab={lab} name="contextWindow" label="Context window of the model, in tokens" empty="not said" />
      <fieldset class="scope">
        <legend>Session {lab.current.id} may see</legend>
        {lab.servers.map((server) => (
          <label key={server} class="check">
            <input
              type="checkbox"
              checked={!lab.current.excluded.has(server)}
              onChange={(event) => lab.showServer(server, event.currentTarget.checked)}
            />
            {server}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

interface Ids {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

interface SettingProps {
  lab: Lab;
  name: SettingKey;
  label: string;
  note?: string | undefined;
  children: (ids: Ids) => ComponentChildren;
}

/** A label, the control, and what the library says to the value. */
function Setting({ lab, name, label, note, children }: SettingProps) {
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

type ChoiceKey = "activation" | "disclosure" | "reveal" | "unrevealedCall";

interface ChoiceProps {
  lab: Lab;
  name: ChoiceKey;
  label: string;
  labels: Record<string, string>;
  note?: string | undefined;
}

function Choice({ lab, name, label, labels, note }: ChoiceProps) {
  return (
    <Setting lab={lab} name={name} label={label} note={note}>
      {(ids) => (
        <select
          {...ids}
          value={lab.settings[name]}
          onChange={(event) => lab.change(name, event.currentTarget.value as Settings[ChoiceKey])}
        >
          {Object.entries(labels).map(([value, text]) => (
            <option value={value}>{text}</option>
          ))}
        </select>
      )}
    </Setting>
  );
}

type AmountKey = "fromTools" | "fromPercent" | "searchLimit" | "contextWindow";

/** A number; `empty` says what it means to leave it out, where that is possible. */
function Amount({ lab, name, label, empty }: { lab: Lab; name: AmountKey; label: string; empty?: string }) {
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

function own(label: string): string {
  return `As the profile has it: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

function activationText(activation: Activation): string {
  if (typeof activation === "string") return `The profile has it ${activation === "on" ? "always on" : "off"}.`;
  if ("tools" in activation) return `The profile has it on from ${plural(activation.tools, "tool")}.`;
  return `The profile has it on from ${percent(activation.contextShare)} of the context window.`;
}
