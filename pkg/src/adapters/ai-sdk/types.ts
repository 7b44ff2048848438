/** The types of the AI SDK adapter: its options, and its settings for `generateText`. */

import type { generateText, ModelMessage, SystemModelMessage, Tool, ToolSet } from "ai";
import type { Dispatch, DriverOptions } from "../../index.js";
import type { AnswerOptions } from "../../loop/bound.js";
import type { MaxTools } from "../../wire/limits.js";

/** A tool as an element of a tool set. */
export type AnyTool = ToolSet[string];

/** The data that AI SDK passes to a tool with a call: id, messages, abort signal, and your program's context. */
export type ToolContext = Parameters<NonNullable<Tool["execute"]>>[1];

/** The data that AI SDK passes to the check if a call needs approval. */
export type ApprovalContext = Omit<ToolContext, "abortSignal">;

/** The hooks of AI SDK's loop, with the types of the installed version for your program's tools. */
export type Hooks<TOOLS extends ToolSet> = {
  [Hook in "prepareStep" | "stopWhen" | "experimental_repairToolCall"]: NonNullable<GenerateSettings<TOOLS>[Hook]>;
};

type GenerateSettings<TOOLS extends ToolSet> = Parameters<typeof generateText<TOOLS>>[0];

/** Options of `siftTools`. */
export interface SiftToolsOptions<TOOLS extends ToolSet> extends AnswerOptions, MaxTools {
  /**
   * Your program's AI SDK tools. If a tool's name is already in the catalog, the adapter uses the catalog's entry, which
   * must be the same tool. Other tools are registered, except tools of providers, which are sent unchanged.
   */
  tools?: TOOLS | undefined;
  /** Runs the tools of the catalog that are not among `tools`, such as those of MCP servers. */
  execute?: ((dispatch: Dispatch, context: ToolContext) => unknown) | undefined;
  /** Returns true if a call needs approval before `execute` runs it. The tools in `tools` have their own `needsApproval`. */
  needsApproval?: ((dispatch: Dispatch, context: ApprovalContext) => boolean | PromiseLike<boolean>) | undefined;
}

/** Options of `sifted.for(session, options)`. Without toolsift they would be options of AI SDK, with the same names. */
export interface ConversationOptions<TOOLS extends ToolSet> extends Omit<DriverOptions, keyof AnswerOptions> {
  /** Called first in every step. Its `activeTools` limits the sent tools like the option below. */
  prepareStep?: Hooks<TOOLS>["prepareStep"] | undefined;
  /** The conditions that end the run. Default: after 20 steps. */
  stopWhen?: Hooks<TOOLS>["stopWhen"] | undefined;
  /** Called first for calls that AI SDK cannot parse, and for calls of tools that do not exist. */
  repairToolCall?: Hooks<TOOLS>["experimental_repairToolCall"] | undefined;
  /**
   * Your program's system prompt. Needed only with ai 6, and only for models that accept no second system message: in ai 6,
   * an adapter does not see the prompt of `generateText`.
   */
  system?: string | SystemModelMessage | SystemModelMessage[] | undefined;
  /** The only tools that are sent besides the discovery tools; an empty list sends no tools at all. */
  activeTools?: readonly (Extract<keyof TOOLS, string> | (string & {}))[] | undefined;
}

/** The input of a step in ai 6 and ai 7, without your program's context types. */
export interface StepContext {
  steps: readonly object[];
  stepNumber: number;
  model?: unknown;
  messages: ModelMessage[];
}

/**
 * The settings that a step returns, as far as their types do not depend on your program's tools and contexts. The other
 * settings of your program's own `prepareStep` are passed on too.
 */
export type StepSettings = Omit<
  NonNullable<Awaited<ReturnType<Hooks<ToolSet>["prepareStep"]>>>,
  "activeTools" | "toolChoice" | "toolOrder" | "runtimeContext" | "toolsContext"
>;

/** The settings to be spread into the options of `generateText`, `streamText` or an agent. */
export interface Conversation<TOOLS extends ToolSet> {
  /** A live view of the tools that the session sends, in the order of sending. */
  tools: TOOLS;
  /** A `PrepareStepFunction` without a context type, so that it fits programs with any context (ai 7 types the context). */
  prepareStep: (options: StepContext) => PromiseLike<StepSettings>;
  /** The `StopCondition`s, without a context type too. */
  stopWhen: ((options: { steps: readonly object[] }) => PromiseLike<boolean> | boolean)[];
  /** The hook for unparsable calls, under the name that ai 6 and ai 7 both have, for any tools. */
  experimental_repairToolCall: Hooks<ToolSet>["experimental_repairToolCall"];
}
