/** `mcp watch`: shows what gateways do, in the terminal. */

import { setTimeout as pause } from "node:timers/promises";
import { Command } from "commander";
import { signalled } from "../gateway/signals.js";
import { print, printJson } from "../output/print.js";
import type { Happened } from "../watch/running.js";
import { type State, watch } from "../watch/state.js";
import { eventLine, screen } from "../watch/terminal.js";

const REFRESH_MS = 1_000;
/** Gateways look once a second whether somebody watches. */
const SETTLE_MS = 1_600;

/** The screen of programs that give the terminal back as it was. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const CLEAR = "\u001b[H\u001b[2J";

/** Makes the command. */
export function mcpWatchCommand(): Command {
  return new Command("watch")
    .description("show what the gateways do: servers, searches, calls, tokens saved, quarantined tools")
    .option("--json", "print how everything stands now as JSON, and end")
    .addHelpText(
      "after",
      `
Without a terminal, each event is a line.

Examples:
  $ toolsift mcp watch
  $ toolsift mcp watch --json | jq '.gateways[].servers'`,
    )
    .action(run);
}

async function run({ json }: { json?: boolean }): Promise<void> {
  const watched = await watch();
  try {
    if (json) {
      await pause(SETTLE_MS);
      return printJson(await watched.state());
    }
    const stopped = signalled();
    const isTerminal = process.stdout.isTTY === true;
    if (isTerminal) process.stdout.write(ENTER);
    try {
      const show = isTerminal ? onScreen : asLines();
      for (let code: number | undefined; code === undefined; ) {
        show(await watched.state());
        code = await Promise.race([stopped, pause(REFRESH_MS, undefined)]);
        if (code !== undefined) process.exitCode = code;
      }
    } finally {
      if (isTerminal) process.stdout.write(LEAVE);
    }
  } finally {
    watched.close();
  }
}

const onScreen = (state: State): void =>
  void process.stdout.write(`${CLEAR}${screen(state, process.stdout.rows, process.stdout.columns)}`);

function asLines(): (state: State) => void {
  const last = new Map<number, number>();
  return ({ gateways }) => {
    const fresh = gateways.flatMap(({ pid, events = [] }): Happened[] => {
      const since = last.get(pid) ?? 0;
      last.set(pid, events.at(-1)?.time ?? since);
      return events.filter(({ time }) => time > since);
    });
    for (const event of fresh.sort((one, other) => one.time - other.time)) print(eventLine(event));
  };
}
