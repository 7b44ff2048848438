import { useLayoutEffect, useRef } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { IN_FULL } from "../../model/labels.ts";
import type { Step } from "../../model/script.ts";
import { modelOf } from "../../model/settings.ts";
import { WithCode } from "../lib/with-code.tsx";
import { columnOf, figuresOf, fullColumn, winnersOf, type Column } from "./figures.ts";
import { PriceBars } from "./price-bars.tsx";
import type { Run, Variant } from "./use-runs.ts";

/** Calls that are shown; the rest is a number. */
const SHOWN = 8;

interface Props {
  script: readonly Step[];
  variants: readonly Variant[];
  runs: ReadonlyMap<string, Run>;
}

/** One column for each profile and one row for each figure; a column is also the way to its profile. */
export function CompareTable({ script, variants, runs }: Props) {
  const store = useStore();
  const { profiles, profile } = store.snapshot;
  const frame = useRef<HTMLDivElement>(null);
  const columns = variants.flatMap(({ name }): Column[] => {
    const run = runs.get(name);
    return run === undefined || "refused" in run ? [] : [columnOf(name, run, store.prices)];
  });
  const played = columns[0]?.view;
  const all = played ? [...columns, fullColumn(IN_FULL, played, store.prices)] : columns;
  const figures = figuresOf(all);
  const names = [...variants.map(({ name }) => name), IN_FULL];
  const byName = new Map(all.map((column) => [column.name, column]));
  const profileOf = (name: string) =>
    profiles.all.find((row) => row.name === variants.find((one) => one.name === name)?.settings.profile);
  useLayoutEffect(() => showCurrent(frame.current), [profile.name, columns.length === 0]);
  const look = (name: string) => (name === profile.name ? "current" : "");
  return (
    <>
      <PriceBars columns={all} complete={runs.size === variants.length} />
      <details class="figures" onToggle={(event) => event.currentTarget.open && showCurrent(frame.current)}>
        <summary>Every figure</summary>
        <p class="hint">
          Every column plays the whole script. The best value of each row has a ✓. Click a name to use that profile on this
          page.
        </p>
        <div
          ref={frame}
          class="compare-frame"
          tabIndex={0}
          role="region"
          aria-label="The figures, a column for each profile"
        >
          <table>
            <thead>
              <tr>
                <td />
                {names.map((name) => (
                  <th scope="col" key={name} class={look(name)} data-column={name}>
                    {profiles.all.some((row) => row.name === name) ? (
                      <button
                        type="button"
                        class="compare-name mono"
                        aria-pressed={name === profile.name}
                        onClick={() => void store.run((engine) => engine.chooseProfile(name as typeof profile.name))}
                      >
                        {name}
                      </button>
                    ) : (
                      <span class="compare-name">{name}</span>
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {figures.map((figure) => {
                const winners = winnersOf(figure, all);
                return (
                  <tr key={figure.name}>
                    <th scope="row">{figure.label}</th>
                    {names.map((name) => {
                      const column = byName.get(name);
                      const value = column === undefined ? null : figure.value(column);
                      const best = winners.has(name);
                      return (
                        <td
                          key={name}
                          class={`${look(name)} ${best ? "best" : figure.name === "saved" && value !== null && value < 0 ? "dearer" : ""}`}
                          data-figure={`${name} ${figure.name}`}
                        >
                          {value === null ? waitingText(runs.get(name), name) : figure.text(value)}
                          {best && <span class="visually-hidden"> (best)</span>}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
              <tr class="prose">
                <th scope="row">Calls of the model</th>
                {names.map((name) => (
                  <td key={name} class={look(name)} data-figure={`${name} calls`}>
                    <Calls column={byName.get(name)} script={script} />
                  </td>
                ))}
              </tr>
              <tr class="prose">
                <th scope="row">The model sees</th>
                {names.map((name) => (
                  <td key={name} class={look(name)}>
                    {name === IN_FULL ? "every tool" : <WithCode text={profileOf(name)?.shows ?? ""} />}
                  </td>
                ))}
              </tr>
              <tr class="prose">
                <th scope="row">Modelled on</th>
                {names.map((name) => (
                  <td key={name} class={look(name)}>
                    {name === IN_FULL ? "no tool search" : modelOf(profileOf(name), profiles)}
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function waitingText(run: Run | undefined, name: string): string {
  if (run !== undefined && "refused" in run) return run.refused;
  return run === undefined && name !== IN_FULL ? "…" : "–";
}

function Calls({ column, script }: { column: Column | undefined; script: readonly Step[] }) {
  if (column === undefined) return <>…</>;
  const calls =
    column.view === null
      ? script.flatMap((step) => (step.kind === "use" ? [step.name] : []))
      : column.turns.flatMap(({ does }) => {
          if (does === null || does === "answer") return [];
          const { outcome, tool } = does;
          return [outcome.kind === "dispatch" && outcome.modelName !== tool ? `${tool}(${outcome.modelName})` : tool];
        });
  return (
    <ol class="compare-steps mono">
      {calls.slice(0, SHOWN).map((call, index) => (
        <li key={index} title={call}>
          {call}
        </li>
      ))}
      {calls.length > SHOWN && <li class="quiet">and {calls.length - SHOWN} more</li>}
    </ol>
  );
}

/** Where the table scrolls, brings the column of the profile at work beside the labels, and leaves the page where it is. */
function showCurrent(frame: HTMLElement | null): void {
  const column = frame?.querySelector<HTMLElement>("th.current");
  const labels = frame?.querySelector<HTMLElement>("tbody th");
  if (frame && column && labels) frame.scrollLeft = column.offsetLeft - labels.offsetWidth;
}
