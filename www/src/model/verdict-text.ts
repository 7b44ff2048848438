/** The verdict of a bill in words. */
import type { Verdict } from "./bill.ts";
import { count, percent } from "./numbers.ts";

/** Whether tool search pays for this conversation, and from when on. */
export function verdictText(verdict: Verdict, tools: number): { head: string; rest: string } {
  const { pays, share, from, until, unit } = verdict;
  const size = sizeText(verdict, tools);
  if (share === 0) return { head: "toolsift makes no difference here.", rest: size };
  if (pays) {
    const since =
      from === null || from <= 1 ? `It costs less from the first ${unit} on.` : `It costs less from ${unit} ${from} on.`;
    return { head: `toolsift wins here: ${percent(share)} less.`, rest: `${since} ${size}` };
  }
  const before = until === null ? "" : `It cost less up to ${unit} ${until}. `;
  return { head: `toolsift loses here: ${percent(-share)} more.`, rest: `${before}${size}` };
}

function sizeText({ tools: from }: Verdict, tools: number): string {
  if (from === null) return "It would not pay with any number of tools of this size.";
  if (from <= 1) return "This conversation pays with any number of tools.";
  return from <= tools
    ? `This conversation pays from about ${count(from)} tools of this size; there are ${count(tools)}.`
    : `It would pay from about ${count(from)} tools of this size; there are ${count(tools)}.`;
}
