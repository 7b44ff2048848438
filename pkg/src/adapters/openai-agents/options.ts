/** The options of `siftAgents`: the tools that are deferred, who runs the others, and when to stop. */

import type { FunctionTool, RunContext } from "@openai/agents";
import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Dispatch, Execute, NamedTool, RankOptions, ToolEvent, ToolSift } from "../../index.js";
import { AHEAD } from "../../loop/ahead.js";
import type { AheadOptions } from "../../loop/types.js";
import type { AnswerOptions } from "../../loop/bound.js";
import { DRIVING } from "../../loop/driver.js";
import { aFunction, type Shape, trueOrFalse } from "../../base/shape.js";
import { MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import { registerMissing } from "../lib/register.js";

/** A function tool of the SDK, whatever its context, parameters and result. */
export type AnyFunctionTool = FunctionTool<any, any, any>;

/** Says whether somebody must approve a call before `execute` runs it. */
export type NeedsApproval = (dispatch: Dispatch, runContext: RunContext<any>) => boolean | Promise<boolean>;

/** Options of `siftAgents`. */
export interface AgentsOptions extends AheadOptions, AnswerOptions, MaxTools, RankOptions {
  /**
   * Function tools of the SDK that are deferred. A tool whose name the catalog has already must be the same tool, and runs
   * what the catalog describes; other tools are registered.
   */
  tools?: readonly AnyFunctionTool[] | undefined;
  /** Runs the tools of the catalog that are not among `tools`, such as those of MCP servers. */
  execute?: Execute | undefined;
  /** Whether somebody must approve a call before `execute` runs it. Tools of `tools` say so themselves. */
  needsApproval?: NeedsApproval | undefined;
  /**
   * Whether images that `execute` returns are sent as images. The Responses API takes them, Chat Completions does not.
   * Default false: the model reads their type instead.
   */
  images?: boolean | undefined;
  /** The run fails after so many replies in a row of which every call was refused. Default 5. */
  patience?: number | undefined;
  /** Is told of every search, reveal, dispatch and refusal. What it throws is ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

export const OPTIONS: Shape<AgentsOptions> = {
  ...AHEAD,
  ...DRIVING,
  ...MAX_TOOLS,
  tools(_, tools) {
    if (Array.isArray(tools)) return;
    throw new ToolSiftError("option_invalid", `options.tools must be a list of function tools, got ${kind(tools)}`);
  },
  execute: aFunction,
  needsApproval: aFunction,
  images: trueOrFalse,
};

/**
 * Registers function tools, except those whose name the catalog has: all of them, or none.
 *
 * @returns the tools by their names
 * @throws ToolSiftError `tool_shape_unknown` for what is not a function tool, `duplicate_tool` for two tools of one name;
 * the code of the first definition that the catalog refuses, `option_conflict` for one whose name the catalog has for a
 * different tool
 */
export function registered(sift: ToolSift, tools: readonly AnyFunctionTool[]): Map<string, AnyFunctionTool> {
  const natives = new Map<string, AnyFunctionTool>();
  for (const [at, tool] of tools.entries()) {
    const { type, name, invoke } = Object(tool) as Partial<AnyFunctionTool>;
    if (type !== "function" || typeof invoke !== "function" || typeof name !== "string") {
      const help = "it must be what tool() of the SDK returns; pass hosted tools to the agent itself";
      throw new ToolSiftError("tool_shape_unknown", `options.tools[${at}] is not a function tool; ${help}`);
    }
    if (natives.has(name)) throw new ToolSiftError("duplicate_tool", `options.tools has two tools named ${name}`);
    natives.set(name, tool);
  }
  registerMissing(sift, [...natives.values()].map(definitionOf), (name) => `options.tools has ${name}`);
  return natives;
}

function definitionOf({ name, description, parameters }: AnyFunctionTool): NamedTool {
  return { name, description, inputSchema: parameters };
}
