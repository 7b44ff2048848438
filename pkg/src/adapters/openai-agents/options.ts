/** The options of `siftAgents`: the deferred tools, the functions that run and approve other tools, and the limits. */

import type { FunctionTool, RunContext } from "@openai/agents";
import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Dispatch, Execute, NamedTool, ToolSift } from "../../index.js";
import { AHEAD } from "../../loop/ahead.js";
import type { AheadOptions, DriverOptions } from "../../loop/types.js";
import { DRIVING } from "../../loop/driver.js";
import { aFunction, type Shape, trueOrFalse } from "../../base/shape.js";
import { MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import { registerMissing } from "../lib/register.js";

/** A function tool of the SDK with any context, parameters and result. */
export type AnyFunctionTool = FunctionTool<any, any, any>;

/** Returns true if a call needs approval before `execute` runs it. */
export type NeedsApproval = (dispatch: Dispatch, runContext: RunContext<any>) => boolean | Promise<boolean>;

/** Options of `siftAgents`. */
export interface AgentsOptions extends AheadOptions, DriverOptions, MaxTools {
  /**
   * Function tools of the SDK that are deferred. If a tool's name is already in the catalog, the adapter uses the catalog's
   * entry, which must be the same tool. Other tools are registered.
   */
  tools?: readonly AnyFunctionTool[] | undefined;
  /** Runs the tools of the catalog that are not among `tools`, such as those of MCP servers. */
  execute?: Execute | undefined;
  /** Returns true if a call needs approval before `execute` runs it. The tools in `tools` have their own `needsApproval`. */
  needsApproval?: NeedsApproval | undefined;
  /**
   * True to send images from `execute` as images. The Responses API accepts them, Chat Completions does not. Default false:
   * the model gets the image's type as text instead.
   */
  images?: boolean | undefined;
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
 * Registers function tools, except those whose names are in the catalog: all of them, or none.
 *
 * @returns the tools by their names
 * @throws ToolSiftError `tool_shape_unknown` for a value that is no function tool; `duplicate_tool` for two tools of one
 *   name; the code of the first refused definition; `option_conflict` for a tool that has the name of a different tool of
 *   the catalog
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
