/** Writes the doctor's findings: as texts that are safe to show, and as Markdown for a comment on a change. */

import { listOf } from "../../base/checks.js";
import { foreign } from "../../trust/foreign.js";
import { CHECK_TITLES, LEVELS } from "./checks.js";
import { count, counted } from "./text.js";
import type { Examination, Finding, ReadableFinding } from "./types.js";

const TOP = 5;
/** The maximum number of names in a finding about several tools. */
const NAMES = 4;
const MESSAGE = 400;

/** Returns the number of findings of each level, such as `3 errors, 1 warning, 2 notes`. */
export function summary(findings: readonly Finding[]): string {
  const all = listOf("findings", findings);
  return LEVELS.map((level) => counted(all.filter((one) => one.level === level).length, level)).join(", ");
}

/** Returns a finding as one-line texts that are safe to show. */
export function findingTexts(finding: Finding): ReadableFinding {
  return {
    subject: subjectOf(finding),
    message: `${oneLine(finding.message, MESSAGE)}${names(finding)}`,
    advice: oneLine(finding.advice, MESSAGE),
  };
}

/**
 * Returns the findings by check, as Markdown. Text of servers is escaped, so that it stays plain text.
 *
 * @param options.all true for every finding; by default the first five of each check
 */
export function markdownReport(examination: Examination, options: { all?: boolean } = {}): string {
  const { all = false } = options;
  const { servers, tools, tokens } = examination;
  const findings = listOf("findings", examination.findings);
  const lines = [
    "## toolsift doctor",
    "",
    `${counted(servers, "server")}, ${counted(tools, "tool")}, ${count(tokens)} tokens: ${summary(findings)}.`,
  ];
  for (const [check, title] of Object.entries(CHECK_TITLES)) {
    const own = findings.filter((one) => one.check === check);
    if (own.length === 0) continue;
    lines.push("", `### ${title[0]!.toUpperCase()}${title.slice(1)} (${own.length})`, "");
    lines.push("| level | tool | finding | what to do |", "|---|---|---|---|");
    const shown = all ? own : own.slice(0, TOP);
    for (const finding of shown) {
      const { subject, message, advice } = findingTexts(finding);
      lines.push(`| ${finding.level} | ${code(subject)} | ${markdown(message)} | ${markdown(advice)} |`);
    }
    if (shown.length < own.length) lines.push("", `… and ${own.length - shown.length} more.`);
  }
  return lines.join("\n");
}

/** Returns `server: tool`, or the part of it that is known. */
function subjectOf({ server, tool, tools }: Finding): string {
  const what = tool ?? (tools === undefined ? null : counted(tools.length, "tool"));
  return oneLine([server, what].filter((part) => part !== null && part !== "").join(": ") || "all servers", 100);
}

/** Returns the names of several tools, if the message does not have them. */
function names({ tools, message }: Finding): string {
  if (tools === undefined || message.includes(JSON.stringify(tools[0]))) return "";
  const shown = tools.slice(0, NAMES).map((name) => oneLine(name, 60));
  return ` (${shown.join(", ")}${tools.length > NAMES ? `, … ${tools.length - NAMES} more` : ""})`;
}

const oneLine = (text: string, most: number): string => foreign(text, most, "line");

/** Escapes untrusted text, so that it cannot contain Markdown markup, links or table cells. */
function markdown(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/[\\`*_[\]|#~]/g, "\\$&");
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
