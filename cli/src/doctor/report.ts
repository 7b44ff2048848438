/** Writes what the doctor found for a terminal. */

import { CHECK_TITLES, type Examination, type Level, findingTexts, summary } from "toolsift/author";
import { oneLine } from "../output/escape.js";
import { colours } from "../output/print.js";
import { counted } from "../output/table.js";

/** Findings that are shown of each check. */
const TOP = 5;
/** Characters of a message, with the names behind it. */
const MESSAGE = 700;

const COLOURS: Record<Level, (text: string) => string> = {
  error: colours.red,
  warning: colours.yellow,
  note: colours.cyan,
};

/** The findings by check, each with its advice. Equal advice is told once. */
export function terminalReport({ servers, tools, tokens, findings }: Examination, { all }: { all: boolean }): string {
  const lines = [`${counted(servers, "server")}, ${counted(tools, "tool")}, ${counted(tokens, "token")}`];
  for (const [check, title] of Object.entries(CHECK_TITLES)) {
    const own = findings.filter((one) => one.check === check);
    if (own.length === 0) continue;
    lines.push("", `${colours.bold(title)} (${own.length})`);
    const shown = all ? own : own.slice(0, TOP);
    for (const [at, finding] of shown.entries()) {
      const { subject, message, advice } = findingTexts(finding);
      const level = COLOURS[finding.level](finding.level.padEnd(7));
      lines.push(`  ${level} ${colours.bold(oneLine(subject))}: ${oneLine(message, MESSAGE)}`);
      const isLast = finding.advice !== shown[at + 1]?.advice;
      if (isLast) lines.push(colours.dim(`          → ${oneLine(advice, MESSAGE)}`));
    }
    if (shown.length < own.length) lines.push(colours.dim(`  … and ${own.length - shown.length} more; --all shows them`));
  }
  lines.push("", findings.length === 0 ? colours.green("Nothing wrong.") : summary(findings));
  return lines.join("\n");
}
