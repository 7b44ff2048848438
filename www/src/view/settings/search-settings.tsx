import { useState } from "preact/hooks";
import type { Ingredient, ProfileInfo } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import * as labels from "../../model/labels.ts";
import { count } from "../../model/numbers.ts";
import type { SettingKey } from "../../model/settings.ts";
import { TypedInput } from "./typed-input.tsx";
import { Amount, Choice, Setting, change } from "./setting.tsx";

const KEYS: readonly SettingKey[] = ["ranker", "grammar", "universe", "cutoff", "hits", "maxHits", "without", "synonyms"];

/** How a search is made; unfolded where one of its values is refused, or differs from the profile's. */
export function SearchSettings({ profile }: { profile: ProfileInfo }) {
  const { snapshot, setting } = useStore();
  const [unfolded, setUnfolded] = useState(setting !== null && KEYS.includes(setting));
  const { search } = profile;
  const refused = snapshot.problem !== null && KEYS.includes(snapshot.problem.setting);
  const differs = KEYS.some((key) => String(snapshot.settings[key] ?? "") !== "");
  return (
    <details
      class="more-settings"
      open={unfolded || refused || differs}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary>How a search is made</summary>
      <div>
        <Choice name="ranker" labels={labels.RANKERS} own={search.ranker} />
        <Choice name="grammar" labels={labels.GRAMMARS} own={search.grammar} />
        <Choice name="universe" labels={labels.UNIVERSES} own={search.universe} />
        <Choice name="cutoff" labels={labels.CUTOFFS} own={search.cutoff} />
        <Amount name="hits" empty={own(search.hits)} />
        <Amount name="maxHits" empty={own(search.maxHits)} />
        {(snapshot.settings.ranker || search.ranker) === "sift" && <OwnRanker />}
      </div>
    </details>
  );
}

/** What only the ranker with synonyms and ingredients listens to. */
function OwnRanker() {
  const store = useStore();
  const { without, synonyms } = store.snapshot.settings;
  const leave = (name: Ingredient, left: boolean) =>
    change(store, "without", left ? [...without, name] : without.filter((other) => other !== name));
  return (
    <>
      <Setting name="synonyms" note="Commas between words, semicolons between groups.">
        {(ids) => (
          <TypedInput
            {...ids}
            type="text"
            placeholder="ticket, case; customer, client"
            value={synonyms}
            onTyped={(text) => change(store, "synonyms", text)}
          />
        )}
      </Setting>
      <fieldset class="ingredients" data-setting="without">
        <legend>The ranker uses</legend>
        {(Object.entries(labels.INGREDIENTS) as [Ingredient, string][]).map(([name, label]) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={!without.includes(name)}
              onChange={(event) => leave(name, !event.currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </>
  );
}

function own(bound: number | null): string {
  return `profile default: ${bound === null ? "the ranker’s own" : count(bound)}`;
}
