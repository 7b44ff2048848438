/** `toolsift mcp approve`: shows tools whose definitions changed, and approves them. */

import { Command } from "commander";
import { Failure, misuse } from "../base/failure.js";
import { shown } from "../output/escape.js";
import { approve, waitingForApproval, type Waiting } from "../trust/approval.js";
import { printed } from "../trust/difference.js";
import { colours as pc, print, printJson, warn } from "../output/print.js";

interface Options {
  all?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Makes the command. A running gateway applies an approval without a restart. */
export function mcpApproveCommand(): Command {
  return new Command("approve")
    .description("show tools whose definitions changed since they were first seen, and approve them")
    .argument("[tools...]", "what to approve: server, or server:tool; without it, shows everything that waits for approval")
    .option("--all", "approve everything that waits for approval")
    .option("-y, --yes", "approve without asking")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift mcp approve                                   # shows what waits for approval, and asks on a terminal
  $ toolsift mcp approve github:create_issue
  $ toolsift mcp approve github --yes                      # all tools of a server, without asking
  $ toolsift mcp approve --all --yes

Exit code: 0 if nothing waits for approval any more, 1 if something does or fails, 2 for wrong arguments.`,
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  const { waiting, problems } = await waitingForApproval();
  for (const problem of problems) warn(shown(problem));
  const isChosen = names.length > 0 || options.all === true;
  const unknown = names.filter((name) => !waiting.some((one) => isNamed(one, name)));
  if (unknown.length > 0) {
    const list = unknown.map((name) => `"${shown(name)}"`).join(", ");
    throw new Failure(`nothing of ${list} waits for approval. Run \`mcp approve\` to see what does.`);
  }
  if (names.length > 0 && options.all) throw misuse("pass either tools or --all");
  if (options.yes && !isChosen) throw misuse("--yes needs to know what to approve: pass tools or --all");
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && !options.json;
  if (isChosen && !options.yes && !isTerminal && waiting.length > 0) {
    throw misuse("cannot ask without a terminal. Look at the differences with `mcp approve`, then pass --yes.");
  }
  const chosen = isChosen && !options.all ? waiting.filter((one) => names.some((name) => isNamed(one, name))) : waiting;
  const how = options.yes ? "approve" : isTerminal ? "ask" : "show";
  const approved = await decided(chosen, how, options.json === true);
  const left = waiting.length - approved.length;
  if (options.json) {
    const still = waiting.filter((one) => !approved.includes(one));
    printJson({ waiting: still.map(data), approved: approved.map(data), problems });
  } else {
    report(chosen, approved, left);
  }
  process.exitCode = left > 0 || problems.length > 0 ? 1 : 0;
}

/** Shows the chosen definitions, asks the user if necessary, and saves the approvals. Returns the approved definitions. */
async function decided(chosen: Waiting[], how: "approve" | "ask" | "show", quiet: boolean): Promise<Waiting[]> {
  const agreed: Waiting[] = [];
  for (const one of chosen) {
    if (!quiet) print(`${described(one)}\n`);
    if (how === "approve") agreed.push(one);
    else if (how === "ask") {
      const { cancel, confirm, isCancel } = await import("@clack/prompts");
      const answer = await confirm({ message: `Approve ${titleOf(one)}?`, initialValue: false });
      if (isCancel(answer)) {
        cancel("Stopped. The tools that you approved stay approved.");
        break;
      }
      if (answer) agreed.push(one);
    }
  }
  return agreed.length > 0 ? await approve(agreed) : [];
}

function report(chosen: readonly Waiting[], approved: readonly Waiting[], left: number): void {
  if (chosen.length === 0) print("Nothing waits for approval.");
  for (const one of approved) print(`Approved ${titleOf(one)}.`);
  if (left > 0) {
    const tools = left === 1 ? "1 tool waits" : `${left} tools wait`;
    print(`${tools} for approval. Approve with \`mcp approve SERVER\`, \`SERVER:TOOL\` or \`--all\`.`);
  }
}

function described(one: Waiting): string {
  const lines = [pc.bold(titleOf(one)) + pc.dim(`  first seen ${shown(one.seen)}`)];
  if (one.incomplete) lines.push("  The earlier or the new definition was not kept: the difference is not complete.");
  if (one.changes.length > 0) lines.push(printed(one.changes, pc));
  for (const { where, detail } of one.findings) {
    lines.push(pc.bold(pc.red(`! suspicious in the ${where}: ${shown(detail)}`)));
  }
  return lines.join("\n");
}

const data = ({ server, tool, seen, changes, findings, incomplete }: Waiting): object => ({
  server,
  tool,
  seen,
  changes,
  findings,
  incomplete,
});

const isNamed = ({ server, tool }: Waiting, name: string): boolean => name === server || name === `${server}:${tool}`;

const titleOf = ({ server, tool }: Waiting): string => `${shown(server)}:${shown(tool)}`;
