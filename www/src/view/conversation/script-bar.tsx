import { useLayoutEffect, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { isPlayed, OWN, ownScript, ScriptOptions } from "../lib/script-options.tsx";

/** Slow enough to follow, fast enough not to wait for. */
const STEP_MS = 900;

/** Which conversation is played, and the ways through it. */
export function ScriptBar() {
  const store = useStore();
  const { scripts, current } = store.snapshot;
  const [playing, setPlaying] = useState(false);
  const waiting = current.ahead.length;
  const done = current.script.length;
  useLayoutEffect(() => {
    if (!playing) return;
    if (waiting === 0) return setPlaying(false);
    const timer = setTimeout(() => void store.run((engine) => engine.next()), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, waiting, current]);
  const chosen = scripts.findIndex((script) => isPlayed(script, current));
  return (
    <div class="script-bar">
      <label class="inline-field">
        <span>Script</span>
        <select
          value={chosen < 0 && done + waiting > 0 ? OWN : String(chosen)}
          onChange={(event) => {
            setPlaying(false);
            const script = scripts[Number(event.currentTarget.value)];
            void store.run((engine) => engine.take(script?.steps ?? [], script?.title ?? null));
          }}
        >
          <option value="-1">none: you play the model</option>
          {chosen < 0 && done + waiting > 0 && <option value={OWN}>{ownScript(done + waiting)}</option>}
          <ScriptOptions scripts={scripts} />
        </select>
      </label>
      <div class="actions" role="group" aria-label="Playing">
        <button
          type="button"
          class="button small"
          aria-disabled={waiting === 0}
          onClick={() => setPlaying(waiting > 0 && !playing)}
        >
          {playing ? "Stop" : "Play"}
        </button>
        <button
          type="button"
          class="button small"
          aria-disabled={waiting === 0}
          onClick={() => waiting > 0 && void store.run((engine) => engine.next())}
        >
          Step
        </button>
        <button
          type="button"
          class="button small"
          aria-disabled={done === 0}
          onClick={() => done > 0 && void store.run((engine) => engine.undo())}
        >
          Undo
        </button>
        <button
          type="button"
          class="button small"
          aria-disabled={done === 0}
          onClick={() => {
            setPlaying(false);
            if (done > 0) void store.run((engine) => engine.rewind());
          }}
        >
          Rewind
        </button>
      </div>
      <span class="hint" title="A step is what the user says or the model does.">
        Step {done} of {done + waiting}
      </span>
    </div>
  );
}
