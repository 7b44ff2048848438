/** Starts MCP servers, lists their tools, and stops them again. */

import { type Enrichment, ToolSift } from "toolsift";
import { toolsift } from "toolsift/openai";
import { withSecrets } from "../clients/secrets.js";
import type { ServerEntry } from "../clients/types.js";
import { literalEntry } from "../clients/variables.js";
import { INTERRUPTED, reasonOf } from "../failure.js";
import { progress } from "../output/print.js";
import { shown } from "../output/escape.js";
import { counted } from "../output/table.js";

/** The tools that a server listed. */
export interface Listed {
  server: string;
  tools: readonly unknown[];
  /** What people say who need them. */
  enrichment?: readonly Enrichment[];
}

/** The lists of the servers that answered, and what is wrong with the others. */
export interface Answers {
  lists: Listed[];
  problems: string[];
}

/** After so long, people are told what is waited for. */
const PATIENCE_MS = 3_000;
/** Servers that are named to them. */
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
 * The tools of servers, whose variables are filled in. All are started at once and have ended when this returns.
 *
 * @param timeoutMs what a server may take to start
 */
export async function listLive(servers: ReadonlyMap<string, ServerEntry>, timeoutMs: number): Promise<Answers> {
  const names = [...servers.keys()];
  const line = progress();
  line.at(`starting ${counted(names.length, "server")} …`);
  const stop = stopOnSignal();
  const waiting = new Set(names);
  const patience = setTimeout(() => {
    // All have answered or failed, and only their processes are still ending.
    if (waiting.size === 0) return;
    const late = [...waiting].slice(0, MOST_NAMED).map((name) => shown(name, 60));
    line.say(
      `still waiting for ${late.length > 1 ? "one of " : ""}${late.join(", ")} to answer; --timeout is ${timeoutMs / 1000} seconds`,
    );
  }, PATIENCE_MS);
  const recorder = new Recorder();
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
      startTimeoutMs: timeoutMs,
      ready: "all",
      mcp: { timeoutMs },
      packs: false,
      onStatus: ({ name }) => {
        waiting.delete(name);
        line.at(`${names.length - waiting.size} of ${names.length} servers: ${name}`);
      },
    });
    const problems = door.status().flatMap(({ name, error, incomplete }) => {
      const problem = error ?? incomplete;
      return problem === null ? [] : [`the server ${name}: ${problem}`];
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

/** Until the function that this returns is called, Ctrl-C ends this process in an orderly way, and with it the servers. */
function stopOnSignal(): () => void {
  const interrupt = () => process.exit(INTERRUPTED);
  const terminate = () => process.exit(143);
  process.on("SIGINT", interrupt).on("SIGTERM", terminate);
  return () => void process.off("SIGINT", interrupt).off("SIGTERM", terminate);
}
