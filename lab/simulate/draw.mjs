/** Draws other tools for the tasks from a catalog. The measured ranks stay the same. */

import { randomFrom } from "../eval/random.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { beginningsOf, costsOf, MEASURED, PROFILE } from "./tasks.mjs";

/** Opens a catalog. Returns its name, its number of tools, the beginnings of its requests, and the cost of each tool. */
export function openCatalog(ToolSift, name, catalogs) {
  const register = (sift) => {
    for (const { server, tools } of catalogs) sift.register(tools, { server, names: "alias" });
  };
  const beginnings = beginningsOf(ToolSift, register);
  const sift = new ToolSift({ profile: PROFILE, ...MEASURED });
  try {
    const costs = catalogs.flatMap(({ server, tools }) => {
      const { registered, rejected } = sift.register(tools, { server, names: "alias" });
      const out = new Set(rejected.map(({ index }) => index));
      const taken = tools.filter((_, index) => !out.has(index));
      const tokens = new Map(sift.tools().map((info) => [info.name, info.tokens]));
      return registered.map((shown, at) => {
        const { description, inputSchema, parameters } = taken[at];
        return costsOf(shown, tokens.get(shown), { description, parameters: inputSchema ?? parameters });
      });
    });
    if (costs.length === 0) throw new Problem(`the catalog ${name} has no tool that can be registered`);
    return { name, tools: costs.length, beginnings, costs };
  } finally {
    sift.dispose();
  }
}

/** Returns sets with the same tasks, in which every hit is a tool of the catalog. */
export const drawn = (sets, { name, beginnings, costs }) =>
  sets.map((set) => {
    const random = randomFrom(`${name} ${set.name}`);
    const draw = (hit) => ({ ...hit, ...costs[Math.floor(random() * costs.length)] });
    return { name: set.name, beginnings, tasks: set.tasks.map((task) => ({ ...task, hits: task.hits.map(draw) })) };
  });
