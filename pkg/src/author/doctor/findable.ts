/** Finds tools that a search does not find by their own words. */

import { grouped } from "../grouped.js";
import { bare, namesOf, parametersOf, wordsOfName } from "./text.js";
import type { Check, Examined, Tool } from "./check.js";
import type { Finding } from "./types.js";

/** Parameters whose names are searched with the tool's. */
const MOST_PARAMETERS = 20;
/** Tools are told together from this many equal first sentences on. */
const ALIKE = 3;

export const findable: Check = {
  name: "findable",
  title: "cannot be found",
  *run({ tools, find, at }: Examined): Iterable<Finding> {
    const openings = alike(tools);
    for (const group of openings) {
      const [first] = group as [Tool];
      yield {
        check: "findable",
        level: "warning",
        server: first.server,
        tool: null,
        tools: namesOf(group),
        message:
          `${group.length} descriptions begin with the same words, ${JSON.stringify(first.opening.slice(0, 60))}: ` +
          "they tell no tool from another",
        advice: "Begin each description with a sentence that says what this tool does and to what.",
      };
    }
    const reported = new Set(openings.flat());
    for (const [done, tool] of tools.entries()) {
      if (done % 50 === 0) at(done);
      const missed = waysOf(tool, reported.has(tool)).filter(
        ({ query }) => query !== "" && !isFound(tool, find(query), tools),
      );
      if (missed.length === 0) continue;
      yield {
        check: "findable",
        level: "warning",
        server: tool.server,
        tool: tool.originalName,
        message: `a search by ${missed.map(({ way }) => way).join(" and by ")} does not find it among the first five`,
        advice: "Say in the first sentence of the description what the tool does, in the words of those who need it.",
      };
    }
  },
};

/** Tools of one server whose descriptions begin with the same sentence, which is mostly a heading. */
export function alike(tools: readonly Tool[]): Tool[][] {
  const groups = grouped(tools, ({ server, opening }) => (opening === "" ? undefined : `${server}\n${bare(opening)}`));
  return [...groups.values()].filter((group) => group.length >= ALIKE);
}

/** How somebody would search for a tool who knows what it is, and the words for each. */
function waysOf(tool: Tool, isAlike: boolean): { way: string; query: string }[] {
  const name = wordsOfName(tool.originalName);
  const parameters = parametersOf(tool).slice(0, MOST_PARAMETERS).map(wordsOfName).join(" ");
  return [
    { way: "its title", query: tool.title ?? name },
    ...(isAlike ? [] : [{ way: "its first sentence", query: tool.opening }]),
    { way: "its name and parameters", query: parameters === "" ? "" : `${name} ${parameters}` },
  ];
}

/** A tool of the same name and text elsewhere stands for it: another check tells that they are twins. */
function isFound(tool: Tool, hits: { name: string }[], tools: readonly Tool[]): boolean {
  const names = new Set(hits.map(({ name }) => name));
  if (names.has(tool.name)) return true;
  return tools.some((other) => names.has(other.name) && other.description === tool.description);
}
