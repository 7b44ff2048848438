/** Runs an agent loop: asks the model, answers its calls, and repeats until the model makes no more calls. */

import { callable } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import type { Session } from "../core/session.js";
import { aFunction, anObject, anything, aSignal, type Shape, shaped, wholeOf } from "../base/shape.js";
import type { WireFormat } from "../types/index.js";
import { kind } from "../base/values.js";
import { AHEAD, searchAhead } from "./ahead.js";
import { DRIVING, Driver } from "./driver.js";
import { lent } from "./ending.js";
import { endOf, rounds } from "./rounds.js";
import type { Answer, ModelReply, RunOptions, RunReport } from "./types.js";

const STEPS = 20;
const MOST_STEPS = 10_000;
const OPTIONS: Shape<RunOptions<ModelReply, WireFormat>> = {
  ...AHEAD,
  ...DRIVING,
  format: anything,
  send: aFunction,
  execute: aFunction,
  answered: aFunction,
  conversation: anObject,
  begin: aFunction,
  maxSteps: wholeOf(1, MOST_STEPS),
  signal: aSignal,
};

/**
 * Runs the whole agent loop, for programs without a framework: assemble, send, answer the calls, repeat. Calls of one reply
 * run at the same time, at most 16 of them. The model gets the error of a failed call. A model that only makes calls which
 * cannot run is stopped.
 *
 * ```ts
 * const report = await runTools(session, {
 *   format: "openai",
 *   send: async ({ tools, systemPrompt, answers }) => ({ calls: await askTheModel(tools, systemPrompt, answers) }),
 *   execute: ({ server, name, arguments: args }) => clients[server].callTool({ name, arguments: args }),
 * });
 * ```
 *
 * @throws the error of `send`; the reason of `signal` if it is aborted; ToolSiftError `option_invalid` (also for a reply
 * without a list of calls), `option_unknown`, `limit_out_of_range`, `option_conflict` if an adapter's model is used in
 * another run, and all errors of `session.assemble`
 */
export async function runTools<R extends ModelReply, F extends WireFormat = "mcp">(
  session: Session,
  options: RunOptions<R, F>,
): Promise<RunReport<R>> {
  const settings = checked(session, options);
  const end = settings.begin?.();
  try {
    searchAhead(session, options, settings.conversation ?? {});
    return await run(session, settings);
  } finally {
    end?.();
  }
}

async function run<R extends ModelReply, F extends WireFormat>(
  session: Session,
  settings: RunSettings<R, F>,
): Promise<RunReport<R>> {
  const { format, send, answered, execute, maxSteps, signal, driver } = settings;
  let answers: readonly Answer[] = [];
  const ask = (step: number) => {
    const { tools, systemPrompt, size } = session.assemble<F>(format === undefined ? {} : { format });
    const request = { session, tools, systemPrompt, size, answers, step };
    return lent(signal, (own) => send({ ...request, signal: own }));
  };
  const settle = async (reply: R, steps: number): Promise<RunReport<R> | undefined> => {
    const calls = callsOf(reply);
    answers = await driver.answer(calls, execute, signal);
    if (calls.length === 0) return { finish: "done", reply, answers, steps };
    await answered?.(answers);
    signal?.throwIfAborted();
    if (driver.stuck) return { finish: "refused", reply, answers, steps };
    return steps === maxSteps ? { finish: "steps", reply, answers, steps } : undefined;
  };
  return endOf(rounds(ask, settle, signal));
}

type RunSettings<R extends ModelReply, F extends WireFormat> = ReturnType<typeof checked<R, F>>;

function checked<R extends ModelReply, F extends WireFormat>(session: Session, options: RunOptions<R, F>) {
  const valid = shaped(options, OPTIONS as Shape<RunOptions<R, F>>);
  const { format, send, answered, conversation, begin, execute, maxSteps = STEPS, signal } = valid;
  callable("send", send);
  callable("execute", execute);
  return { format, send, answered, conversation, begin, execute, maxSteps, signal, driver: new Driver(session, valid) };
}

function callsOf(reply: ModelReply | undefined): ModelReply["calls"] {
  const calls: unknown = reply?.calls;
  if (Array.isArray(calls) && calls.every((call) => typeof call === "object" && call !== null))
    return calls as ModelReply["calls"];
  throw new ToolSiftError("option_invalid", `send must return { calls: [{ id, name, args }] }, got ${kind(calls)} as calls`);
}
