import { diffLines } from "diff";
import { useLayoutEffect, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import type { PayloadDiff } from "../../core/types.ts";
import { requestName } from "../../model/bill.ts";
import { plural } from "../../model/numbers.ts";

/** Definitions past these are named only: a change of hundreds is read by its names. */
const SHOWN = 20;

/** Lines of a hunk that did not change, around those that did. */
const AROUND = 2;

/** What a request has that the request before it had not, line by line. */
export function ChangesPanel({ turn: number }: { turn: number }) {
  const store = useStore();
  const { current, inForce } = store.snapshot;
  const [found, setFound] = useState<{ turn: number; diff: PayloadDiff } | null>(null);
  useLayoutEffect(() => {
    let wanted = true;
    void store.core.engine.payloadDiff(number, inForce.format).then((diff) => wanted && setFound({ turn: number, diff }));
    return () => void (wanted = false);
  }, [number, inForce.format, current]);
  const turn = current.turns[number - 1];
  if (turn === undefined) return null;
  if (number === 1) return <p class="hint">Request 1 is the first: there is nothing before it to compare it with.</p>;
  if (found === null || found.turn !== number) return <p class="hint">Comparing…</p>;
  const { entries, prompt } = found.diff;
  const changed = entries.filter((entry) => entry.state !== "same");
  const same = entries.length - changed.length;
  return (
    <div class="changes">
      <h2>
        {requestName(turn)} against request {number - 1}
      </h2>
      <p class="hint">
        {plural(same, "definition")} unchanged, {changed.length === 0 ? "none" : changed.length} changed;{" "}
        {prompt.before === prompt.after ? "the same system prompt." : "another system prompt."}{" "}
        {changed.length === 0 && prompt.before === prompt.after && "A prompt cache keeps all of it."}
      </p>
      {changed.slice(0, SHOWN).map((entry) => (
        <section key={entry.name} class="change">
          <h3 class="mono">
            {entry.name} <span class="tag">{entry.state}</span>
          </h3>
          <Lines before={entry.before ?? ""} after={entry.after ?? ""} label={`Change of ${entry.name}`} />
        </section>
      ))}
      {changed.length > SHOWN && (
        <p class="hint">
          and{" "}
          {changed
            .slice(SHOWN)
            .map((entry) => entry.name)
            .join(", ")}
        </p>
      )}
      {prompt.before !== prompt.after && (
        <section class="change">
          <h3>System prompt</h3>
          <Lines before={prompt.before} after={prompt.after} label="Change of the system prompt" />
        </section>
      )}
    </div>
  );
}

function Lines({ before, after, label }: { before: string; after: string; label: string }) {
  const parts = diffLines(before, after);
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label={label}>
      {parts.map((part, index) => {
        const sign = part.added ? "+" : part.removed ? "−" : " ";
        const kind = part.added ? "added" : part.removed ? "removed" : "kept";
        const lines = part.value.replace(/\n$/, "").split("\n");
        const shown = kind === "kept" ? shortened(lines, index === 0, index === parts.length - 1) : lines;
        return shown.map((line, place) => (
          <span key={`${index} ${place}`} class={`diff-${kind}`}>
            {`${sign} ${line}\n`}
          </span>
        ));
      })}
    </pre>
  );
}

/** Of what did not change, the lines next to what did. */
function shortened(lines: readonly string[], first: boolean, last: boolean): string[] {
  const head = first ? [] : lines.slice(0, AROUND);
  const tail = last ? [] : lines.slice(-AROUND);
  if (head.length + tail.length >= lines.length) return [...lines];
  return [...head, `… ${lines.length - head.length - tail.length} lines`, ...tail];
}
