import { useState } from "preact/hooks";
import type { ProfileInfo } from "toolsift";
import * as labels from "../model/labels.ts";
import type { Lab } from "../model/lab.ts";
import { count } from "../model/numbers.ts";
import type { SettingKey } from "../model/settings.ts";
import { Amount, Choice } from "./setting.tsx";

const KEYS: readonly SettingKey[] = ["ranker", "grammar", "universe", "cutoff", "hits", "maxHits"];

/** How a search is made; unfolded where one of its values is refused, or differs from the profile's. */
export function SearchSettings({ lab, profile }: { lab: Lab; profile: ProfileInfo }) {
  const [unfolded, setUnfolded] = useState(false);
  const { search } = profile;
  const refused = lab.problem !== null && KEYS.includes(lab.problem.setting);
  const differs = KEYS.some((key) => lab.settings[key] !== "" && lab.settings[key] !== null);
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
      </div>
    </details>
  );
}

function own(bound: number | null): string {
  return `as the profile has it: ${bound === null ? "the ranker’s own" : count(bound)}`;
}
