/** `mcp status`: shows what gateways did since the counters were started. */

import { Command } from "commander";
import pc from "picocolors";
import { neutralised } from "toolsift/gateway";
import { readFigures, resetFigures, type FigureTotals } from "../gateway/figures.js";
import { safeJson } from "../safe-json.js";
import { waitingForApproval } from "../trust/approval.js";

/** At most so many tools are printed; `--json` has all. */
const MAX_PRINTED = 20;

/** What each figure of the table says. */
const MEANINGS = `What is counted:
  tool lists answered   how often a client asked which tools there are; saved are the tokens by which the answers
                        were shorter than the lists of your servers, and than the same without the parts of
                        schemas that no parameter reaches
  searches              found: tools fit; doubtful: tools came near, and none fitted; empty: no tool came near;
                        led to a call: a tool that a search found was called later
  calls                 calls of tools of your servers; failed: answered with an error, or refused
  errors                calls that failed, by the reason
  waiting for approval  tools whose definitions changed; they are held back until you approve them`;

/** Makes the command. */
export function mcpStatusCommand(): Command {
  return new Command("status")
    .description("show what the gateway did: tokens saved, searches and their outcomes, calls and errors")
    .option("--json", "print JSON")
    .option("--reset", "start all counters again")
    .addHelpText(
      "after",
      `
${MEANINGS}

Examples:
  $ toolsift mcp status
  $ toolsift mcp status --json
  $ toolsift mcp status --reset`,
    )
    .action(run);
}

async function run({ json, reset }: { json?: boolean; reset?: boolean }): Promise<void> {
  try {
    if (reset) await resetFigures();
  } catch (error) {
    process.stderr.write(`error: the counters cannot be reset: ${(error as Error).message}\n`);
    process.exitCode = 1;
    return;
  }
  const figures = await readFigures();
  // Where few tools are served, the tools of the gateway itself may be more than they would have been.
  const positive = (tokens: number): number => Math.max(0, tokens);
  const { tokensSaved, tokensSavedOfSent } = figures;
  const totals = { ...figures, tokensSaved: positive(tokensSaved), tokensSavedOfSent: positive(tokensSavedOfSent) };
  const { waiting } = await waitingForApproval();
  const text = json ? safeJson({ ...totals, waitingForApproval: waiting.length }, 2) : table(totals, waiting.length);
  process.stdout.write(`${text}\n`);
}

function table({ since, lists, tokensSaved, tokensSavedOfSent, searches, tools, errors }: FigureTotals, waiting: number): string {
  const sum = (key: "calls" | "failed"): number => tools.reduce((total, one) => total + one[key], 0);
  const { found, doubtful, empty, followed } = searches;
  const outcomes = `${found} found, ${doubtful} doubtful, ${empty} empty; ${followed} led to a call`;
  const failures = errors.reduce((total, { count }) => total + count, 0);
  const lines = [
    pc.bold(`Since ${since.slice(0, 16).replace("T", " ")} UTC`),
    row("tool lists answered", lists, savedText(tokensSaved, tokensSavedOfSent)),
    row("searches", found + doubtful + empty, outcomes),
    row("calls", sum("calls"), `${number(sum("failed"))} failed`),
    row("errors", failures, errors.map(({ kind, count }) => `${visible(kind)} ${count}`).join(", ")),
    row("waiting for approval", waiting, waiting > 0 ? "see `mcp approve`" : ""),
  ];
  const most = [...tools].sort((a, b) => b.calls - a.calls).slice(0, MAX_PRINTED);
  if (most.length > 0) lines.push("", pc.bold("Tools by calls"));
  for (const { server, tool, calls, failed, ms } of most) {
    const name = server === "" && tool === "" ? "other tools" : `${visible(server)}:${visible(tool)}`;
    const failing = failed > 0 ? `${number(failed)} failed, ` : "";
    lines.push(row(name, calls, `${failing}${number(Math.round(ms / Math.max(1, calls)))} ms each`));
  }
  if (tools.length > most.length) lines.push(`  … ${tools.length - most.length} more; --json shows all`);
  lines.push("", pc.dim(MEANINGS));
  return lines.join("\n");
}

/** What was saved, of what the servers send and of what toolsift keeps of that. */
function savedText(saved: number, ofSent: number): string {
  if (ofSent === saved) return `${number(saved)} tokens saved`;
  return `${number(ofSent)} tokens saved of what the servers send, ${number(saved)} of what remains of it`;
}

/** A line of the table: what, how many, and more about it. */
const row = (what: string, count: number, more: string): string =>
  `  ${what.padEnd(28)} ${number(count).padStart(10)}${more === "" ? "" : `  ${pc.dim(more)}`}`;

const number = (value: number): string => value.toLocaleString("en-US");

const visible = (text: string): string => neutralised(text.slice(0, 100)).replaceAll(/[\r\n\t]+/g, " ");
