/** What comes of a call? A message for the model: of a discovery tool, of a refusal, or of the tool itself. */

import type { BaseMessage } from "@langchain/core/messages";
import { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { ClientTool } from "@langchain/core/tools";
import { ToolSiftError } from "../../errors.js";
import type { Outcome, ToolSift } from "../../index.js";
import { Driver, saidBy, start } from "../../loop/driver.js";
import { isMcpResult } from "../../loop/text.js";
import type { Catalog } from "./catalog.js";
import { Decided } from "./decided.js";
import type { RunInfo, Settings } from "./options.js";
import { lastReply, markOf, stepOf } from "./replies.js";
import { inSession } from "./thread.js";

/** A call, and where it stands. */
export interface Asked {
  call: ToolCall;
  /** The conversation up to the reply that holds the call. */
  messages: readonly BaseMessage[];
  run: RunInfo;
}

/** Runs a tool of LangChain's, as its framework does. It answers with a message or a `Command`. */
export type RunTool<A> = (tool: ClientTool, call: ToolCall) => A | Promise<A>;

/** What a call came to, and who tells of what follows. */
export interface Decision {
  driver: Driver;
  outcome: Outcome;
}

type Dispatched = Extract<Outcome, { kind: "dispatch" }>;

/** Answers the calls of one agent. */
export class Answers<A> {
  readonly #sift: ToolSift;
  readonly #settings: Settings;
  readonly #catalog: Catalog;
  readonly #decided = new Decided();

  constructor(sift: ToolSift, settings: Settings, catalog: Catalog) {
    this.#sift = sift;
    this.#settings = settings;
    this.#catalog = catalog;
  }

  /**
   * @throws ToolSiftError `option_invalid` where nothing runs the tool; what ends the run: interrupts, and where tools'
   * errors are not handled, these
   */
  async answer(asked: Asked, run: RunTool<A>): Promise<A | ToolMessage> {
    const { call } = asked;
    const said = { name: call.name, args: argsOf(asked), id: call.id };
    const { driver, outcome } = inSession(this.#sift, this.#settings, asked.run, asked.messages, (session) =>
      this.#decided.of(session, lastReply(asked.messages).reply?.id, said, () => {
        const driver = new Driver(session, this.#settings);
        driver.begin(stepOf(asked.messages));
        return { driver, outcome: driver.decide(said) };
      }),
    );
    if (outcome.kind !== "dispatch") {
      const artifact = markOf(outcome);
      return answering(call, { content: saidBy(outcome), failed: artifact.toolsift.code !== null, artifact });
    }
    const tool = this.#catalog.tool(outcome.modelName);
    if (tool === undefined) return this.#execute(driver, asked, outcome);
    const real = { ...call, name: tool.name, args: outcome.arguments };
    return this.#invoke(driver, asked, outcome, () => run(tool, real));
  }

  async #execute(driver: Driver, { call, run }: Asked, outcome: Dispatched): Promise<A | ToolMessage> {
    const { execute } = this.#settings;
    if (execute === undefined) {
      const name = JSON.stringify(outcome.modelName);
      throw new ToolSiftError("option_invalid", `options.execute is missing, and ${name} is none of options.tools: nothing runs it`);
    }
    const { content, isError, result } = await driver.run({ ...call }, { ...outcome, id: call.id, signal: run.signal }, execute);
    if (ToolMessage.isInstance(result) || isCommand(result)) return result as A | ToolMessage;
    const artifact = isMcpResult(result) ? result : undefined;
    return answering({ ...call, name: outcome.modelName }, { content, failed: isError, artifact });
  }

  async #invoke(driver: Driver, { call, run }: Asked, outcome: Dispatched, invoke: () => A | Promise<A>): Promise<A | ToolMessage> {
    const clock = start();
    try {
      const answer = await invoke();
      const told = ToolMessage.isInstance(answer) ? { content: answer.text, isError: answer.status === "error" } : { content: "", isError: false };
      driver.dispatched({ ...call }, outcome, clock, told);
      return answer;
    } catch (error) {
      if (bubblesUp(error)) throw error;
      const content = `${error}\n Please fix your mistakes.`;
      driver.dispatched({ ...call }, outcome, clock, { content, isError: true });
      if (!this.#settings.handleToolErrors || isLangChains(error) || run.signal?.aborted) throw error;
      return answering({ ...call, name: outcome.modelName }, { content, failed: true });
    }
  }
}

interface Told {
  content: string;
  failed: boolean;
  artifact?: unknown;
}

function answering({ id, name }: ToolCall, { content, failed, artifact }: Told): ToolMessage {
  const status = failed ? "error" : "success";
  return new ToolMessage({ tool_call_id: id ?? "", name, content, status, ...(artifact === undefined ? {} : { artifact }) });
}

/** The arguments; where they were no JSON, what the model wrote. */
function argsOf({ call, messages }: Asked): unknown {
  if (Object.keys(call.args ?? {}).length > 0) return call.args;
  return lastReply(messages).reply?.invalid_tool_calls?.find(({ id }) => id !== undefined && id === call.id)?.args ?? call.args;
}

/** What LangGraph throws to pause a run, or to go on elsewhere. */
function bubblesUp(error: unknown): boolean {
  return (error as { is_bubble_up?: unknown } | null)?.is_bubble_up === true;
}

/** LangChain's own errors: of a middleware further in, and of arguments that do not fit, which it tells the model itself. */
function isLangChains(error: unknown): boolean {
  const { "~brand": brand } = (error ?? {}) as { "~brand"?: unknown };
  return brand === "MiddlewareError" || brand === "ToolInvocationError";
}

/** LangGraph's commands, whichever copy of it they come from. */
export function isCommand(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { lg_name?: unknown }).lg_name === "Command";
}
