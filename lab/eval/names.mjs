/** Measures whether tools are found by name: the queries are exact names in the spellings that models use. */

/** The number of names for each set, the first ones in random order. */
const NAMES = 100;

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;
const wordsOf = (text) => (text.match(WORD) ?? []).map((word) => word.toLowerCase());
const capitalised = (word) => word.replace(/^./u, (letter) => letter.toUpperCase());

/** Returns the name without the server's name at its start, as in `github__create_issue`. */
function withoutServer({ name, server }) {
  const reduced = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const end = name.indexOf("__");
  const repeats = server !== null && end > 0 && reduced(name.slice(0, end)) === reduced(server);
  return repeats && end + 2 < name.length ? name.slice(end + 2) : name;
}

/** The spellings of a tool's name; null if a spelling does not exist for it. */
export const SPELLINGS = {
  "as is": ({ name }) => name,
  camelCase: (tool) => {
    const [first, ...rest] = wordsOf(withoutServer(tool));
    return first === undefined ? null : [first, ...rest.map(capitalised)].join("");
  },
  snake_case: (tool) => wordsOf(withoutServer(tool)).join("_") || null,
  "spaced words": (tool) => wordsOf(withoutServer(tool)).join(" ") || null,
  "server:name": (tool) => (tool.server === null ? null : `${tool.server}:${withoutServer(tool)}`),
};

/**
 * Returns a set of queries for each spelling. All tools with the same spelling are right answers, such as tools of the same
 * name on two servers.
 */
export function nameSets(set) {
  return Object.entries(SPELLINGS).flatMap(([spelling, spell]) => {
    const named = new Map();
    for (const tool of set.tools) {
      const text = spell(tool);
      if (text !== null) named.set(text, [...(named.get(text) ?? []), tool.name]);
    }
    const queries = [...named].slice(0, NAMES).map(([query, relevant]) => ({
      id: `${spelling}: ${relevant[0]}`,
      query,
      relevant,
      match: "any",
    }));
    return queries.length === 0 ? [] : [{ ...set, spelling, queries }];
  });
}
