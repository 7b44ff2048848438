/** Finds and calls a tool through the gateway as a model does: with the answers of `search_tools`. */

import { NO_WAY } from "./way.mjs";

/** Returns the line of an answer with a tool's full definition, and the line of a tool that is only named. */
const defined = (answer, name) => answer.split("\n").find((one) => one.startsWith(`{"name":${JSON.stringify(name)},`));
const line = (name) => new RegExp(`^- ${name}\\(`, "m");

/**
 * Returns the way through a gateway that lists these tools. If it lists the tools of its servers, as with only a few tools,
 * there is no search.
 */
export function gatewayWay(tools) {
  const find = (query) => ({ name: "search_tools", args: { query } });
  if (!tools.some(({ name }) => name === "search_tools")) return NO_WAY;
  return {
    // Several needs are one query, with one line for each.
    search: (needs, again) => [find(needs.map(({ name, words }) => (again ? name : words)).join("\n"))],
    load: (needs) => [find(needs.map(({ name }) => name).join("\n"))],
    shows: (answer, name) => defined(answer, name) !== undefined || line(name).test(answer),
    defines: (_, answer, name) => defined(answer, name) !== undefined,
    call: (name, args, answer) => {
      if (answer === undefined) return { name, args };
      return { name: JSON.parse(defined(answer, name)).call_with, args: { name, arguments: args } };
    },
  };
}
