/** Handles a call that Mastra runs: a discovery tool answers, and a real tool is run by the host's function for it. */

import type { ToolExecutionContext } from "@mastra/core/tools";
import { reasonOf } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Execute, ModelCall, Outcome } from "../../index.js";
import { answerText, start } from "../../loop/driver.js";
import { unlessEnded } from "../../loop/ending.js";
import { runnerOf } from "../../loop/skills.js";
import { saysError, textOf } from "../../wire/answer-text.js";
import type { MastraTool } from "./options.js";
import type { Run } from "./run.js";
import { parameterNames, withOwnNames } from "../../loop/own-names.js";
import type { Work } from "./tools.js";

type Dispatch = Extract<Outcome, { kind: "dispatch" }>;

/** Who runs the tools of the catalog, by the names that the model sees. */
export interface Runners {
  /** Mastra's tools, from the options. */
  natives: ReadonlyMap<string, MastraTool>;
  /** The agent's own, which Mastra has built already. */
  built: ReadonlyMap<string, MastraTool>;
  execute: Execute | undefined;
}

/** Runs the calls of one tool. */
export function workOf(run: Run, name: string, runners: Runners): Work {
  return async (id, input, given) => {
    const call = { id, name, args: input };
    const outcome = await run.take(call, signalOf(given));
    if (outcome.kind === "dispatch") return runTool(run, call, outcome, given, runners);
    const answer = answerText(outcome);
    if (outcome.kind === "refused" && !run.discovery.has(name)) throw new ToolSiftError(outcome.error.code, answer);
    return answer;
  };
}

/** Runs a real tool. Mastra reports its errors to the model; for a run that was ended nothing is reported. */
async function runTool(run: Run, call: ModelCall, outcome: Dispatch, given: unknown, runners: Runners): Promise<unknown> {
  const clock = start();
  try {
    const names = parameterNames(run.session, call.name);
    const result = await ran({ ...call, args: withOwnNames(call.args, names) }, outcome, given, {
      ...runners,
      execute: runnerOf(run.session, outcome, runners.execute),
    });
    // A result of any size is written as text for those who listen only.
    if (run.watched) run.driver.dispatched(call, outcome, clock, { content: textOf(result), isError: saysError(result) });
    return result;
  } catch (error) {
    if (!signalOf(given)?.aborted) run.driver.dispatched(call, outcome, clock, { content: reasonOf(error), isError: true });
    throw error;
  }
}

function ran(call: ModelCall, outcome: Dispatch, given: unknown, { natives, built, execute }: Runners): unknown {
  const { modelName } = outcome;
  // A call through a bridge holds the arguments of another one.
  const isBridged = modelName !== call.name;
  const args = isBridged ? outcome.arguments : call.args;
  const native = outcome.session === undefined ? natives.get(modelName) : undefined;
  if (native?.execute !== undefined) return native.execute(args, given as ToolExecutionContext);
  const own = built.get(modelName) as { execute?: (input: unknown, options: unknown) => unknown } | undefined;
  if (own?.execute !== undefined) return own.execute(args, isBridged ? optionsOf(given) : given);
  if (execute === undefined) throw nobody(modelName);
  return unlessEnded(signalOf(given), async (signal) => {
    const result = await execute({ ...outcome, arguments: args as Dispatch["arguments"], id: call.id, signal });
    // Mastra takes a call without a result for one that somebody else answers, and ends the run.
    return result === undefined ? "" : result;
  });
}

function signalOf(given: unknown): AbortSignal | undefined {
  return (Object(given) as { abortSignal?: AbortSignal }).abortSignal;
}

/** The host has registered a tool and says nowhere how it is run. */
export function nobody(name: string): ToolSiftError {
  const ways = "give options.execute, or a Mastra tool of this name in options.tools or in the agent's tools";
  return new ToolSiftError("option_invalid", `nothing runs ${name}: ${ways}`);
}

/** The options that a tool takes which Mastra has built, out of the context that it gives to one that it has not. */
function optionsOf(given: unknown): Record<string, unknown> {
  const { agent, ...context } = Object(given) as Partial<ToolExecutionContext>;
  return { ...context, ...agent };
}
