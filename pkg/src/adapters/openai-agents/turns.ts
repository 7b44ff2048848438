/**
 * Follows the turns of runs. The SDK identifies a run by its context. An agent that runs as a tool shares the context of the
 * agent that calls it; after a handoff, agents share a context too. So a context has a stack of runs, and the last one has
 * the turn.
 */

import { type Agent, ModelBehaviorError, type RunContext, type ToolErrorFormatterArgs } from "@openai/agents";
import type { ModelCall, Outcome } from "../../index.js";
import { Driver, textForModel } from "../../loop/driver.js";
import type { Choice } from "../../loop/rank.js";
import type { ToolList } from "./catalog.js";

/** The maximum number of unfinished runs in one context. Failed runs stay on the stack until this number is reached. */
const MOST_OPEN = 32;

const stacks = new WeakMap<RunContext<any>, Run[]>();
const watched = new WeakSet<Agent<any, any>>();

/** The part of a run in which one agent works on one session. */
export class Run {
  readonly driver: Driver;
  /** The ids of the last reply's calls that the session answered or refused. */
  readonly answered = new Set<string | undefined>();
  #outcomes: Outcome[] = [];

  private constructor(readonly list: ToolList) {
    this.driver = new Driver(list.open(), list.catalog.options);
  }

  /** Returns the run of an agent's tool list in a context: the current one, or a new one. */
  static of(runContext: RunContext<any>, list: ToolList): Run {
    const stack = stacks.get(runContext) ?? [];
    stacks.set(runContext, stack);
    const known = stack.find((run) => run.list === list);
    if (known !== undefined) return known;
    const run = new Run(list);
    stack.push(run);
    if (stack.length > MOST_OPEN) stack.shift();
    return run;
  }

  static last(runContext: RunContext<any>): Run | undefined {
    return stacks.get(runContext)?.at(-1);
  }

  /**
   * Begins a turn of this run: ends the previous reply. The tools that the SDK has just read are sent.
   *
   * @returns the prompt section for these tools
   * @throws ModelBehaviorError of the SDK, if the last replies contained only calls that cannot run
   */
  begin(runContext: RunContext<any>, agent: Agent<any, any>): string {
    follow(agent, this.list);
    leave(runContext, this.list);
    stacks.get(runContext)?.push(this);
    this.driver.end(this.#outcomes);
    this.#outcomes = [];
    this.answered.clear();
    if (this.driver.stuck) {
      const { patience, session } = this.driver;
      const what = `the last ${patience} replies of the model were nothing but calls that cannot run`;
      throw new ModelBehaviorError(`toolsift ended the run: ${what} (session ${session.id})`);
    }
    const session = this.list.open();
    this.driver.session = session;
    this.driver.begin();
    this.list.isSent = true;
    return session.assemble({ format: "mcp" }).systemPrompt;
  }

  decide(call: ModelCall, choice?: Choice): Outcome {
    const outcome = this.driver.decide(call, choice);
    this.list.isSent = false;
    this.#outcomes.push(outcome);
    if (outcome.kind !== "dispatch") this.answered.add(call.id);
    return outcome;
  }

  /** Counts a call of one of the agent's own tools: a reply with such a call is not counted as refused. */
  ran(name: string): void {
    this.list.isSent = false;
    this.#outcomes.push({ kind: "dispatch", name, server: null, modelName: name, arguments: {} });
  }
}

/**
 * Listens to an agent's start and end, after which its tools are read again, and to calls of its own tools. When an agent
 * ends, its runs are removed, so that the agent that called it has the turn again.
 */
function follow(agent: Agent<any, any>, list: ToolList): void {
  if (watched.has(agent)) return;
  watched.add(agent);
  agent.on("agent_tool_start", (runContext, tool) => {
    if (!list.ours.has(tool)) Run.of(runContext, list).ran(tool.name);
  });
  agent.on("agent_start", () => void (list.isSent = false));
  agent.on("agent_end", (runContext) => {
    list.isSent = false;
    leave(runContext, list);
  });
}

function leave(runContext: RunContext<any>, list: ToolList): void {
  const stack = stacks.get(runContext);
  const at = stack?.findIndex((run) => run.list === list) ?? -1;
  if (at >= 0) stack?.splice(at, 1);
}

/** Returns the answer to a call of a tool that the agent does not have; undefined if your program's own answer is used. */
export function notFound({ kind, toolName: name, callId: id, runContext }: ToolErrorFormatterArgs<any>): string | undefined {
  if (kind !== "tool_not_found") return undefined;
  const run = Run.last(runContext);
  if (run === undefined) return undefined;
  const outcome = run.decide({ id, name });
  if (outcome.kind !== "dispatch") return textForModel(outcome);
  // The SDK looks up tools before it runs any call of a reply, and does not pass the arguments.
  const { session } = run.driver;
  if (!session.revealed.includes(name)) session.reveal([name]);
  return `${name} was loaded in the same step, so this call did not run. It is loaded now: call it again.`;
}
