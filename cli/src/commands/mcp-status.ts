/** `toolsift mcp status`: shows the usage counters of all gateways, and the servers of running gateways. */

import { Command } from "commander";
import type { ServerStatus } from "toolsift/gateway";
import { Failure } from "../base/failure.js";
import { planOf, type PlanSource } from "../gateway/plan.js";
import { verboseOption } from "../output/verbose.js";
import { oneLine, shown } from "../output/escape.js";
import { runningServers } from "../gateway/running.js";
import { readFigures, resetFigures, type FigureTotals } from "../gateway/figures.js";
import { waitingForApproval } from "../trust/approval.js";
import { colours as pc, print, printJson } from "../output/print.js";

/** The most tools that are printed. With `--json`, all are printed. */
const MAX_PRINTED = 20;

/** The explanation of each row in the table. */
const MEANINGS = `What is counted:
  tool lists answered   how often a client asked which tools there are; saved: tokens of all definitions minus tokens
                        sent; the second number leaves out parts of schemas that no parameter uses
  searches              found: tools were shown with their parameters; doubtful: some tools fit a little, and only
                        their names were shown; empty: no tool fit; led to a call: a found tool was called later
  calls                 calls of tools of your servers; failed: the server answered with an error, or the gateway refused
  errors                calls that failed and servers that went down, by the reason
  waiting for approval  tools whose definitions changed; they are quarantined until you approve them
  servers               the servers of all running gateways; if none runs, the servers of --config or --from that cannot be
                        started`;

/** Makes the command. */
export function mcpStatusCommand(): Command {
  const command = new Command("status");
  return command
    .description("show what the gateway did: tokens saved, searches and their outcomes, calls and errors")
    .option("--json", "print JSON")
    .option("--reset", "start all counters again")
    .option("--config <file>", "if no gateway runs: check the servers in this file")
    .option("--from <client>", "if no gateway runs: check the servers in this client's configuration")
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

async function run({ json, reset, ...source }: PlanSource & { json?: boolean; reset?: boolean }): Promise<void> {
  try {
    if (reset) await resetFigures();
  } catch (error) {
    throw new Failure(`the counters cannot be reset: ${(error as Error).message}`);
  }
  const figures = await readFigures();
  // The gateway's own tools can cost more than a few real tools. Then 0 is shown.
  const positive = (tokens: number): number => Math.max(0, tokens);
  const { tokensSaved, tokensSavedOfSent } = figures;
  const totals = { ...figures, tokensSaved: positive(tokensSaved), tokensSavedOfSent: positive(tokensSavedOfSent) };
  const { waiting } = await waitingForApproval();
  const servers = await serversNow(source);
  if (json) printJson({ ...totals, waitingForApproval: waiting.length, servers });
  else print(table(totals, waiting.length, servers));
}

/** Returns the servers of the running gateways. If none runs, returns the servers of the source that cannot be started. */
async function serversNow(source: PlanSource): Promise<ServerStatus[]> {
  const running = await runningServers();
  if (running !== undefined) return running;
  if (source.config === undefined && source.from === undefined) return [];
  const { faults } = await planOf(source);
  return [...faults].map(([name, error]) => ({ name, state: "down", tools: 0, quarantined: [], rejected: [], error }));
}

function table(
  { since, lists, tokensSaved, tokensSavedOfSent, searches, tools, errors }: FigureTotals,
  waiting: number,
  servers: readonly ServerStatus[],
): string {
  const sum = (key: "calls" | "failed"): number => tools.reduce((total, one) => total + one[key], 0);
  const { found, doubtful, empty, followed } = searches;
  const outcomes = `${found} found, ${doubtful} doubtful, ${empty} empty; ${followed} led to a call`;
  const failures = errors.reduce((total, { count }) => total + count, 0);
  const lines = [
    pc.bold(`Since ${since.slice(0, 16).replace("T", " ")} UTC`),
    row("tool lists answered", lists, savedText(tokensSaved, tokensSavedOfSent)),
    row("searches", found + doubtful + empty, outcomes),
    row("calls", sum("calls"), `${number(sum("failed"))} failed`),
    row("errors", failures, errors.map(({ kind, count }) => `${shown(kind)} ${count}`).join(", ")),
    row("waiting for approval", waiting, waiting > 0 ? "see `mcp approve`" : ""),
  ];
  const most = [...tools].sort((a, b) => b.calls - a.calls).slice(0, MAX_PRINTED);
  if (most.length > 0) lines.push("", pc.bold("Tools by calls"));
  for (const { server, tool, calls, failed, ms } of most) {
    const name = server === "" && tool === "" ? "other tools" : `${shown(server)}:${shown(tool)}`;
    const failing = failed > 0 ? `${number(failed)} failed, ` : "";
    lines.push(row(name, calls, `${failing}${number(Math.round(ms / Math.max(1, calls)))} ms each`));
  }
  if (tools.length > most.length) lines.push(`  … ${tools.length - most.length} more; --json shows all`);
  if (servers.length > 0) lines.push("", pc.bold("Servers"), ...servers.flatMap(serverLines));
  lines.push("", pc.dim(MEANINGS));
  return lines.join("\n");
}

/** The longest reason in a line, in characters. With `--verbose`, it is not cut. */
const REASON_CHARS = 200;

/** Returns the lines of a server, with its tools that were left out or changed. */
function serverLines({ name, state, tools, error, note, rejected, repaired = [] }: ServerStatus): string[] {
  const many = `${number(tools)} ${tools === 1 ? "tool" : "tools"}`;
  const [why = "", ...more] = (error ?? note ?? "").split("\n");
  const odd = [
    ...rejected.map((one) => `not listed: ${shown(one.name)} (${oneLine(one.message, REASON_CHARS)})`),
    ...repaired.map((one) => `changed: ${shown(one.name)} (${oneLine(one.repair, REASON_CHARS)})`),
  ];
  const rest = odd.length > MAX_PRINTED ? [`… ${odd.length - MAX_PRINTED} more; --json shows all`] : [];
  return [
    `  ${shown(name).padEnd(28)} ${state.padEnd(8)} ${many.padStart(10)}${why && `  ${oneLine(why, REASON_CHARS)}`}`,
    ...more.map((line) => `    ${shown(line, REASON_CHARS)}`),
    ...[...odd.slice(0, MAX_PRINTED), ...rest].map((text) => `    ${text}`),
  ];
}

/** Formats the saved tokens, compared with the definitions as the servers send them, and without unused parts of schemas. */
function savedText(saved: number, ofSent: number): string {
  if (ofSent === saved) return `${number(saved)} tokens saved`;
  return `${number(ofSent)} tokens saved, ${number(saved)} without unused parts of schemas`;
}

const row = (what: string, count: number, more: string): string =>
  `  ${what.padEnd(28)} ${number(count).padStart(10)}${more === "" ? "" : `  ${pc.dim(more)}`}`;

const number = (value: number): string => value.toLocaleString("en-US");
