/** Guides each step of AI SDK's loop: what is sent, how a call that cannot be read is answered, and when the run ends. */

import { NoSuchToolError, type ToolSet } from "ai";
import { isList, kind } from "../../base/values.js";
import { callable } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Session } from "../../index.js";
import { Driver, DRIVING, refusalOf } from "../../loop/driver.js";
import { aFunction, anything, type Shape, shaped } from "../../base/shape.js";
import { providerOf } from "../../wire/limits.js";
import type { SharedState } from "./shared-state.js";
import { liveTools } from "./live-tools.js";
import { Prompt, type Prompted, type Prompting } from "./prompt.js";
import { isRefused, says } from "./refusal.js";
import { assembled } from "./step-tools.js";
import { Tools } from "./tools.js";
import type { Conversation, ConversationOptions, Hooks, StepSettings, StepContext } from "./types.js";

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

/** The settings of one conversation for AI SDK. `beside` are tools that are always sent, and that AI SDK itself runs. */
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
  /** The first step of a run identifies the run. */
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
    const limit = shared.limitOf(providerOf(own.model ?? context.model));
    const sent = assembled(shared, session, { active, beside, limit });
    tools.show(sent, context.steps.length === 0);
    return { ...others, ...prompt.step(context as Prompting, own as Prompted, sent.systemPrompt) } as typeof own;
  };

  const repair: Hooks<ToolSet>["experimental_repairToolCall"] = async (failure) => {
    const { error, toolCall } = failure;
    const { toolName: name, toolCallId: id, input } = toolCall;
    const isMissing = NoSuchToolError.isInstance(error);
    // The host may repair broken calls; a call of a tool that is only not loaded needs no repair.
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
