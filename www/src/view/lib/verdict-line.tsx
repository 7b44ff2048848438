import { useStore } from "../../app/use-store.ts";
import { verdictOf } from "../../model/bill.ts";
import { verdictText } from "../../model/verdict-text.ts";

const WARM = "A warm cache holds these tools already, from a conversation just before.";

/** Whether it pays, in words: said as loudly where it does not. */
export function VerdictLine() {
  const store = useStore();
  const { current } = store.snapshot;
  const { turns, size } = current;
  if (turns.every(({ does }) => does === null)) return null;
  const verdict = verdictOf(turns, store.prices);
  const { head, rest } = verdictText(verdict, size.full.tools);
  const look = verdict.pays ? "pays" : verdict.share === 0 ? "open" : "dear";
  return (
    <p class={`verdict-line ${look}`} data-testid="verdict" title={WARM}>
      <b>{head}</b> {rest}
    </p>
  );
}
