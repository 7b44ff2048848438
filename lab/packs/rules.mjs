/**
 * Checks the rules for words of a pack: they are our own, add something to the definition, and give no instructions to a
 * model.
 */

/** The least and most texts of a tool, and their greatest length. Queries can be from up to three authors. */
export const AMOUNTS = {
  queries: { least: 4, most: 24, chars: 120, words: 24 },
  keywords: { least: 6, most: 12, chars: 40, words: 6 },
};
/** If this many consecutive words are also in a definition, they count as copied. */
const COPIED = 6;

/** Returns the words of a text in lower case. */
const wordsOf = (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Joins words with spaces around each, so that only whole words match a phrase. */
const spaced = (words) => ` ${words.join(" ")} `;

/**
 * Returns the problems with the entry of a tool, a sentence for each broken rule.
 *
 * @param tool the tool in the server's list, or undefined if no catalog has it
 * @param inspect finds instructions to a model, as the doctor does
 */
export function brokenRules(entry, tool, inspect) {
  const problems = [];
  const { name, hash, queries = [], keywords = [] } = entry;
  const others = Object.keys(entry).filter((key) => !["name", "hash", "queries", "keywords"].includes(key));
  if (others.length > 0) problems.push(`has other keys: ${others.join(", ")}`);
  if (typeof name !== "string" || name === "") problems.push("has no name");
  if (!/^[0-9a-f]{16}$/.test(hash)) problems.push("has no hash of 16 hexadecimal digits");
  problems.push(...amounts("queries", queries), ...amounts("keywords", keywords));
  const seen = new Set();
  for (const text of [...queries, ...keywords]) {
    const say = (what) => problems.push(`${JSON.stringify(text)} ${what}`);
    if (text !== text.trim() || /\s\s/.test(text)) say("has white space too much");
    if (!/^[\x20-\x7e]*[a-z][\x20-\x7e]*$/i.test(text)) say("is not in English letters");
    if (/:\/\/|\bwww\.|\b[a-z0-9-]+\.(com|org|net|io|dev)\//i.test(text)) say("holds a URL");
    const [finding] = inspect({ name: "tool", description: text, inputSchema: {} });
    if (finding !== undefined) say(`addresses a model: ${finding.detail}`);
    const key = text.toLowerCase();
    if (seen.has(key)) say("stands there twice");
    seen.add(key);
    if (tool !== undefined && isCopied(text, tool)) say(`has ${COPIED} words in a row of the definition`);
  }
  if (tool === undefined) return problems;
  const said = spaced(wordsOf(`${tool.name} ${tool.description ?? ""}`));
  for (const keyword of keywords) {
    if (said.includes(spaced(wordsOf(keyword)))) problems.push(`${JSON.stringify(keyword)} stands in the definition`);
  }
  return problems;
}

/** Returns the problems between tools of a pack, as `{ tool, problem }`. */
export function sharedTexts(entries) {
  const byQuery = new Map();
  for (const { name, queries } of entries) {
    for (const query of queries) byQuery.set(query.toLowerCase(), [...(byQuery.get(query.toLowerCase()) ?? []), name]);
  }
  const shared = [...byQuery].filter(([, names]) => names.length > 1);
  return [
    ...shared.map(([query, names]) => ({
      tool: names.join(" and "),
      problem: `have the same query ${JSON.stringify(query)}`,
    })),
    ...entries.flatMap((entry) => otherNames(entry, entries)),
  ];
}

/** Returns texts that contain the name of another tool. Names of one word do not count. */
function otherNames({ name: tool, queries, keywords }, entries) {
  const names = entries.map(({ name }) => name).filter((name) => name !== tool && /[a-z][_-]?[A-Z]|[_-]/.test(name));
  return [...queries, ...keywords].flatMap((text) => {
    const words = new Set(text.split(/[^\w-]+/));
    const found = names.find((name) => words.has(name));
    return found === undefined ? [] : [{ tool, problem: `names the tool ${found} in ${JSON.stringify(text)}` }];
  });
}

function amounts(what, texts) {
  const { least, most, chars, words } = AMOUNTS[what];
  const problems = [];
  if (texts.length < least || texts.length > most) problems.push(`has ${texts.length} ${what}; ${least} to ${most}`);
  for (const text of texts) {
    const count = text.split(" ").length;
    if (text.length > chars) problems.push(`${JSON.stringify(text)} has ${text.length} characters; at most ${chars}`);
    if (count > words) problems.push(`${JSON.stringify(text)} has ${count} words; at most ${words}`);
  }
  return problems;
}

function isCopied(text, tool) {
  const words = wordsOf(text);
  const texts = [tool.name, tool.title, tool.description, JSON.stringify(tool.inputSchema ?? {})];
  const said = spaced(wordsOf(texts.join(" ")));
  return words.some((_, at) => at + COPIED <= words.length && said.includes(spaced(words.slice(at, at + COPIED))));
}
