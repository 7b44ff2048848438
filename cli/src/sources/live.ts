/** Starts MCP servers, lists their tools, and stops them again. */

import { setTimeout as sleep } from "node:timers/promises";
import { type Enrichment, ToolSift } from "toolsift";
import { installerOf } from "toolsift/internal";
import { toolsift } from "toolsift/openai";
import { withSecrets } from "../clients/secrets.js";
import type { ServerEntry } from "../clients/types.js";
import { literalEntry } from "../clients/variables.js";
import { reasonOf } from "../base/failure.js";
import { onSignal } from "../base/signals.js";
import { progress } from "../output/print.js";
import { shown } from "../output/escape.js";
import { counted } from "../output/table.js";

/** The tools of one server. */
export interface Listed {
  server: string;
  tools: readonly unknown[];
  /** Extra search words for the tools: what people say when they need them. */
  enrichment?: readonly Enrichment[];
}

/** The lists of the servers that answered, and a message for each server with a problem. */
export interface Answers {
  lists: Listed[];
  problems: string[];
}

/** After this time without all answers, the user sees which servers are still missing, in ms. */
const PATIENCE_MS = 3_000;
/** The time after the last answer until silent servers are given up, in ms. It is longer if one may still be downloading. */
const QUIET_MS = 10_000;
const INSTALL_QUIET_MS = 30_000;
const POLL_MS = 50;
/** The most missing servers that the message names. */
const MOST_NAMED = 5;

/** A catalog that keeps each list as the server sent it. */
class Recorder extends ToolSift {
  readonly lists = new Map<string, readonly unknown[]>();

  override sync(...[server, tools, options]: Parameters<ToolSift["sync"]>): ReturnType<ToolSift["sync"]> {
    this.lists.set(server, [...(tools as Iterable<unknown>)]);
    return super.sync(server, tools, options);
  }
}

/**
 * Starts all servers together, lists their tools, and ends the servers. Variables in the entries must be filled in already.
 *
 * @param timeoutMs the time that a server may take to start. Without it, a silent server is given up soon after the others
 * have answered.
 */
export async function listLive(servers: ReadonlyMap<string, ServerEntry>, timeoutMs: number | undefined): Promise<Answers> {
  const names = [...servers.keys()];
  const line = progress();
  line.at(`starting ${counted(names.length, "server")} …`);
  // On a signal, the process exits normally, which also ends the servers.
  const stop = onSignal((code) => process.exit(code));
  const waiting = new Set(names);
  const patience = setTimeout(() => {
    // If every server has answered or failed, only their processes are still ending.
    if (waiting.size === 0) return;
    const late = [...waiting].slice(0, MOST_NAMED).map((name) => shown(name, 60));
    const limit =
      timeoutMs === undefined ? "limit the wait with --timeout SECONDS" : `--timeout is ${timeoutMs / 1000} seconds`;
    line.say(`still waiting for ${late.length > 1 ? "one of " : ""}${late.join(", ")} to answer; ${limit}`);
  }, PATIENCE_MS);
  const recorder = new Recorder();
  let answeredAt = performance.now();
  try {
    const faults: string[] = [];
    const entries: Record<string, object> = {};
    for (const [name, entry] of servers) {
      try {
        entries[name] = literalEntry(await withSecrets(entry));
      } catch (error) {
        faults.push(`the server ${name}: ${reasonOf(error)}`);
      }
    }
    const door = await toolsift({
      mcpServers: entries as never,
      sift: recorder,
      ...(timeoutMs === undefined ? { ready: 0 } : { startTimeoutMs: timeoutMs, ready: "all", mcp: { timeoutMs } }),
      packs: false,
      onStatus: ({ name, state }) => {
        if (state === "starting" || !waiting.delete(name)) return;
        answeredAt = performance.now();
        line.at(`${names.length - waiting.size} of ${names.length} servers: ${name}`);
      },
    });
    for (const name of names) if (!(name in entries)) waiting.delete(name);
    const quietMs = () => ([...waiting].some((name) => isInstalled(servers.get(name))) ? INSTALL_QUIET_MS : QUIET_MS);
    while (waiting.size > 0 && performance.now() - answeredAt < quietMs()) await sleep(POLL_MS);
    const problems = door.status().flatMap((status) => {
      const problem = status.state === "starting" ? missing(servers.get(status.name)) : (status.error ?? status.incomplete);
      return problem === null ? [] : [`the server ${status.name}: ${problem}`];
    });
    await door.close();
    const lists = [...recorder.lists].map(([server, tools]) => ({ server, tools }));
    return { lists, problems: [...faults, ...problems] };
  } finally {
    clearTimeout(patience);
    stop();
    line.done();
    recorder.dispose();
  }
}

/** Returns the message about a server that was given up because it did not answer. */
function missing(entry: ServerEntry | undefined): string {
  const download = isInstalled(entry) ? ", and may still be downloading" : "";
  return `it has not answered yet${download}; use --timeout SECONDS to wait longer`;
}

/** Returns true if the command installs the server before it runs it, as `npx` does. */
const isInstalled = (entry: ServerEntry | undefined): boolean =>
  entry !== undefined && "command" in entry && installerOf({ args: [], ...entry }) !== undefined;
