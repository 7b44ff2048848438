/** The types of the AI SDK adapter: what a host passes, and what it gets for `generateText`. */

import type { generateText, ModelMessage, SystemModelMessage, Tool, ToolSet } from "ai";
import type { Dispatch, RankOptions, ToolEvent } from "../../index.js";
import type { AnswerOptions } from "../../loop/bound.js";
import type { MaxTools } from "../../wire/limits.js";

/** A tool as a tool set holds it. */
export type AnyTool = ToolSet[string];

/** What AI SDK tells a tool of its call: id, messages, abort signal, and the host's context. */
export type ToolContext = Parameters<NonNullable<Tool["execute"]>>[1];

/** What AI SDK tells of a call before it is decided whether somebody must approve it. */
export type ApprovalContext = Omit<ToolContext, "abortSignal">;

/** The hooks of AI SDK's loop, as the version that the host has types them for its tools. */
export type Hooks<TOOLS extends ToolSet> = {
  [Hook in "prepareStep" | "stopWhen" | "experimental_repairToolCall"]: NonNullable<GenerateSettings<TOOLS>[Hook]>;
};

type GenerateSettings<TOOLS extends ToolSet> = Parameters<typeof generateText<TOOLS>>[0];

/** Options of `siftTools`. */
export interface SiftToolsOptions<TOOLS extends ToolSet> extends AnswerOptions, MaxTools {
  /**
   * AI SDK tools of the host's own. If a tool's name is already in the catalog, the adapter uses the catalog's entry,
   * which must be the same tool. Other tools are registered, except tools of providers, which are sent as they are.
   */
  tools?: TOOLS | undefined;
  /** Runs the tools of the catalog that are not among `tools`, such as those of MCP servers. */
  execute?: ((dispatch: Dispatch, context: ToolContext) => unknown) | undefined;
  /** Whether somebody must approve a call before `execute` runs it. Tools of `tools` say so themselves. */
  needsApproval?: ((dispatch: Dispatch, context: ApprovalContext) => boolean | PromiseLike<boolean>) | undefined;
}

/** Options of `sifted.for(session, options)`: the host would otherwise pass them to AI SDK under the same names. */
export interface ConversationOptions<TOOLS extends ToolSet> extends RankOptions {
  /** Comes first in every step. Its `activeTools` limits what is sent, as the option below does. */
  prepareStep?: Hooks<TOOLS>["prepareStep"] | undefined;
  /** When to stop. Default: after 20 steps. */
  stopWhen?: Hooks<TOOLS>["stopWhen"] | undefined;
  /** Is asked first about calls that AI SDK cannot read, and about calls of tools that do not exist. */
  repairToolCall?: Hooks<TOOLS>["experimental_repairToolCall"] | undefined;
  /**
   * The host's system prompt. Needed with ai 6 only, and only for models that take no second system message: there, an
   * adapter does not see what `generateText` was given.
   */
  system?: string | SystemModelMessage | SystemModelMessage[] | undefined;
  /** The only tools that are sent besides the discovery tools; an empty list sends no tools at all. */
  activeTools?: readonly (Extract<keyof TOOLS, string> | (string & {}))[] | undefined;
  /** The loop ends after so many replies in a row in which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Receives every search, reveal, dispatch and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** The input of a step in ai 6 and ai 7, whatever context the host has. */
export interface StepContext {
  steps: readonly object[];
  stepNumber: number;
  model?: unknown;
  messages: ModelMessage[];
}

/**
 * What a step says, as far as its type does not depend on the host's tools and contexts: it fits every call. What the host's
 * own `prepareStep` says of these is handed on all the same.
 */
export type StepSettings = Omit<
  NonNullable<Awaited<ReturnType<Hooks<ToolSet>["prepareStep"]>>>,
  "activeTools" | "toolChoice" | "toolOrder" | "runtimeContext" | "toolsContext"
>;

/** To be spread into the options of `generateText`, `streamText` or an agent. */
export interface Conversation<TOOLS extends ToolSet> {
  /** A live view of the session: what it shows, in its order. */
  tools: TOOLS;
  /** A `PrepareStepFunction` of whichever context the host has: with ai 7, that type itself would say which. */
  prepareStep: (options: StepContext) => PromiseLike<StepSettings>;
  /** `StopCondition`s, likewise. */
  stopWhen: ((options: { steps: readonly object[] }) => PromiseLike<boolean> | boolean)[];
  /** The name that ai 6 and ai 7 both know. It takes the calls of any tools. */
  experimental_repairToolCall: Hooks<ToolSet>["experimental_repairToolCall"];
}
