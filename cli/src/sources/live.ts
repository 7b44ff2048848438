/** Starts MCP servers, lists their tools, and stops them again. */

import type { ChildProcess } from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import { type Enrichment, ToolSift, ToolSiftError } from "toolsift";
import { toolsift } from "toolsift/openai";
import { connectProcess, isProcess } from "./connect.js";
import { Failure, INTERRUPTED } from "../failure.js";
import { progress } from "../output/print.js";
import { nameOf } from "../output/escape.js";
import { counted } from "../output/table.js";

/** What a server listed. */
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
 * The tools of servers that are configured as in `mcpServers`. All are started at once and have ended when this returns.
 *
 * @param timeoutMs what a server may take to start
 * @throws Failure for a configuration that is wrong
 */
export async function listLive(servers: Record<string, unknown>, timeoutMs: number): Promise<Answers> {
  const names = Object.keys(servers);
  const line = progress();
  let told = 0;
  line.at(`starting ${counted(names.length, "server")} …`);
  const stop = stopOnSignal();
  const waiting = new Set(names.filter((name) => isProcess(servers[name])));
  const patience = setTimeout(() => {
    const late = (waiting.size > 0 ? [...waiting] : names).slice(0, MOST_NAMED).map((name) => nameOf(name, 60));
    line.say(`still waiting for ${late.join(", ")} to answer; --timeout is ${timeoutMs / 1000} seconds`);
  }, PATIENCE_MS);
  const entryOf = (name: string): unknown => {
    if (!isProcess(servers[name])) return servers[name];
    return () => connectProcess(name, servers[name], timeoutMs).finally(() => waiting.delete(name));
  };
  const recorder = new Recorder();
  try {
    const door = await toolsift({
      mcpServers: Object.fromEntries(names.map((name) => [name, entryOf(name)])) as never,
      env: process.env,
      sift: recorder,
      startTimeoutMs: timeoutMs,
      mcp: { timeoutMs },
      packs: false,
      onStatus: ({ name }) => line.at(`${++told} of ${names.length} servers: ${name}`),
    });
    const problems = door.status().flatMap(({ name, error, incomplete }) => {
      const problem = error ?? incomplete;
      return problem === null ? [] : [`the server ${name}: ${problem}`];
    });
    await door.close();
    const lists = [...recorder.lists].map(([server, tools]) => ({ server, tools }));
    return { lists, problems };
  } catch (error) {
    if (ToolSiftError.is(error)) throw new Failure(error.message.replaceAll("options.mcpServers", "mcpServers"));
    throw error;
  } finally {
    clearTimeout(patience);
    stop();
    line.done();
    recorder.dispose();
  }
}

/**
 * Until the function that this returns is called, Ctrl-C ends the processes that are started meanwhile and then this one.
 * Otherwise a server that does not notice the end of its input would stay.
 */
function stopOnSignal(): () => void {
  const started = new Set<ChildProcess>();
  const note = (message: unknown) => void started.add((message as { process: ChildProcess }).process);
  const end = (code: number) => () => {
    for (const child of started) child.kill("SIGTERM");
    process.exit(code);
  };
  const [interrupt, terminate] = [end(INTERRUPTED), end(143)];
  diagnostics.subscribe("child_process", note);
  process.on("SIGINT", interrupt).on("SIGTERM", terminate);
  return () => {
    diagnostics.unsubscribe("child_process", note);
    process.off("SIGINT", interrupt).off("SIGTERM", terminate);
  };
}
