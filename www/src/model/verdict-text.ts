/** The verdict of a bill in words. */
import type { Verdict } from "./bill.ts";
import { IN_FULL } from "./labels.ts";
import { count, percent, plural } from "./numbers.ts";

/** What a profile costs here, as the verdict and the comparison say it alike. */
export function costText(share: number, than = ` than ${IN_FULL}`): string {
  if (share === 0) return `costs as much as ${IN_FULL}`;
  return `costs ${percent(Math.abs(share))} ${share > 0 ? "less" : "more"}${than}`;
}

/** Whether tool search pays for this conversation, and from when on. */
export function verdictText(verdict: Verdict, tools: number, long = false): { head: string; rest: string } {
  const { pays, undone, share, warm, from, until, unit } = verdict;
  if (undone > 0) {
    const rest = "What it costs says nothing: with another search the model may find what it needs.";
    return { head: `${plural(undone, "call")} did not run, so the work is not done.`, rest };
  }
  const head = `In this conversation tool search ${costText(share)}.`;
  if (pays) {
    const since = from === null || from <= 1 ? [] : [`From ${unit} ${from} on it had cost less.`];
    if (warm !== null)
      since.push(`With a warm cache${long ? ", which holds all tools from minutes before," : ""} it ${costText(warm, "")}.`);
    return { head, rest: since.join(" ") };
  }
  if (share === 0) return { head, rest: "" };
  const before = until === null ? "" : `It cost less up to ${unit} ${until}. `;
  return { head, rest: `${before}${sizeText(verdict, tools)}` };
}

function sizeText({ tools: from }: Verdict, tools: number): string {
  if (from === null) return "This conversation would not cost less with any number of tools of this size.";
  return from <= tools
    ? ""
    : `This conversation would cost less from about ${count(from)} tools of this size on; there are ${count(tools)}.`;
}
