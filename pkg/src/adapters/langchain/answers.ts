/** Converts the outcome of a call to a message for the model: an answer of a tool, or a refusal. */

import { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { type ClientTool, tool as langchainTool } from "@langchain/core/tools";
import { reasonOf } from "../../base/values.js";
import { signalIn } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Outcome, Session } from "../../index.js";
import { Driver, textForModel, start } from "../../loop/driver.js";
import { unlessEnded } from "../../loop/ending.js";
import { ranked } from "../../loop/rank.js";
import { runnerOf } from "../../loop/skills.js";
import type { Execute, ModelCall } from "../../loop/types.js";
import { Recent } from "../../base/recent.js";
import type { Catalog } from "./catalog.js";
import { type AnswerMark, lastReply, markOf, stepOf } from "./replies.js";
import { inSession, type Owner, type Place } from "./run-session.js";

/** A call, and the conversation up to the reply that contains it. */
export interface PlacedCall extends Place {
  call: ToolCall;
  /** The agent's own tool of this name, which it did not get from toolsift. */
  tool?: ClientTool | undefined;
}

/** Runs a LangChain tool in the way of its framework. Returns a message or a `Command`. */
export type RunTool<A> = (tool: ClientTool, call: ToolCall) => A | Promise<A>;

/** The outcome of a call, and the driver that reports the result. */
export interface Decision {
  driver: Driver;
  outcome: Outcome;
}

type Dispatched = Extract<Outcome, { kind: "dispatch" }>;
type Invoked = Decision & { outcome: Dispatched };
type Signal = AbortSignal | undefined;

/** Answers the calls of one agent. */
export class Answers<A> {
  readonly #owner: Owner;
  readonly #catalog: Catalog;
  readonly #decided = new Decided();

  constructor(owner: Owner, catalog: Catalog) {
    this.#owner = owner;
    this.#catalog = catalog;
  }

