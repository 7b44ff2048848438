import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import type { Step } from "../../model/script.ts";
import { defaultSettings, type Settings } from "../../model/settings.ts";
import { plural } from "../../model/numbers.ts";
import { OWN, ownScript, ScriptOptions } from "../lib/script-options.tsx";
import { BreakEven } from "./break-even.tsx";
import { CompareTable } from "./compare-table.tsx";
import { plainVariants, useRuns, type Variant } from "./use-runs.ts";

/** Every profile, and what the visitor has set, on the same script. */
export function Compare() {
  const store = useStore();
  const { snapshot } = store;
  const { scripts, current } = snapshot;
  const own = current.script.length > 0;
  const [chosen, setChosen] = useState<string>(own ? OWN : "0");
  const script = own && chosen === OWN ? current.script : (scripts[Number(chosen) || 0]?.steps ?? []);
  const variants = variantsOf(snapshot, store.kept);
  const runs = useRuns(store, script, variants);
  const waiting = variants.length - runs.size;
  return (
    <>
      <section class="card compare" aria-labelledby="compare-title">
        <header class="card-head">
          <h1 id="compare-title">Every profile on the same script</h1>
          <label class="inline-field">
            <span>Script</span>
            <select
              value={own ? chosen : chosen === OWN ? "0" : chosen}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              {own && <option value={OWN}>{ownScript(current.script.length)}</option>}
              <ScriptOptions scripts={scripts} />
            </select>
          </label>
        </header>
        {script.length === 0 ? (
          <p class="hint">There is nothing to play: bring tools, or begin a conversation.</p>
        ) : (
          <CompareTable script={script} variants={variants} runs={runs} />
        )}
        <p class="hint" role="status">
          {waiting > 0
            ? `Playing: ${waiting} of ${variants.length} to go…`
            : `${plural(wants(script), "tool")} used, ${plural(script.length, "step")}.`}
        </p>
        <p class="hint">
          Prices and assumptions are those of the bill under Conversation. These are scripts; played by a large model in 30
          tasks (November 2026, lab/REPORT.md of the repository), sift took 1.6 searches each, and the AI SDK’s own{" "}
          <code>toolSearch</code> 3.9 for 2.9 times the price.
        </p>
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-disabled={!differs(snapshot.inForce, snapshot)}
            onClick={() => differs(snapshot.inForce, snapshot) && store.keep(snapshot.inForce)}
          >
            Keep these settings as a column
          </button>
          {store.kept.length > 0 && (
            <button type="button" class="button small plain" onClick={() => store.forgetKept()}>
              Forget the kept columns
            </button>
          )}
        </div>
      </section>
      <BreakEven />
    </>
  );
}

function wants(script: readonly Step[]): number {
  return new Set(script.flatMap((step) => (step.kind === "use" ? [step.name] : []))).size;
}

/** The profiles as the page opens them, the settings in force where they differ, and what was kept. */
function variantsOf(snapshot: ReturnType<typeof useStore>["snapshot"], kept: readonly Settings[]): Variant[] {
  const { profiles, inForce } = snapshot;
  const own = differs(inForce, snapshot) ? [{ name: `${inForce.profile}, as set`, settings: inForce }] : [];
  const earlier = kept.map((settings, index) => ({ name: `kept ${index + 1}: ${settings.profile}`, settings }));
  return [...plainVariants(profiles, inForce), ...own, ...earlier];
}

function differs(settings: Settings, { profiles }: { profiles: Parameters<typeof defaultSettings>[0] }): boolean {
  return JSON.stringify(settings) !== JSON.stringify(defaultSettings(profiles, settings.profile, settings));
}
