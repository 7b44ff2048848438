/** Finds and calls a tool as a model does: with the discovery tools of a profile and their query syntax. */

/** The disclosures with which the model sees the names of deferred tools before a search. */
const NAMED = ["names", "sentences", "descriptions", "stubs", "short-stubs"];

/** The way without discovery: all tools are sent, and there is no search. */
export const NO_WAY = { search: () => [], load: () => [], defines: () => false, call: (name, args) => ({ name, args }) };

/**
 * Returns the way of a profile from `ToolSift.profiles()`. Its functions return calls, `{ name, args }`: `search` searches
 * for some needs (by exact names after a failed attempt); `load` loads or describes found tools; `call` calls a tool.
 * `defines` tells whether the answer to a step, "search" or "load", contains the whole definition of a tool.
 */
export function wayOf({ surface, disclosure, reveal, search: { ranker, grammar } }) {
  const [finder] = surface;
  const [adds, describes, forwards] = ["add_tool", "tool_describe", "tool_call"].map((name) => surface.includes(name));
  const named = NAMED.includes(disclosure);
  return {
    search: (needs, again) => {
      const texts = again ? needs.map(({ name }) => name) : queries(needs, { named, ranker, grammar });
      return texts.map((query) => ({ name: finder, args: { query } }));
    },
    load: (needs) => {
      const names = needs.map(({ name }) => name);
      if (adds) return [{ name: "add_tool", args: { tool_names: names } }];
      return describes ? names.map((name) => ({ name: "tool_describe", args: { name } })) : [];
    },
    defines: (does) => reveal === "never" && does === (describes ? "load" : "search"),
    call: (name, args) => (forwards ? { name: "tool_call", args: { name, arguments: args } } : { name, args }),
  };
}

/** Matches the line of an answer with a tool's parameters and the tool that calls it. */
const callable = (name) => new RegExp(`^\\{"name":"${name}",.*"call_with":"(\\w+)","description"`, "m");

/**
 * The way with a constant tool list: a tool that an answer only names is searched by name, and calls go through the call
 * tool.
 */
export const CONSTANT_WAY = {
  search: (needs, again) => [find(needs.map(({ name, words }) => (again ? name : words)).join(" and "))],
  load: (needs) => [find(`select:${needs.map(({ name }) => name).join(",")}`)],
  defines: (_, answer, name) => callable(name).test(answer),
  call: (name, args, answer) => {
    if (answer === undefined) return { name, args };
    return { name: callable(name).exec(answer)[1], args: { name, arguments: args } };
  },
};

const find = (query) => ({ name: "search_tools", args: { query } });

/** Returns the queries in the syntax of the discovery tool. A need that no tool serves is searched by words. */
function queries(needs, { named, ranker, grammar }) {
  const words = needs.map((need) => need.words);
  if (named && needs.every(({ name }) => name !== undefined)) {
    const names = needs.map(({ name }) => name);
    return grammar === "commands" ? [`select:${names.join(",")}`] : names;
  }
  if (ranker === "pattern") return [needs.map(({ pattern, words }) => pattern ?? words).join("|")];
  return grammar === "full" ? [words.join(" and ")] : words;
}
