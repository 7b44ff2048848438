import { useStore } from "../../app/use-store.ts";
import * as labels from "../../model/labels.ts";
import { count } from "../../model/numbers.ts";
import { profileOf } from "../../model/settings.ts";
import { condition } from "../../model/waiting.ts";
import { TypedInput } from "./typed-input.tsx";
import { Amount, Choice, Setting, change } from "./setting.tsx";
import { SearchSettings } from "./search-settings.tsx";

/** Every axis of the profile. A change plays the conversation again at once. */
export function SettingsForm() {
  const store = useStore();
  const { settings, profiles, sources, current, unmatched } = store.snapshot;
  const profile = profileOf(profiles, settings.profile);
  const disclosure = settings.disclosure || profile.disclosure;
  const waits = condition(profile.activation, settings.contextWindow);
  return (
    <section class="card settings" aria-labelledby="settings-title">
      <header class="card-head">
        <h2 id="settings-title">Settings</h2>
        <button type="button" class="button small" onClick={() => void store.run((engine) => engine.defaults())}>
          Defaults
        </button>
      </header>
      <Choice
        name="activation"
        label="Tool search is"
        labels={labels.ACTIVATIONS}
        note={waits === null ? "Profile default: always on." : `Profile default: on when ${waits}.`}
      />
      {settings.activation === "tools" && <Amount name="fromTools" label="From how many tools" />}
      {settings.activation === "tokens" && <Amount name="fromTokens" label="From how many tokens" />}
      {settings.activation === "share" && <Amount name="fromPercent" label="From how many per cent" />}
      <Choice
        name="deferral"
        label="Tools that do not say whether to be deferred are"
        labels={labels.DEFERRALS}
        own={profile.deferral}
      />
      <Choice
        name="disclosure"
        label="What the model sees of a deferred tool"
        labels={labels.DISCLOSURES}
        own={profile.disclosure}
      />
      {disclosure.endsWith("stubs") && (
        <Choice name="stubWhen" label="A stub is used" labels={labels.STUB_WHENS} own={profile.stubWhen} />
      )}
      <Choice name="reveal" label="What reveals a tool" labels={labels.REVEALS} own={profile.reveal} />
      {profile.budget.tools !== null && (settings.reveal || profile.reveal) === "search" && (
        <div class="side-by-side">
          <Amount name="budgetTools" label="Tools that one search reveals" empty={atMost(profile.budget.tools)} />
          <Amount name="budgetTokens" label="Tokens of their definitions" empty={atMost(profile.budget.tokens)} />
        </div>
      )}
      <Choice
        name="unrevealedCall"
        label="A call to a deferred tool is"
        labels={labels.UNREVEALED_CALLS}
        own={profile.unrevealedCall}
      />
      <SearchSettings profile={profile} />
      <Amount
        name="searchesPerMinute"
        label="Searches a minute, 0 for any number"
        empty={`profile default: ${profile.searchesPerMinute === 0 ? "any number" : count(profile.searchesPerMinute)}`}
      />
      <Setting
        name="preDiscovered"
        label="Pinned: every session starts with"
        note={
          unmatched.length === 0 ? (
            "Names, with commas between them."
          ) : (
            <span class="problem" role="alert">
              No tool is called {unmatched.join(", ")}. The other names are used.
            </span>
          )
        }
      >
        {(ids) => (
          <TypedInput
            {...ids}
            class="mono"
            type="text"
            value={settings.preDiscovered.join(", ")}
            onTyped={(text) => change(store, "preDiscovered", text.split(/[\s,]+/).filter(Boolean))}
          />
        )}
      </Setting>
      <Amount name="contextWindow" label="Context window of the model, in tokens" empty="not said" />
      <fieldset class="scope">
        <legend>Session {current.id} may see</legend>
        {sources.map(({ server }) => (
          <label key={server} class="check">
            <input
              type="checkbox"
              checked={!current.excluded.includes(server)}
              onChange={(event) => {
                const visible = event.currentTarget.checked;
                void store.run((engine) => engine.showServer(server, visible));
              }}
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
