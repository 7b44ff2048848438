/** Offers the program to the page: a bundle for a page has no exports, so it is left on the global object. */

import type { ToolDefinition, ToolSift as Sift } from "toolsift";
import { answers, type Step } from "./answers.mts";
import { firstSearch } from "./first-search.mts";

declare global {
  var toolsiftProgram: {
    answers: (steps: readonly Step[]) => string[];
    firstSearch: (tools: Record<string, ToolDefinition[]>) => number;
  };
}

/** Offers what can be done with the package, however it was imported. */
export function offer(ToolSift: typeof Sift): void {
  globalThis.toolsiftProgram = {
    answers: (steps) => answers(ToolSift, steps),
    firstSearch: (tools) => firstSearch(ToolSift, tools),
  };
}
