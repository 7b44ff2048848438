import { useLayoutEffect } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { captionOf } from "../../model/caption.ts";

/** What happened last, or in a request that was chosen, in sentences, with the ways one step back and forth: also the arrow keys. */
export function Caption({ turn }: { turn?: number }) {
  const store = useStore();
  const { current, scripts } = store.snapshot;
  const { turns, ahead, script } = current;
  const first = scripts[0];
  const back = script.length > 0;
  const forth = ahead.length > 0 || (script.length === 0 && first !== undefined);
  const step = (by: 1 | -1) => {
    if (by < 0) return back && void store.run((engine) => engine.undo());
    if (ahead.length > 0) return void store.run((engine) => engine.next());
    if (forth && first) void store.run((engine) => engine.take(first.steps, first.title, 1));
  };
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = event.target as Element;
      // Where the arrows move something else, they do that.
      if (
        by === undefined ||
        event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        at.closest("input, textarea, select, [role=tab], [role=application]")
      )
        return;
      step(by as 1 | -1);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return (
    <div class="caption">
      <button
        type="button"
        class="button small plain"
        aria-disabled={!back}
        aria-label="One step back"
        onClick={() => step(-1)}
      >
        ←
      </button>
      <p data-testid="caption">{captionOf(turns, turn ?? turns.at(-1)?.number ?? 1, store.without && turn === undefined)}</p>
      <button
        type="button"
        class="button small plain"
        aria-disabled={!forth}
        aria-label="One step on"
        onClick={() => step(1)}
      >
        →
      </button>
    </div>
  );
}
