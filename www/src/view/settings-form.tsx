import { ToolSift, type ProfileName } from "toolsift";
import * as labels from "../model/labels.ts";
import type { Lab } from "../model/lab.ts";
import { count } from "../model/numbers.ts";
import { defaultSettings, profileOf } from "../model/settings.ts";
import { condition } from "../model/waiting.ts";
import { Amount, Choice, Setting } from "./setting.tsx";
import { SearchSettings } from "./search-settings.tsx";

/** The profile, and every axis of it that can be set apart. A change rebuilds everything at once. */
export function SettingsForm({ lab }: { lab: Lab }) {
  const { settings } = lab;
  const profile = profileOf(settings.profile);
  const disclosure = settings.disclosure || profile.disclosure;
  const waits = condition(profile.activation, settings.contextWindow);
  return (
    <section class="card settings" aria-labelledby="settings-title">
      <header class="card-head">
        <h2 id="settings-title">Settings</h2>
        <button type="button" class="button small" onClick={() => lab.adopt(defaultSettings())}>
          Defaults
        </button>
      </header>
      <Setting lab={lab} name="profile" label="Profile" note="Choosing one takes its own value on every axis below.">
        {(ids) => (
          <select
            {...ids}
            value={settings.profile}
            onChange={(event) => lab.chooseProfile(event.currentTarget.value as ProfileName)}
          >
            {ToolSift.profiles().map((row) => (
              <option key={row.name} value={row.name}>
                {row.name}
              </option>
            ))}
          </select>
        )}
      </Setting>
      <Choice
        lab={lab}
        name="activation"
        label="Tool search is"
        labels={labels.ACTIVATIONS}
        note={waits === null ? "The profile has it always on." : `The profile has it on when ${waits}.`}
      />
      {settings.activation === "tools" && <Amount lab={lab} name="fromTools" label="From how many tools" />}
      {settings.activation === "tokens" && <Amount lab={lab} name="fromTokens" label="From how many tokens" />}
      {settings.activation === "share" && <Amount lab={lab} name="fromPercent" label="From how many per cent" />}
      <Choice
        lab={lab}
        name="deferral"
        label="Tools that say nothing themselves are"
        labels={labels.DEFERRALS}
        own={profile.deferral}
      />
      <Choice
        lab={lab}
        name="disclosure"
        label="What the model sees of a tool held back"
        labels={labels.DISCLOSURES}
        own={profile.disclosure}
      />
      {disclosure.endsWith("stubs") && (
        <Choice lab={lab} name="stubWhen" label="A stub is used" labels={labels.STUB_WHENS} own={profile.stubWhen} />
      )}
      <Choice lab={lab} name="reveal" label="What loads a tool" labels={labels.REVEALS} own={profile.reveal} />
      {profile.budget.tools !== null && (settings.reveal || profile.reveal) === "search" && (
        <div class="side-by-side">
          <Amount lab={lab} name="budgetTools" label="Tools that one search loads" empty={atMost(profile.budget.tools)} />
          <Amount lab={lab} name="budgetTokens" label="Tokens of their definitions" empty={atMost(profile.budget.tokens)} />
        </div>
      )}
      <Choice
        lab={lab}
        name="unrevealedCall"
        label="A call to a tool not loaded is"
        labels={labels.UNREVEALED_CALLS}
        own={profile.unrevealedCall}
      />
      <SearchSettings lab={lab} profile={profile} />
      <Amount
        lab={lab}
        name="searchesPerMinute"
        label="Searches a minute, 0 for any number"
        empty={`as the profile has it: ${profile.searchesPerMinute === 0 ? "any number" : count(profile.searchesPerMinute)}`}
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
            onChange={(event) => lab.change("preDiscovered", event.currentTarget.value.split(/[\s,]+/).filter(Boolean))}
          />
        )}
      </Setting>
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

function atMost(bound: number | null): string {
  return `at most ${bound === null ? "any number" : count(bound)}`;
}
