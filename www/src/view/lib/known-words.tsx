import { useStore } from "../../app/use-store.ts";
import { count, plural } from "../../model/numbers.ts";
import type { Pack } from "../../model/source.ts";

/** Packs that are named. */
const NAMED = 3;

/** How many tools have words that people use, and of whom. */
export function KnownWords() {
  const { words, tools, version } = useStore().snapshot;
  const { packs } = words;
  const more = packs.length - NAMED;
  const first = packs.slice(0, NAMED).map(({ name }) => name);
  const names = `${first.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
  return (
    <>
      {count(words.tools)} of {plural(tools.length, "tool")} have words that people use
      {packs.length > 0 &&
        `, of the packs of toolsift ${version} (${names}), which a language model wrote on ${daysOf(packs)}`}
      .
    </>
  );
}

/** The first day and the last. */
function daysOf(packs: readonly Pack[]): string {
  const days = packs.map(({ written }) => Date.parse(written));
  const written = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
  return written.formatRange(Math.min(...days), Math.max(...days));
}
