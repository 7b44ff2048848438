/** Finds and calls a tool as a model does: with the discovery tools of a profile and their query syntax. */

/** Disclosures in which the model reads the names of deferred tools before it has searched. */
const NAMED = ["names", "sentences", "descriptions", "stubs", "short-stubs"];

/** No discovery: every tool is sent, and nothing can be searched for. */
export const NO_WAY = { search: () => [], load: () => [], defines: () => false, call: (name, args) => ({ name, args }) };

/**
 * The way of a profile, as `ToolSift.profiles()` describes it, as calls `{ name, args }`: `search` looks for some needs,
 * by their exact names where the first attempt failed; `load` loads or describes what a search has shown; `call` calls
 * a tool. `defines` says whether an answer to a step, "search" or "load", is all the definition that a call needs.
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

/** The line of an answer that has a tool's parameters, and the tool that calls it. */
const callable = (name) => new RegExp(`^\\{"name":"${name}",.*"call_with":"(\\w+)","description"`, "m");

/** The way of a tool list that never changes: what an answer only names is searched for by its name, and calls are wrapped. */
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

/** What is searched for, as the discovery tool's own description asks for it. What nobody has is known by words only. */
function queries(needs, { named, ranker, grammar }) {
  const words = needs.map((need) => need.words);
  if (named && needs.every(({ name }) => name !== undefined)) {
    const names = needs.map(({ name }) => name);
    return grammar === "commands" ? [`select:${names.join(",")}`] : names;
  }
  if (ranker === "pattern") return [needs.map(({ pattern, words }) => pattern ?? words).join("|")];
  return grammar === "full" ? [words.join(" and ")] : words;
}
