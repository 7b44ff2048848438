/** Runs a call: the session decides, and your program's own tool runs the dispatched call. */

import { asSchema } from "ai";
import { reasonOf } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { ErrorCode, ModelCall, Outcome } from "../../index.js";
import { type Driver, refusalOf, start } from "../../loop/driver.js";
import { parameterNames, withOwnNames } from "../../loop/own-names.js";
import type { Choice } from "../../loop/rank.js";
import { dispatchOf } from "../lib/register.js";
import { runnerOf } from "../../loop/skills.js";
import { isApproved } from "./approval.js";
import type { SharedState } from "./shared-state.js";
import { Refusal } from "./refusal.js";
import type { AnyTool, ApprovalContext, ToolContext } from "./types.js";

type Dispatched = Extract<Outcome, { kind: "dispatch" }>;

type Found = Extract<Outcome, { kind: "result" }>;

interface ParsedInput {
  input: unknown;
}

/** Runs the calls of one conversation. */
export class Runner {
  constructor(
    readonly shared: SharedState,
    readonly driver: Driver,
    readonly isWatched: boolean,
  ) {}

  /**
   * Loads a tool, unless it is sent anyway: loading would switch `activation: "auto"` on. If it cannot be loaded, the
   * following call is refused with the reason.
   */
  admit(name: string): void {
    try {
      const { session } = this.driver;
      if (session.named([name]).get(name)?.state === "deferred") session.reveal([name]);
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
    }
  }

  /**
   * Runs a call of your program's own tool that was sent to the model. AI SDK has parsed its arguments.
   *
   * @throws Refusal
   */
  own(name: string, tool: AnyTool, input: unknown, context: ToolContext): unknown {
    // A schema may convert arguments to values that are not JSON. AI SDK has checked them, so the session gets none.
    const call = { id: context.toolCallId, name, args: {} };
    const outcome = this.#decide(call, context);
    if (outcome.kind !== "dispatch") return outcome.content;
    const own = withOwnNames(input, parameterNames(this.driver.session, name));
    return this.#watch(call, outcome, () => tool.execute?.(own, context));
  }

  /**
   * Runs a call of your program's own tool that was not sent to the model, if an earlier call of the reply has loaded it.
   *
   * @param isRead true if AI SDK has parsed the arguments
   * @throws Refusal
   */
  early(name: string, tool: AnyTool, input: unknown, context: ToolContext, isRead: boolean): unknown {
    const call = { id: context.toolCallId, name, args: isRead ? {} : input };
    const outcome = this.#decide(call, context);
    if (outcome.kind === "result") return outcome.content;
    return this.#loaded(call, outcome, tool, isRead ? { input } : undefined, context);
  }

