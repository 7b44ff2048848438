/** The options of a processor: the tools, who runs them, whose session it is, and when to stop. */

import type { Tool } from "@mastra/core/tools";
import { kind } from "../../boundary.js";
import { able, callable, known } from "../../checks.js";
import { ToolSiftError } from "../../errors.js";
import type { Execute, Scope, ToolEvent, ToolSift } from "../../index.js";
import { limitOf, type MaxTools } from "../lib/limits.js";
import { answerBound, type AnswerOptions } from "../../loop/bound.js";
import { patienceOf } from "../../loop/driver.js";
import type { AboutRun } from "./session-id.js";

/** A tool of Mastra's, whatever its schemas. */
export type MastraTool = Tool<any, any, any, any, any, any, any>;

/** Mastra's tools, under the names that the model sees. */
export type MastraTools = Record<string, MastraTool>;

/** Options of `ToolSiftProcessor`. */
export interface ProcessorOptions extends AnswerOptions, MaxTools {
  /**
   * Mastra's tools that are to be searched. If a tool's name is already in the catalog, it runs what the catalog describes,
   * and must be the same tool.
   */
  tools?: MastraTools | undefined;
  /** Runs the tools of the catalog that are no Mastra tools, as those of MCP servers. */
  execute?: Execute | undefined;
  /** The session of a run. Default: that of its thread; without a thread, one of its own, read from the run's messages. */
  session?: ((about: AboutRun) => string | undefined) | undefined;
  /** What the session of a run may ever see; without it, everything. A function must answer `"all"` to say so. */
  scope?: Scope | "all" | ((about: AboutRun) => Scope | "all");
  /** The run is stopped after so many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Is told of every search, reveal, dispatch and refusal. What it throws is passed over. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** The names of the options. */
export const OPTIONS = ["tools", "execute", "session", "scope", "patience", "onEvent", "maxAnswerChars", "maxTools"];

/** A copy of the options, as far as they can be wrong by themselves. */
export function checked(sift: ToolSift, options: ProcessorOptions): ProcessorOptions {
  able("sift", sift, ["session", "register"], "a ToolSift");
  const said = known(options, OPTIONS) as ProcessorOptions;
  const { tools = {} } = said;
  if (typeof tools !== "object" || tools === null || Array.isArray(tools)) {
    throw new ToolSiftError("option_invalid", `options.tools must be an object of Mastra's tools, got ${kind(tools)}`);
  }
  callable("execute", said.execute, true);
  callable("session", said.session, true);
  callable("onEvent", said.onEvent, true);
  patienceOf(said.patience);
  answerBound(said);
  limitOf(undefined, said);
  return said;
}
