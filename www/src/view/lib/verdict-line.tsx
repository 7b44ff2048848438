import { useStore } from "../../app/use-store.ts";
import { verdictOf } from "../../model/bill.ts";
import { verdictText } from "../../model/verdict-text.ts";

/** Whether it pays, in words: said as loudly where it does not. `long`: what a warm cache is, too. */
export function VerdictLine({ long = false }: { long?: boolean }) {
  const store = useStore();
  const { current } = store.snapshot;
  const { turns, size } = current;
  if (turns.every(({ does }) => does === null)) return null;
  const verdict = verdictOf(turns, store.prices);
  const { head, rest } = verdictText(verdict, size.full.tools, long);
  const look = verdict.undone > 0 || verdict.share === 0 ? "open" : verdict.pays ? "pays" : "dear";
  return (
    <p class={`verdict-line ${look}`} data-testid="verdict">
      <b>{head}</b> {rest}
    </p>
  );
}
