/** The verdict of a bill in words. */
import type { Verdict } from "./bill.ts";
import { count, percent } from "./numbers.ts";

/** Whether tool search pays for this conversation, and from when on. */
export function verdictText(verdict: Verdict, turns: number, tools: number): { head: string; rest: string } {
  const { pays, share, from, until, unit } = verdict;
  const size = sizeText(verdict, tools);
  if (turns < 2) return { head: "No call yet.", rest: "Play a script, or be the model: the bill needs a conversation." };
  if (pays) {
    const since = from === null || from <= 1 ? `from the first ${unit} on` : `from ${unit} ${from} on`;
    return { head: `Tool search pays here ${since}: ${percent(share)} less.`, rest: size };
  }
  const before = until === null ? "" : ` It cost less up to ${unit} ${until}.`;
  const more = share === 0 ? "It costs the same." : `It costs ${percent(-share)} more than everything in full.`;
  return { head: "Tool search does not pay here.", rest: `${more}${before} ${size}` };
}

function sizeText({ tools: from }: Verdict, tools: number): string {
  if (from === null) return "It would not pay with any number of tools of this size.";
  if (from <= 1) return "This conversation pays with any number of tools.";
  return from <= tools
    ? `This conversation pays from about ${count(from)} tools of this size; there are ${count(tools)}.`
    : `It would pay from about ${count(from)} tools of this size; there are ${count(tools)}.`;
}
