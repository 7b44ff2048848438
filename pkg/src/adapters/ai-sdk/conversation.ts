/** Controls each step of AI SDK's loop: which tools are sent, how an unreadable call is answered, and when the run ends. */

import { NoSuchToolError, type ToolSet, type ModelMessage, type SystemModelMessage } from "ai";
import { isList, kind } from "../../base/values.js";
import { callable } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Session } from "../../index.js";
import { Driver, DRIVING, refusalOf } from "../../loop/driver.js";
import { aFunction, anything, type Shape, shaped } from "../../base/shape.js";
import { limitOf, providerOf } from "../../wire/limits.js";
import type { SharedState } from "./shared-state.js";
import { assembled } from "./step-tools.js";
import { isRefused, says } from "./refusal.js";
import { liveTools, Tools } from "./tools.js";
import type { Conversation, ConversationOptions, Hooks, StepSettings, StepContext } from "./types.js";
import { joined } from "../../wire/prompt.js";

const { maxAnswerChars: _, readOn: __, ...WATCH } = DRIVING;
const OPTIONS: Shape<ConversationOptions<ToolSet>> = {
  ...WATCH,
  prepareStep: aFunction,
  stopWhen: anything,
  repairToolCall: aFunction,
  system: anything,
  activeTools(_, allowed) {
    if (isList(allowed)) return;
    throw new ToolSiftError("option_invalid", `options.activeTools is ${kind(allowed)}; it must be a list of names`);
  },
};
const STEPS = 20;

/** Returns one conversation's settings for AI SDK. The tools of `beside` are always sent, and AI SDK runs them itself. */
export function conversation<TOOLS extends ToolSet>(
  shared: SharedState,
  session: Session,
  options: ConversationOptions<TOOLS>,
  beside: ToolSet = {},
): Conversation<TOOLS> {
  const valid = shaped(options, OPTIONS as unknown as Shape<ConversationOptions<TOOLS>>);
  const { prepareStep, repairToolCall, system, onEvent, activeTools: allowed } = valid;
  const conditions = [valid.stopWhen ?? (({ steps }: { steps: readonly object[] }) => steps.length >= STEPS)];
  const stopWhen = conditions.flat() as Conversation<TOOLS>["stopWhen"];
  for (const condition of stopWhen) callable("stopWhen", condition);
  const driver = new Driver(session, { ...shared.options, ...valid });
  const prompt = new Prompt(system);
  const tools = new Tools(shared, driver, onEvent !== undefined, beside);

  let first: object | undefined;
  /** Refuses a second run that starts before the first one has ended. A run is identified by its first step. */
  const refuseOther = ([begun]: readonly object[]) => {
    if (begun === undefined) first = undefined;
    else if (begun !== (first ??= begun)) throw interleaved();
  };

  const step = async (context: StepContext): Promise<StepSettings> => {
    refuseOther(context.steps);
    driver.begin();
    const own = (await prepareStep?.(prompt.forHost(context as Parameters<Hooks<TOOLS>["prepareStep"]>[0]))) ?? {};
    const { activeTools, ...others } = own;
    // A tool that `toolChoice` forces must be sent.
    if (typeof own.toolChoice === "object") tools.admit(String(own.toolChoice?.toolName));
    const active = (activeTools ?? allowed) as readonly string[] | undefined;
    const limit = limitOf(providerOf(own.model ?? context.model), shared.options);
    const sent = assembled(shared, session, { active, beside, limit });
    tools.show(sent, context.steps.length === 0);
    return { ...others, ...prompt.step(context as Prompting, own as Prompted, sent.systemPrompt) } as typeof own;
  };

  const repair: Hooks<ToolSet>["experimental_repairToolCall"] = async (failure) => {
    const { error, toolCall } = failure;
    const { toolName: name, toolCallId: id, input } = toolCall;
    const isMissing = NoSuchToolError.isInstance(error);
    // Your program may repair broken calls; a call of a tool that is only not loaded needs no repair.
    const isEarly = isMissing ? session.named([name]).has(name) : tools.isHidden(name);
    const own = isEarly ? null : await repairToolCall?.(failure as Parameters<typeof repairToolCall>[0]);
    if (own || tools.isBeside(name) || (isMissing && tools.isLeftOut(name))) return own ?? null;
    const call = { id, name, args: input.trim() === "" ? undefined : input };
    const refusal = refusalOf(driver.decide(call));
    // AI SDK answers the call with its error, under the call's own id and name.
    if (refusal !== undefined) says(error, refusal.message);
    else driver.refused(call, { code: isMissing ? "tool_unknown" : "arguments_invalid", message: error.message });
    return null;
  };

  const stuck = ({ steps }: { steps: readonly object[] }) => {
    const last = steps.slice(-driver.patience) as { content: Parameters<typeof isRefused>[0] }[];
    return last.length === driver.patience && last.every(({ content }) => isRefused(content));
  };

  return {
    tools: liveTools<TOOLS>(tools),
    prepareStep: step,
    stopWhen: [stuck, ...stopWhen],
    experimental_repairToolCall: repair,
  };
}