  /**
   * Runs or refuses a call of a discovery tool, or of a tool of the catalog that is not one of your program's AI SDK tools.
   *
   * @param isEarly true if the tool was not sent to the model, so that no approval was asked for
   * @throws Refusal
   */
  other(name: string, input: unknown, context: ToolContext, isEarly: boolean): unknown {
    const call = { id: context.toolCallId, name, args: input };
    const choosing = this.driver.rank(call, context.abortSignal);
    if (choosing) return choosing.then((choice) => (this.#decide(call, context, choice) as Found).content);
    const outcome = this.#decide(call, context);
    if (outcome.kind === "result") return outcome.content;
    const own = this.shared.own(outcome.modelName, this.driver.session);
    if (own !== undefined) return this.#bridged(call, outcome, own, context);
    return this.#dispatch(call, outcome, context, isEarly);
  }

  async asks(name: string, given: unknown, context: ApprovalContext): Promise<boolean> {
    const { session } = this.driver;
    const own = this.shared.own(name, session);
    if (own !== undefined) {
      const { needsApproval = false } = own;
      const input = withOwnNames(given, parameterNames(session, name));
      return typeof needsApproval === "function" ? needsApproval(input, context as ToolContext) : needsApproval;
    }
    const dispatch = dispatchOf(session, name, given, context.toolCallId);
    return (await this.shared.options.needsApproval?.(dispatch, context)) ?? false;
  }

  #decide(call: ModelCall, context: ToolContext, choice?: Choice): Exclude<Outcome, { kind: "refused" }> {
    // An approved call runs, even in a new process that does not know that the tool was loaded.
    if (isApproved(context)) this.admit(call.name);
    const outcome = this.driver.decide(call, choice);
    const refusal = refusalOf(outcome);
    if (refusal !== undefined) throw new Refusal(refusal);
    return outcome as Exclude<Outcome, { kind: "refused" }>;
  }

  async #dispatch(call: ModelCall, outcome: Dispatched, context: ToolContext, isEarly: boolean): Promise<unknown> {
    if (isEarly) await this.#insist(call, outcome.arguments, context);
    const { toolCallId: id, abortSignal: signal } = context;
    return this.#watch(call, outcome, async () => {
      const execute = runnerOf(this.driver.session, outcome, this.shared.options.execute);
      if (execute === undefined) throw new Error(`nothing runs ${outcome.modelName}: options.execute is missing`);
      const result = await execute({ ...outcome, id, signal }, context);
      if (Object(result)["isError"] !== true) return result;
      const { text, isError } = this.driver.session.answerText(result);
      if (isError) throw new Error(this.driver.bounded(text));
      return result;
    });
  }

  async *#loaded(call: ModelCall, outcome: Dispatched, tool: AnyTool, read: ParsedInput | undefined, context: ToolContext) {
    await this.#insist(call, read === undefined ? outcome.arguments : read.input, context, tool.execute === undefined);
    yield* this.#pieces(call, outcome, tool, read ?? (await this.#read(call, outcome, tool)), context);
  }

  /** Runs your program's own tool that was called through a discovery tool. */
  async *#bridged(call: ModelCall, outcome: Dispatched, tool: AnyTool, context: ToolContext) {
    if (tool.execute === undefined) {
      throw new Error(`${outcome.modelName} is run by the client, not through another tool`);
    }
    yield* this.#pieces(call, outcome, tool, await this.#read(call, outcome, tool), context);
  }

  /** Parses arguments that AI SDK has not parsed: it took them for another tool's arguments, or did not know the tool. */
  async #read(call: ModelCall, { modelName, arguments: args }: Dispatched, tool: AnyTool): Promise<ParsedInput> {
    const checked = await asSchema(tool.inputSchema).validate?.(args);
    if (checked?.success !== false) return { input: checked === undefined ? args : checked.value };
    const message = `The arguments of ${modelName} are not valid: ${reasonOf(checked.error)}`;
    throw this.#refused(call, { code: "arguments_invalid", message });
  }

  async *#pieces(call: ModelCall, outcome: Dispatched, tool: AnyTool, { input }: ParsedInput, context: ToolContext) {
    const result = this.#watch(call, outcome, () => tool.execute?.(input, context));
    if (isIterable(result)) yield* result;
    else yield await result;
  }

  /** Refuses a call that needs approval if the same reply loaded its tool: nobody could be asked before. */
  async #insist(call: ModelCall, input: unknown, context: ToolContext, always = false): Promise<void> {
    if (!always && (isApproved(context) || !(await this.asks(call.name, input, context)))) return;
    const message = `${call.name} was not loaded when you called it, so this call did not run.`;
    throw this.#refused(call, { code: "tool_not_revealed", message: `${message} It is loaded now: call it again.` });
  }

  #refused(call: ModelCall, error: { code: ErrorCode; message: string }): Refusal {
    this.driver.refused(call, error);
    return new Refusal(error);
  }

  /** Runs a call and reports its outcome. The tool's result or error is passed on unchanged. */
  #watch(call: ModelCall, outcome: Dispatched, run: () => unknown): unknown {
    if (!this.isWatched) return run();
    const clock = start();
    const tell = (isError: boolean, content: string) => this.driver.dispatched(call, outcome, clock, { content, isError });
    const ran = (result: unknown) => tell(false, this.driver.session.answerText(result).text);
    const failed = (error: unknown) => {
      tell(true, reasonOf(error));
      throw error;
    };
    try {
      const result = run();
      if (isIterable(result)) return watched(result, ran, failed);
      return Promise.resolve(result).then((value) => {
        ran(value);
        return value;
      }, failed);
    } catch (error) {
      return failed(error);
    }
  }
}

async function* watched(parts: AsyncIterable<unknown>, ran: (result: unknown) => void, failed: (error: unknown) => never) {
  let last: unknown;
  try {
    for await (last of parts) yield last;
  } catch (error) {
    failed(error);
  }
  ran(last);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