  /**
   * Answers a call, and runs its tool.
   *
   * @throws ToolSiftError `option_invalid` if no function runs the tool; interrupts; errors of tools that are not handled
   */
  async answer(placed: PlacedCall, run: RunTool<A>): Promise<A | ToolMessage> {
    const { call, messages } = placed;
    const modelCall = { name: call.name, args: argsOf(placed), id: call.id };
    const [reply, step] = [lastReply(messages).reply?.id, stepOf(messages)];
    const signal = signalOf(placed);
    const { settings } = this.#owner;
    const ranking = ranked((work) => inSession(this.#owner, placed, work), modelCall, settings, signal);
    const choice = ranking && (await ranking);
    const { driver, outcome } = inSession(this.#owner, placed, (session, kept) => {
      const decide = () => {
        const driver = new Driver(session, settings);
        driver.begin(step);
        return { driver, outcome: driver.decide(modelCall, choice) };
      };
      // If the session is rebuilt from the messages, the messages lead to the same decision again.
      return kept ? this.#decided.of(session, reply, modelCall, decide) : decide();
    });
    if (outcome.kind !== "dispatch") {
      const mark = markOf(outcome);
      return answering(call, { content: textForModel(outcome), failed: mark.code !== null, mark });
    }
    const own = placed.tool?.name === outcome.modelName ? placed.tool : undefined;
    // A session's own tool is none of these tools, even with an equal name: your program's `execute` runs it.
    const known = outcome.session === undefined ? (this.#catalog.tool(outcome.modelName) ?? own) : undefined;
    const tool =
      known ?? this.#executed(call, outcome, runnerOf(driver.session, outcome, this.#owner.settings.execute), signal);
    const real = { ...call, name: tool.name, args: outcome.arguments };
    return this.#invoke({ driver, outcome }, call, signal, () => run(tool, real));
  }

  /** Wraps `execute` as a LangChain tool, so that callbacks, streams, interrupts and middlewares work with it. */
  #executed(call: ToolCall, outcome: Dispatched, execute: Execute | undefined, signal: Signal): ClientTool {
    const { modelName: name } = outcome;
    if (execute === undefined) {
      const missing = `options.execute is missing, and ${JSON.stringify(name)} is none of options.tools`;
      throw new ToolSiftError("option_invalid", `${missing}: nothing runs it`);
    }
    const answer = async () => {
      const result = await unlessEnded(signal, (own) => execute({ ...outcome, id: call.id, signal: own }));
      if (ToolMessage.isInstance(result) || isCommand(result)) return result;
      const { text: content, parts, isError: failed } = this.#owner.sift.answerText(result);
      return answering({ ...call, name }, { content, failed, artifact: parts.length > 0 ? result : undefined });
    };
    return langchainTool(answer, { name, description: name, schema: { type: "object" } });
  }

  async #invoke({ driver, outcome }: Invoked, call: ToolCall, signal: Signal, invoke: () => A | Promise<A>) {
    const clock = start();
    try {
      const answer = boundedAnswer(await invoke(), (text) => driver.bounded(text, outcome));
      const { text: content = "", status } = ToolMessage.isInstance(answer) ? answer : {};
      driver.dispatched({ ...call }, outcome, clock, { content, isError: status === "error" });
      return answer;
    } catch (error) {
      if (bubblesUp(error)) throw error;
      const content = driver.bounded(`${textOfThrown(error)}\n Please fix your mistakes.`);
      driver.dispatched({ ...call }, outcome, clock, { content, isError: true });
      if (!this.#owner.settings.handleToolErrors || isLangChains(error) || signal?.aborted) throw error;
      return answering({ ...call, name: outcome.modelName }, { content, failed: true });
    }
  }
}

interface Answering {
  content: string;
  failed?: boolean;
  artifact?: unknown;
  mark?: AnswerMark;
}

/** Returns the message that answers a call. */
export function answering({ id, name }: ToolCall, { content, failed = false, artifact, mark }: Answering): ToolMessage {
  const message = { tool_call_id: id ?? "", name, content, status: failed ? ("error" as const) : ("success" as const) };
  const about = mark === undefined ? {} : { response_metadata: { toolsift: mark } };
  return new ToolMessage({ ...message, ...about, ...(artifact === undefined ? {} : { artifact }) });
}

function boundedAnswer<A>(answer: A, bounded: (text: string) => string): A {
  if (!ToolMessage.isInstance(answer)) return answer;
  const text = bounded(answer.text);
  if (text === answer.text) return answer;
  const { content } = answer;
  const others = typeof content === "string" ? [] : content.filter(({ type }) => type !== "text");
  const cut = typeof content === "string" ? text : [{ type: "text", text }, ...others];
  return new ToolMessage({ ...answer, content: cut } as ConstructorParameters<typeof ToolMessage>[0]) as A;
}

function signalOf({ run }: PlacedCall): Signal {
  const signal = run.signal ?? undefined;
  signalIn("config.signal", signal);
  return signal;
}

/** Returns the arguments; if they were not JSON, the text that the model wrote. */
function argsOf({ call, messages }: PlacedCall): unknown {
  if (Object.keys(call.args ?? {}).length > 0) return call.args;
  const broken = lastReply(messages).reply?.invalid_tool_calls ?? [];
  return broken.find(({ id }) => id !== undefined && id === call.id)?.args ?? call.args;
}

/** Returns the text of an error in LangChain's form, or its reason if the thrown value has no text. */
function textOfThrown(error: unknown): string {
  try {
    return String(error);
  } catch {
    return reasonOf(error);
  }
}

/** Checks if LangGraph threw the error to pause a run or to continue elsewhere. */
function bubblesUp(error: unknown): boolean {
  return (error as { is_bubble_up?: unknown } | null)?.is_bubble_up === true;
}

/** Checks for LangChain's own errors: of an inner middleware, or of invalid arguments (LangChain answers these itself). */
function isLangChains(error: unknown): boolean {
  const { "~brand": brand } = (error ?? {}) as { "~brand"?: unknown };
  return brand === "MiddlewareError" || brand === "ToolInvocationError";
}

/** Checks for commands of LangGraph, from any copy of the package. */
export function isCommand(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { lg_name?: unknown }).lg_name === "Command";
}

/** The maximum number of stored decisions. It is small because few replies wait for a person. */
const MOST_DECIDED = 100;

/**
 * Stores the decisions on calls that ran no tool. LangGraph may run a node again after an interrupt: then the stored
 * decision is used, because a second search would return the next results.
 */
class Decided {
  readonly #decisions = new Recent<string, Decision>(MOST_DECIDED);

  /** Returns the stored decision of the same call of the same reply in this session; otherwise decides. */
  of(session: Session, reply: string | undefined, call: ModelCall, decide: () => Decision): Decision {
    if (reply === undefined || call.id === undefined) return decide();
    const key = JSON.stringify([session.uniqueKey, reply, call.id, call.name, call.args]);
    const decision = this.#decisions.get(key) ?? decide();
    if (decision.outcome.kind !== "dispatch") this.#decisions.set(key, decision);
    return decision;
  }
}
