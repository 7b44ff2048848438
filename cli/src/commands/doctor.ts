/** `toolsift doctor`: finds problems in tool definitions and gives advice. */

import { Command, InvalidArgumentError, Option } from "commander";
import {
  CHECK_TITLES,
  examine,
  type Level,
  LEVELS,
  markdownReport,
  MAX_TOKENS,
  type Examination,
  findingTexts,
  summary,
} from "toolsift/author";
import { FAILED } from "../base/failure.js";
import { print, printJson, progress, colours } from "../output/print.js";
import { type EnrichmentOptions, enrichmentOf, tellFit, withEnrichment } from "../sources/enrichment.js";
import { knownWords, wordsLine } from "../sources/known-words.js";
import { type PackOptions, packed, withPacks } from "../sources/packs.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { jsonOption, wholeNumber } from "./options.js";
import { oneLine } from "../output/escape.js";
import { counted } from "../output/table.js";

interface DoctorOptions extends SourceOptions, EnrichmentOptions, PackOptions {
  failOn: Level | "never";
  maxTokens: number;
  check?: string[];
  all?: true;
  json?: true;
  markdown?: true;
}

export function doctorCommand(): Command {
  const checks = Object.entries(CHECK_TITLES).map(([name, title]) => `  ${name.padEnd(10)} ${title}`);
  const failOn = new Option("--fail-on <level>", "exit code 1 for a finding of this level or worse");
  failOn.choices([...LEVELS, "never"]).default("error");
  const maxTokens = new Option(
    "--max-tokens <number>",
    "report a tool as expensive if its definition takes more tokens than this",
  );
  maxTokens.argParser(wholeNumber(1, 1_000_000)).default(MAX_TOKENS);
  return withPacks(withEnrichment(withSources(new Command("doctor"))))
    .description("find what is wrong with tools, and say what to do about it")
    .addOption(failOn)
    .addOption(new Option("--check <name>", "run only this check (repeatable)").argParser(checkName))
    .addOption(maxTokens)
    .option("--all", "show every finding, not only the first five of each check")
    .addOption(new Option("--markdown", "print Markdown, such as for a comment on a pull request").conflicts("json"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Checks:
${checks.join("\n")}

Examples:
  $ toolsift doctor tools.json
  $ toolsift doctor --server 'node dist/server.js' --fail-on warning
  $ toolsift doctor ~/.cursor/mcp.json --check vendors --check cost --all`,
    )
    .action(async (paths: string[], options: DoctorOptions) => {
      const enrichment = await enrichmentOf(options);
      const { lists } = await readSources(paths, options);
      const line = progress();
      const known = await packed(lists, options);
      const { enrichment: fits = [], ...examination } = examine(known, {
        maxTokens: options.maxTokens,
        ...(enrichment !== undefined && { enrichment }),
        ...(options.check !== undefined && { only: options.check }),
        onProgress: (check, done, of) => line.at(`${check}: ${done} of ${of} tools`),
      });
      line.done();
      if (enrichment !== undefined) tellFit(enrichment, fits);
      const report = options.markdown ? markdownReport : terminalReport;
      const words = knownWords(known, enrichment);
      if (options.json) printJson({ ...examination, words });
      else print(`${report(examination, { all: options.all === true })}\n\n${wordsLine(words)}`);
      const worst = LEVELS.indexOf(options.failOn as Level);
      if (examination.findings.some(({ level }) => LEVELS.indexOf(level) <= worst)) process.exitCode = FAILED;
    });
}

function checkName(value: string, before: string[] = []): string[] {
  const names = Object.keys(CHECK_TITLES);
  if (names.includes(value)) return [...before, value];
  throw new InvalidArgumentError(`Allowed are ${names.join(", ")}.`);
}

/** The most findings of a check that are shown without `--all`. */
const TOP = 5;
/** The longest message or advice that is shown, in characters. */
const MESSAGE = 700;

const COLOURS: Record<Level, (text: string) => string> = {
  error: colours.red,
  warning: colours.yellow,
  note: colours.cyan,
};

/** Formats the findings by check, with advice. If neighbouring findings have the same advice, it is shown once. */
function terminalReport({ servers, tools, tokens, findings }: Examination, { all }: { all: boolean }): string {
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
