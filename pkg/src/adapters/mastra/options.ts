/** The options of a processor: the tools, who runs them, whose session it is, and when to stop. */

import type { Tool } from "@mastra/core/tools";
import { kind } from "../../boundary.js";
import { able, callable, known } from "../../checks.js";
import { ToolSiftError } from "../../errors.js";
import type { Execute, RankOptions, Scope, ToolEvent, ToolSift } from "../../index.js";
import { limitOf, type MaxTools } from "../../wire/limits.js";
import { answerBound, type AnswerOptions } from "../../loop/bound.js";
import { patienceOf } from "../../loop/driver.js";
import { rankOf } from "../../loop/rank.js";
import type { AboutRun } from "./session-id.js";

/** A tool of Mastra's, whatever its schemas. */
export type MastraTool = Tool<any, any, any, any, any, any, any>;

/** Mastra's tools, under the names that the model sees. */
export type MastraTools = Record<string, MastraTool>;

/** Options of `ToolSiftProcessor`. */
export interface ProcessorOptions extends AnswerOptions, MaxTools, RankOptions {
  /**
   * Mastra's tools that are to be searched. If a tool's name is already in the catalog, it runs what the catalog describes,
   * and must be the same tool.
   */
  tools?: MastraTools | undefined;
  /** Runs the tools of the catalog that are no Mastra tools, as those of MCP servers. */
  execute?: Execute | undefined;
  /** The session of a run. Default: that of its thread; without a thread, one of its own, read from the run's messages. */
  session?: ((about: AboutRun) => string | undefined) | undefined;
  /** The scope of a run's session. Without it, the session sees everything; a function must return `"all"` for that. */
  scope?: Scope | "all" | ((about: AboutRun) => Scope | "all");
  /** The run is stopped after so many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Receives every search, reveal, dispatch and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

const BOUNDS = ["patience", "maxAnswerChars", "readOn", "maxTools", "rankTimeoutMs"];

/** The names of the options. */
export const OPTIONS = ["tools", "execute", "session", "scope", "onEvent", "rank", ...BOUNDS];

/** A checked copy of the options. */
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
  rankOf(said, () => sift.settings);
  limitOf(undefined, said);
  return said;
}