function interleaved(): ToolSiftError {
  const what = "one result of sift.with(session, settings) or sifted.for(session) is in two calls of AI SDK at once";
  return new ToolSiftError("option_conflict", `${what}; make one for each of them`);
}

/** A system prompt in the types that AI SDK accepts. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[];

/** The prompt as AI SDK 6 or 7 passes it to a step, or as your program's `prepareStep` returns it. */
export interface Prompting {
  steps: object;
  messages: ModelMessage[];
  /** The instructions of the previous step. Only in ai 7. */
  instructions?: Instructions | undefined;
  /** The instructions of the first step. Only in ai 7. */
  initialInstructions?: Instructions | undefined;
}

/** The prompt that a step returns. */
export interface Prompted {
  system?: Instructions | undefined;
  instructions?: Instructions | undefined;
  messages?: ModelMessage[] | undefined;
}

/** Separates your program's instructions from toolsift's. ai 7 passes both, joined, from one step to the next. */
export class Prompt {
  readonly #given: Instructions | undefined;
  /** Your program's instructions in the previous step. The key is the run's list of steps, one object for the whole run. */
  readonly #before = new WeakMap<object, Instructions | undefined>();

  constructor(given: Instructions | undefined) {
    this.#given = given;
  }

  /** Returns the options for your program's own `prepareStep`: without toolsift's instructions. */
  forHost<T extends Prompting>(options: T): T {
    return isSeven(options) ? { ...options, instructions: this.#host(options) } : options;
  }

  step(options: Prompting, own: Prompted, section: string): Prompted {
    if (!isSeven(options)) return this.#six(options, own, section);
    const host = own.instructions ?? own.system ?? this.#host(options);
    this.#before.set(options.steps, host);
    // If a step returns no instructions, ai 7 keeps those of the previous step, with an outdated section.
    const instructions = behind(host, section) ?? (options.instructions && "");
    return instructions === undefined ? {} : { instructions };
  }

  /** Sends the section as a message, because ai 6 would replace your program's system prompt, which a step cannot read. */
  #six({ messages }: Prompting, own: Prompted, section: string): Prompted {
    const host = own.system ?? this.#given;
    if (host !== undefined) return { system: behind(host, section) };
    if (section === "") return {};
    const all = own.messages ?? messages;
    const others = all.findIndex(({ role }) => role !== "system");
    const at = others < 0 ? all.length : others;
    return { messages: [...all.slice(0, at), systemMessage(section), ...all.slice(at)] };
  }

  #host({ steps, initialInstructions }: Prompting): Instructions | undefined {
    return this.#before.has(steps) ? this.#before.get(steps) : (this.#given ?? initialInstructions);
  }
}

function isSeven(options: object): boolean {
  return "initialInstructions" in options;
}

function behind(host: Instructions | undefined, section: string): Instructions | undefined {
  if (host === undefined || typeof host === "string") return joined(host, section) || host;
  const all = Array.isArray(host) ? host : [host];
  return section === "" ? all : [...all, systemMessage(section)];
}

function systemMessage(content: string): SystemModelMessage {
  return { role: "system", content };
}
