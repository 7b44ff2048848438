/** The options of agents and of graphs, checked before anything is registered. */

import type { ClientTool, StructuredToolParams } from "@langchain/core/tools";
import type { Execute, RankOptions, Scope, Session, ToolEvent, ToolSift } from "../../index.js";
import { MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import { AHEAD } from "../../loop/ahead.js";
import type { AheadOptions } from "../../loop/types.js";
import type { AnswerOptions } from "../../loop/bound.js";
import { DRIVING, PATIENCE } from "../../loop/driver.js";
import { optionsFor } from "../lib/register.js";
import { aFunction, anything, type Shape, trueOrFalse } from "../../base/shape.js";

/** LangChain's description of a run: an agent's `runtime`, or the config that a node of a graph receives. */
export interface RunInfo {
  configurable?: { thread_id?: string; checkpoint_ns?: string; [key: string]: unknown } | undefined;
  context?: unknown;
  signal?: AbortSignal | undefined;
}

/** Options of `siftMiddleware` and `siftGraph`. */
export interface LangChainOptions extends AheadOptions, AnswerOptions, MaxTools, RankOptions {
  /**
   * Tools of LangChain's own form. If a tool's name is already in the catalog, the adapter uses the catalog's entry, which
   * must be the same tool; others are registered.
   * They run as LangChain runs them.
   */
  tools?: readonly (ClientTool | StructuredToolParams)[] | undefined;
  /**
   * Runs the tools of the catalog that LangChain does not have, such as those of MCP servers, each as a tool of LangChain's.
   * The model reads its answer as text; a `ToolMessage` or a `Command` is passed on unchanged.
   */
  execute?: Execute | undefined;
  /**
   * A run's session or its id. Default: its `thread_id`. Where there is none, and for an agent inside another graph, the
   * messages themselves are the session. A subagent gets what `session.child` returns, which has its own scope.
   */
  session?: ((run: RunInfo) => string | Session | undefined) | undefined;
  /**
   * The scope of the sessions: one for all, or a function of the run. Without it, sessions see everything; a function must
   * return `"all"` for that.
   */
  scope?: Scope | "all" | ((run: RunInfo) => Scope | "all");
  /** The run ends after so many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Receives every search, reveal, dispatch and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
  /**
   * Whether the model reads the error of a tool that throws, as in LangChain without a middleware around calls. Otherwise
   * the error ends the run. Default true.
   */
  handleToolErrors?: boolean | undefined;
}

export const OPTIONS: Shape<LangChainOptions> = {
  ...AHEAD,
  ...DRIVING,
  ...MAX_TOOLS,
  tools: anything,
  execute: aFunction,
  session: aFunction,
  scope: anything,
  handleToolErrors: trueOrFalse,
};

/** Options that were checked. */
export type LangChainSettings = LangChainOptions & { patience: number; handleToolErrors: boolean };

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range` */
export function checked(sift: ToolSift, options: LangChainOptions): LangChainSettings {
  const valid = optionsFor(sift, options, OPTIONS);
  const { patience = PATIENCE, handleToolErrors = true } = valid;
  return { ...valid, patience, handleToolErrors };
}
