/** `toolsift mcp status`: shows the usage counters of all gateways, and the servers that could not be reached. */

import { Command } from "commander";
import { Failure } from "../base/failure.js";
import { verboseOption } from "../output/verbose.js";
import { oneLine, shown } from "../output/escape.js";
import { readFigures, resetFigures, type FigureTotals } from "../gateway/figures.js";
import { waitingForApproval } from "../trust/approval.js";
import { colours as pc, print, printJson } from "../output/print.js";

/** The most tools that are printed. With `--json`, all are printed. */
const MAX_PRINTED = 20;

/** The explanation of each row in the table. */
const MEANINGS = `What is counted:
  tool lists answered   how often a client asked which tools there are; saved: tokens of all definitions, without parts
                        of schemas that no parameter uses, minus tokens sent
  searches              found: tools were shown with their parameters; doubtful: some tools fit a little, and only
                        their names were shown; empty: no tool fit; led to a call: a found tool was called later
  calls                 calls of tools of your servers; failed: the server answered with an error, or the gateway refused
  errors                calls that failed and servers that went down, by the reason
  waiting for approval  tools whose definitions changed; they are quarantined until you approve them
  not available         servers whose last connection failed, and the time when it failed`;

/** Makes the command. */
export function mcpStatusCommand(): Command {
  const command = new Command("status");
  return command
    .description("show what the gateway did: tokens saved, searches and their outcomes, calls and errors")
    .option("--json", "print JSON")
    .option("--reset", "start all counters again")
    .addOption(verboseOption(command))
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
    throw new Failure(`the counters cannot be reset: ${(error as Error).message}`);
  }
  const figures = await readFigures();
  const servers = figures.servers.filter(({ error }) => error !== "");
  // The gateway's own tools can cost more than a few real tools. Then 0 is shown.
  const totals = { ...figures, tokensSaved: Math.max(0, figures.tokensSaved), servers };
  const { waiting } = await waitingForApproval();
  if (json) printJson({ ...totals, waitingForApproval: waiting.length });
  else print(table(totals, waiting.length));
}

function table({ since, lists, tokensSaved, searches, tools, errors, servers }: FigureTotals, waiting: number): string {
  const sum = (key: "calls" | "failed"): number => tools.reduce((total, one) => total + one[key], 0);
  const { found, doubtful, empty, followed } = searches;
  const outcomes = `${found} found, ${doubtful} doubtful, ${empty} empty; ${followed} led to a call`;
  const failures = errors.reduce((total, { count }) => total + count, 0);
  const lines = [
    pc.bold(`Since ${minute(since)}`),
    row("tool lists answered", lists, `${number(tokensSaved)} tokens saved`),
    row("searches", found + doubtful + empty, outcomes),
    row("calls", sum("calls"), `${number(sum("failed"))} failed`),
    row("errors", failures, errors.map(({ kind, count }) => `${shown(kind)} ${count}`).join(", ")),
    row("waiting for approval", waiting, waiting > 0 ? "see `mcp approve`" : ""),
  ];
  const most = [...tools].sort((a, b) => b.calls - a.calls).slice(0, MAX_PRINTED);
  if (most.length > 0) lines.push("", pc.bold("Tools by calls"));
  for (const { server, tool, calls, failed, ms } of most) {
    const failing = failed > 0 ? `${number(failed)} failed, ` : "";
    lines.push(
      row(`${shown(server)}:${shown(tool)}`, calls, `${failing}${number(Math.round(ms / Math.max(1, calls)))} ms each`),
    );
  }
  if (tools.length > most.length) lines.push(`  … ${tools.length - most.length} more; --json shows all`);
  const unavailable = servers.map(
    ({ name, error, at }) => `  ${shown(name).padEnd(28)} ${minute(at)}  ${oneLine(error, 200)}`,
  );
  if (servers.length > 0) lines.push("", pc.bold("Not available"), ...unavailable);
  lines.push("", pc.dim(MEANINGS));
  return lines.join("\n");
}

const row = (what: string, count: number, more: string): string =>
  `  ${what.padEnd(28)} ${number(count).padStart(10)}${more === "" ? "" : `  ${pc.dim(more)}`}`;

const number = (value: number): string => value.toLocaleString("en-US");

/** Formats an ISO date. */
const minute = (date: string): string => `${shown(date.slice(0, 16)).replace("T", " ")} UTC`;
