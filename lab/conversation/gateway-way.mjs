/** Reaches a tool through the gateway as a model does: by what `search_tools` answers. */

import { NO_WAY } from "./way.mjs";

/** The head of a description in an answer, with the tool that calls it; and the line of a tool that is only named. */
const head = (name) => new RegExp(`^${name} \\(.*\\) is called with (\\w+)\\.$`, "m");
const line = (name) => new RegExp(`^- ${name}\\(`, "m");

/**
 * The way through a gateway that lists these tools. Where it lists what its servers have, as with few tools, there is
 * nothing to search.
 */
export function gatewayWay(tools) {
  const find = (query) => ({ name: "search_tools", args: { query } });
  if (!tools.some(({ name }) => name === "search_tools")) return NO_WAY;
  return {
    // Several needs go on a line each, as its description says.
    search: (needs, again) => [find(needs.map(({ name, words }) => (again ? name : words)).join("\n"))],
    load: (needs) => [{ name: "describe_tools", args: { names: needs.map(({ name }) => name) } }],
    shows: (answer, name) => head(name).test(answer) || line(name).test(answer),
    defines: (_, answer, name) => head(name).test(answer),
    call: (name, args, answer) => {
      if (answer === undefined) return { name, args };
      return { name: head(name).exec(answer)[1], args: { name, arguments: args } };
    },
  };
}
