/** Writes what the doctor found: for a terminal, and as Markdown for a comment on a change. */

import { oneLine } from "../output/escape.js";
import { colours } from "../output/print.js";
import { count, counted } from "../output/table.js";
import { CHECKS } from "./checks.js";
import type { Examination } from "./examine.js";
import { type Finding, type Level, LEVELS } from "./types.js";

/** Findings that are shown of each check. */
const TOP = 5;
/** Names that are shown of a finding about several tools. */
const NAMES = 4;
/** Characters of a message. */
const MESSAGE = 400;

const COLOURS: Record<Level, (text: string) => string> = {
  error: colours.red,
  warning: colours.yellow,
  note: colours.cyan,
};

/** `3 errors, 1 warning, 2 notes`. */
export function summary(findings: readonly Finding[]): string {
  const of = (level: Level) => findings.filter((one) => one.level === level).length;
  return LEVELS.map((level) => counted(of(level), level)).join(", ");
}

/** The findings by check, each with its advice. Equal advice is told once. */
export function terminalReport({ servers, tools, tokens, findings }: Examination, all: boolean): string {
  const lines = [`${counted(servers, "server")}, ${counted(tools, "tool")}, ${counted(tokens, "token")}`];
  for (const { title, own } of sections(findings)) {
    lines.push("", `${colours.bold(title)} (${own.length})`);
    const shown = all ? own : own.slice(0, TOP);
    for (const [at, finding] of shown.entries()) {
      const level = COLOURS[finding.level](finding.level.padEnd(7));
      lines.push(`  ${level} ${colours.bold(subject(finding))}: ${oneLine(finding.message, MESSAGE)}${names(finding)}`);
      const isLast = finding.advice !== shown[at + 1]?.advice;
      if (isLast) lines.push(colours.dim(`          → ${oneLine(finding.advice, MESSAGE)}`));
    }
    if (shown.length < own.length) lines.push(colours.dim(`  … and ${own.length - shown.length} more; --all shows them`));
  }
  lines.push("", findings.length === 0 ? colours.green("Nothing found.") : summary(findings));
  return lines.join("\n");
}

/** The same as Markdown. */
export function markdownReport({ servers, tools, tokens, findings }: Examination, all: boolean): string {
  const lines = [
    "## toolsift doctor",
    "",
    `${counted(servers, "server")}, ${counted(tools, "tool")}, ${count(tokens)} tokens: ${summary(findings)}.`,
  ];
  for (const { title, own } of sections(findings)) {
    lines.push("", `### ${title[0]!.toUpperCase()}${title.slice(1)} (${own.length})`, "");
    lines.push("| level | tool | finding | what to do |", "|---|---|---|---|");
    const shown = all ? own : own.slice(0, TOP);
    for (const finding of shown) {
      const message = markdown(`${oneLine(finding.message, MESSAGE)}${names(finding)}`);
      lines.push(`| ${finding.level} | ${code(subject(finding))} | ${message} | ${markdown(finding.advice)} |`);
    }
    if (shown.length < own.length) lines.push("", `… and ${own.length - shown.length} more.`);
  }
  return lines.join("\n");
}

function sections(findings: readonly Finding[]): { title: string; own: Finding[] }[] {
  return CHECKS.flatMap(({ name, title }) => {
    const own = findings.filter(({ check }) => check === name);
    return own.length === 0 ? [] : [{ title, own }];
  });
}

/** `server: tool`, or what of both there is. */
function subject({ server, tool, tools }: Finding): string {
  const what = tool ?? (tools === undefined ? null : counted(tools.length, "tool"));
  return oneLine([server, what].filter((part) => part !== null && part !== "").join(": ") || "all servers", 100);
}

/** The names of several tools, where the message does not have them. */
function names({ tools, message }: Finding): string {
  if (tools === undefined || message.includes(JSON.stringify(tools[0]))) return "";
  const shown = tools.slice(0, NAMES).map((name) => oneLine(name, 60));
  return ` (${shown.join(", ")}${tools.length > NAMES ? `, … ${tools.length - NAMES} more` : ""})`;
}

/** Text of others as text: no markup, no links, no cells of its own. */
function markdown(text: string): string {
  return oneLine(text, 2 * MESSAGE)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/[\\`*_[\]|#~]/g, "\\$&");
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
