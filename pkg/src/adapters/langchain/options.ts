/** The options of agents and graphs, which are checked before anything is registered. */

import type { ClientTool, StructuredToolParams } from "@langchain/core/tools";
import type { Execute, Scope, Session, ToolSift } from "../../index.js";
import { MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import { AHEAD } from "../../loop/ahead.js";
import type { AheadOptions, DriverOptions } from "../../loop/types.js";
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
export interface LangChainOptions extends AheadOptions, DriverOptions, MaxTools {
  /**
   * Tools in LangChain's form. If a tool's name is already in the catalog, the adapter uses the catalog's entry, which must
   * be the same tool. Other tools are registered. LangChain runs them as usual.
   */
  tools?: readonly (ClientTool | StructuredToolParams)[] | undefined;
  /**
   * Runs the catalog's tools that are not LangChain tools, such as those of MCP servers, each wrapped as a LangChain tool.
   * The model gets the result as text; a `ToolMessage` or a `Command` is passed on unchanged.
   */
  execute?: Execute | undefined;
  /**
   * Returns a run's session or its id. Default: its `thread_id`. If a run has none, or an agent runs inside another graph,
   * the session is rebuilt from the messages each time. Pass the result of `session.child` to a subagent to limit its scope.
   */
  session?: ((run: RunInfo) => string | Session | undefined) | undefined;
  /**
   * The scope of the sessions: one scope for all, or a function of the run. Without it, sessions see all tools; a function
   * returns `"all"` for all tools.
   */
  scope?: Scope | "all" | ((run: RunInfo) => Scope | "all");
  /**
   * True if the model gets the error of a failed tool, as in LangChain without a middleware around calls. Otherwise the
   * error ends the run. Default true.
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

/** The checked options, with defaults. */
export type LangChainSettings = LangChainOptions & { patience: number; handleToolErrors: boolean };

/** @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range` */
export function checked(sift: ToolSift, options: LangChainOptions): LangChainSettings {
  const valid = optionsFor(sift, options, OPTIONS);
  const { patience = PATIENCE, handleToolErrors = true } = valid;
  return { ...valid, patience, handleToolErrors };
}
