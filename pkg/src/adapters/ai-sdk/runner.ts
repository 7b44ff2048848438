/** Runs a call: the session decides, and what it dispatches is run by the host's own tool. */

import { asSchema } from "ai";
import { reasonOf } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Dispatch, ErrorCode, ModelCall, Outcome } from "../../index.js";
import { type Driver, refusalOf, start } from "../../loop/driver.js";
import { parameterNames, withOwnNames } from "../../loop/own-names.js";
import type { Choice } from "../../loop/rank.js";
import { runnerOf } from "../../loop/skills.js";
import { saysError, textOf } from "../../wire/answer-text.js";
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
   * Loads a tool as the host, unless it is sent anyway: a reveal would switch `activation: "auto"` on. Where it cannot be
   * loaded, the call that follows is refused with the reason.
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
   * A call of a tool that is the host's own and that the model was sent: AI SDK has read its arguments.
   *
   * @throws Refusal
   */
  own(name: string, tool: AnyTool, input: unknown, context: ToolContext): unknown {
    // A schema may turn arguments into values that are not JSON, and AI SDK has checked them: the session gets none.
    const call = { id: context.toolCallId, name, args: {} };
    const outcome = this.#decide(call, context);
    if (outcome.kind !== "dispatch") return outcome.content;
    const own = withOwnNames(input, parameterNames(this.driver.session, name));
    return this.#watch(call, outcome, () => tool.execute?.(own, context));
  }

  /**
   * A call of a tool that is the host's own and that the model was not sent: it runs where a call before it has loaded the
   * tool.
   *
   * @param isRead whether AI SDK has read the arguments
   * @throws Refusal
   */
  early(name: string, tool: AnyTool, input: unknown, context: ToolContext, isRead: boolean): unknown {
    const call = { id: context.toolCallId, name, args: isRead ? {} : input };
    const outcome = this.#decide(call, context);
    if (outcome.kind === "result") return outcome.content;
    return this.#loaded(call, outcome, tool, isRead ? { input } : undefined, context);
  }

  /**
   * Runs or refuses any other call.
   *
   * @param isEarly whether the model was not sent the tool, so that nobody was asked for approval
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
    const input = withOwnNames(given, parameterNames(this.driver.session, name));
    const own = this.shared.own(name, this.driver.session);
    if (own !== undefined) {
      const { needsApproval = false } = own;
      return typeof needsApproval === "function" ? needsApproval(input, context as ToolContext) : needsApproval;
    }
    const { session } = this.driver;
    const { server = null, originalName = name, annotations, own: isOwn } = session.named([name]).get(name) ?? {};
    const dispatch: Dispatch = {
      kind: "dispatch",
      server,
      name: originalName,
      ...(isOwn && { session: session.id }),
      ...(annotations && { annotations }),
      modelName: name,
      arguments: (input ?? {}) as Dispatch["arguments"],
      id: context.toolCallId,
    };
    return (await this.shared.needsApproval?.(dispatch, context)) ?? false;
  }

  #decide(call: ModelCall, context: ToolContext, choice?: Choice): Exclude<Outcome, { kind: "refused" }> {
    // What somebody has approved runs, also where the process that knew of its reveal is gone.
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
      const execute = runnerOf(this.driver.session, outcome, this.shared.execute);
      if (execute === undefined) throw new Error(`nothing runs ${outcome.modelName}: options.execute is missing`);
      const result = await execute({ ...outcome, id, signal }, context);
      if (saysError(result)) throw new Error(this.driver.bounded(textOf(result)));
      return result;
    });
  }

  async *#loaded(call: ModelCall, outcome: Dispatched, tool: AnyTool, read: ParsedInput | undefined, context: ToolContext) {
    await this.#insist(call, read === undefined ? outcome.arguments : read.input, context, tool.execute === undefined);
    yield* this.#pieces(call, outcome, tool, read ?? (await this.#read(call, outcome, tool)), context);
  }

  /** A tool of the host's own that was called through another. */
  async *#bridged(call: ModelCall, outcome: Dispatched, tool: AnyTool, context: ToolContext) {
    if (tool.execute === undefined) {
      throw new Error(`${outcome.modelName} is run by the client, not through another tool`);
    }
    yield* this.#pieces(call, outcome, tool, await this.#read(call, outcome, tool), context);
  }

  /** Reads arguments that AI SDK has not read: it took them for another tool's, or did not know the tool. */
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

  /** A tool that was loaded in the same reply does not run before somebody, or the client that runs it, could be asked. */
  async #insist(call: ModelCall, input: unknown, context: ToolContext, always = false): Promise<void> {
    if (!always && (isApproved(context) || !(await this.asks(call.name, input, context)))) return;
    const message = `${call.name} was not loaded when you called it, so this call did not run.`;
    throw this.#refused(call, { code: "tool_not_revealed", message: `${message} It is loaded now: call it again.` });
  }

  #refused(call: ModelCall, error: { code: ErrorCode; message: string }): Refusal {
    this.driver.refused(call, error);
    return new Refusal(error);
  }

  /** Reports the outcome. What the tool returns or throws is passed on unchanged. */
  #watch(call: ModelCall, outcome: Dispatched, run: () => unknown): unknown {
    if (!this.isWatched) return run();
    const clock = start();
    const tell = (isError: boolean, content: string) => this.driver.dispatched(call, outcome, clock, { content, isError });
    const failed = (error: unknown) => {
      tell(true, reasonOf(error));
      throw error;
    };
    try {
      const result = run();
      if (isIterable(result)) return watched(result, tell, failed);
      return Promise.resolve(result).then((value) => {
        tell(false, textOf(value));
        return value;
      }, failed);
    } catch (error) {
      return failed(error);
    }
  }
}

async function* watched(
  parts: AsyncIterable<unknown>,
  tell: (isError: boolean, content: string) => void,
  failed: (error: unknown) => never,
) {
  let last: unknown;
  try {
    for await (last of parts) yield last;
  } catch (error) {
    failed(error);
  }
  tell(false, textOf(last));
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
