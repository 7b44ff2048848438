/** Measures the time from a fresh process to its first search, and gives the answers of the steps. */

import type { ToolDefinition } from "toolsift";
import type { Step } from "./answers.mts";

/** What a runtime is given: the steps of the script, and the tools of some servers. */
export interface Data {
  steps: Step[];
  tools: Record<string, ToolDefinition[]>;
}

/** Imports the program, for the first time in this process, and lets it work. */
export async function start({ steps, tools }: Data): Promise<{ cold: number; found: number; answers: string[] }> {
  const begin = performance.now();
  await import("./program.mts");
  const found = globalThis.toolsiftProgram.firstSearch(tools);
  const cold = performance.now() - begin;
  return { cold, found, answers: globalThis.toolsiftProgram.answers(steps) };
}
