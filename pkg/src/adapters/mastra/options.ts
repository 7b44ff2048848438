/** The options of a processor: the tools, who runs them, whose session it is, and when to stop. */

import type { Tool } from "@mastra/core/tools";
import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Execute, RankOptions, Scope, Session, ToolEvent } from "../../index.js";
import { MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import { AHEAD } from "../../loop/ahead.js";
import type { AheadOptions } from "../../loop/types.js";
import type { AnswerOptions } from "../../loop/bound.js";
import { DRIVING } from "../../loop/driver.js";
import { aFunction, anything, type Shape } from "../../base/shape.js";
import type { AboutRun } from "./session-id.js";

/** A tool of Mastra's, whatever its schemas. */
export type MastraTool = Tool<any, any, any, any, any, any, any>;

/** Mastra's tools, under the names that the model sees. */
export type MastraTools = Record<string, MastraTool>;

/** Options of `siftProcessor`. */
export interface ProcessorOptions extends AheadOptions, AnswerOptions, MaxTools, RankOptions {
  /**
   * Mastra's tools that are to be searched. If a tool's name is already in the catalog, it runs what the catalog describes,
   * and must be the same tool.
   */
  tools?: MastraTools | undefined;
  /** Runs the tools of the catalog that are no Mastra tools, as those of MCP servers. */
  execute?: Execute | undefined;
  /**
   * A run's session or its id. Default: that of its thread; without a thread, one of its own, read from the run's messages.
   * A subagent gets what `session.child` returns, which has its own scope.
   */
  session?: ((about: AboutRun) => string | Session | undefined) | undefined;
  /** The scope of a run's session. Without it, the session sees everything; a function must return `"all"` for that. */
  scope?: Scope | "all" | ((about: AboutRun) => Scope | "all");
  /** The run is stopped after so many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Receives every search, reveal, dispatch and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

export const OPTIONS: Shape<ProcessorOptions> = {
  ...AHEAD,
  ...DRIVING,
  ...MAX_TOOLS,
  tools(_, tools) {
    if (typeof tools === "object" && !Array.isArray(tools)) return;
    throw new ToolSiftError("option_invalid", `options.tools must be an object of Mastra's tools, got ${kind(tools)}`);
  },
  execute: aFunction,
  session: aFunction,
  scope: anything,
};
