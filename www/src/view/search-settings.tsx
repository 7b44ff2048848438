import { useState } from "preact/hooks";
import type { Ingredient, ProfileInfo } from "toolsift";
import * as labels from "../model/labels.ts";
import type { Lab } from "../model/lab.ts";
import { count } from "../model/numbers.ts";
import type { SettingKey } from "../model/settings.ts";
import { Amount, Choice, Setting } from "./setting.tsx";

const KEYS: readonly SettingKey[] = ["ranker", "grammar", "universe", "cutoff", "hits", "maxHits", "without", "synonyms"];

/** How a search is made; unfolded where one of its values is refused, or differs from the profile's. */
export function SearchSettings({ lab, profile }: { lab: Lab; profile: ProfileInfo }) {
  const [unfolded, setUnfolded] = useState(false);
  const { search } = profile;
  const refused = lab.problem !== null && KEYS.includes(lab.problem.setting);
  const differs = KEYS.some((key) => String(lab.settings[key] ?? "") !== "");
  return (
    <details
      class="more-settings"
      open={unfolded || refused || differs}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary>How a search is made</summary>
      <div>
        <Choice lab={lab} name="ranker" label="Tools are found by" labels={labels.RANKERS} own={search.ranker} />
        <Choice lab={lab} name="grammar" label="A query is read" labels={labels.GRAMMARS} own={search.grammar} />
        <Choice lab={lab} name="universe" label="What is searched" labels={labels.UNIVERSES} own={search.universe} />
        <Choice lab={lab} name="cutoff" label="Hits left out" labels={labels.CUTOFFS} own={search.cutoff} />
        <Amount lab={lab} name="hits" label="Hits where nobody asks for a number" empty={own(search.hits)} />
        <Amount lab={lab} name="maxHits" label="Hits at the most" empty={own(search.maxHits)} />
        {(lab.settings.ranker || search.ranker) === "sift" && <OwnRanker lab={lab} />}
      </div>
    </details>
  );
}

/** What only the ranker with synonyms and ingredients listens to. */
function OwnRanker({ lab }: { lab: Lab }) {
  const { without, synonyms } = lab.settings;
  const leave = (name: Ingredient, left: boolean) =>
    lab.change("without", left ? [...without, name] : without.filter((other) => other !== name));
  return (
    <>
      <Setting lab={lab} name="synonyms" label="Words that mean the same here" note="Commas between words, semicolons between groups.">
        {(ids) => (
          <input
            {...ids}
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder="ticket, case; customer, client"
            value={synonyms}
            onChange={(event) => lab.change("synonyms", event.currentTarget.value)}
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
  return `as the profile has it: ${bound === null ? "the ranker’s own" : count(bound)}`;
}
