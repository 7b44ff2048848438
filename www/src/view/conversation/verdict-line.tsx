import { useStore } from "../../app/use-store.ts";
import { verdictOf } from "../../model/bill.ts";
import { verdictText } from "../../model/verdict-text.ts";

/** Whether it pays, in words. */
export function VerdictLine() {
  const store = useStore();
  const { turns, size } = store.snapshot.current;
  const verdict = verdictOf(turns, store.prices);
  const { head, rest } = verdictText(verdict, turns.length, size.full.tools);
  const look = turns.length < 2 ? "open" : verdict.pays ? "pays" : "dear";
  return (
    <p class={`verdict-line ${look}`} data-testid="verdict">
      <b>{head}</b> {rest}
    </p>
  );
}
