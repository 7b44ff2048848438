/** Keeps the answers of discovery tools and refusals from becoming the final output of an agent that stops at a tool. */

import type { RunContext, ToolToFinalOutputFunction, ToolUseBehavior } from "@openai/agents";
import { textOf } from "../../loop/text.js";
import type { ToolList } from "./catalog.js";
import { Run } from "./turns.js";

type Results = Parameters<ToolToFinalOutputFunction>[1];

const GO_ON = { isFinalOutput: false, isInterrupted: undefined } as const;

/** The agent's `toolUseBehavior`, which is asked about results of real tools only. */
export function stopping(behavior: ToolUseBehavior | undefined, list: ToolList): ToolUseBehavior | undefined {
  if (typeof behavior === "function") {
    return (context, results) => {
      const real = ofTools(list, context, results);
      return real.length === 0 && results.length > 0 ? GO_ON : behavior(context, real);
    };
  }
  if (behavior !== "stop_on_first_tool") return behavior;
  return (context, results) => {
    const first = ofTools(list, context, results)[0];
    if (first?.type !== "function_output") return GO_ON;
    return { isFinalOutput: true, isInterrupted: undefined, finalOutput: textOf(first.output) };
  };
}

/** The results without those that the session answered. */
function ofTools(list: ToolList, context: RunContext<any>, results: Results): Results {
  const { answered } = Run.of(context, list);
  return results.filter(({ runItem: { rawItem } }) => !("callId" in rawItem && answered.has(rawItem.callId)));
}
