import { useLayoutEffect } from "preact/hooks";
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
  // The setting that was asked for gets the focus, once.
  useLayoutEffect(() => {
    if (store.setting === null) return;
    document.querySelector<HTMLElement>(`[data-setting=${store.setting}] :is(input, select)`)?.focus();
    store.setting = null;
  }, [store.setting]);
  const { settings, profiles, sources, current, unmatched } = store.snapshot;
  const profile = profileOf(profiles, settings.profile);
  const disclosure = settings.disclosure || profile.disclosure;
  const waits = condition(profile, settings.contextWindow);
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
        labels={labels.ACTIVATIONS}
        note={
          waits === null
            ? "By itself this profile always defers tools."
            : `By itself this profile defers tools when ${waits}.`
        }
      />
      {settings.activation === "tools" && <Amount name="fromTools" />}
      {settings.activation === "tokens" && <Amount name="fromTokens" />}
      {settings.activation === "share" && <Amount name="fromPercent" />}
      <Choice name="deferral" labels={labels.DEFERRALS} own={profile.deferral} />
      <Choice name="disclosure" labels={labels.DISCLOSURES} own={profile.disclosure} />
      {disclosure.endsWith("stubs") && <Choice name="stubWhen" labels={labels.STUB_WHENS} own={profile.stubWhen} />}
      <Choice name="reveal" labels={labels.REVEALS} own={profile.reveal} />
      {profile.budget.tools !== null && (settings.reveal || profile.reveal) === "search" && (
        <div class="side-by-side">
          <Amount name="budgetTools" empty={atMost(profile.budget.tools)} />
          <Amount name="budgetTokens" empty={atMost(profile.budget.tokens)} />
        </div>
      )}
      <Choice name="unrevealedCall" labels={labels.UNREVEALED_CALLS} own={profile.unrevealedCall} />
      <SearchSettings profile={profile} />
      <Amount
        name="searchesPerMinute"
        empty={`profile default: ${profile.searchesPerMinute === 0 ? "any number" : count(profile.searchesPerMinute)}`}
      />
      <Setting
        name="preDiscovered"
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
      <Amount name="contextWindow" empty="not said" />
      <fieldset class="scope">
        <legend>Session {current.id} may see</legend>
        {sources.map(({ server }) => (
          <label key={server} class="check">
            <input
              type="checkbox"
              checked={!current.excluded.includes(server)}
              onChange={(event) => {
                const visible = event.currentTarget.checked;
                const others = current.excluded.filter((name) => name !== server);
                const excluded = visible ? others : [...others, server];
                void store.run((engine) => engine.showServer(server, visible), { current: { ...current, excluded } });
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
