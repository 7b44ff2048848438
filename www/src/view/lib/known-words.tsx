import { useStore } from "../../app/use-store.ts";
import { count, plural } from "../../model/numbers.ts";

/** Packs that are named. */
const NAMED = 3;

/** How many tools have words that people use, of whom and of what age. */
export function KnownWords() {
  const { words, tools, version } = useStore().snapshot;
  const { packs, aged } = words;
  const more = packs.length - NAMED;
  const names = `${packs.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
  return (
    <>
      {count(words.tools)} of {plural(tools.length, "tool")} have words that people use
      {packs.length > 0 && `, of the packs of toolsift ${version} (${names})`}
      {aged > 0 && `; those of ${count(aged)} were written from an earlier definition and count less`}.
    </>
  );
}
