/** Makes the entries of a pack from written words, and reports errors in them. */

import { readFileSync } from "node:fs";
import { Problem } from "../../../scripts/lib/run.mjs";
import { definitionHash } from "../../../scripts/lib/packs/hash.mjs";
import { brokenRules, sharedTexts } from "../rules.mjs";
import { WANTED } from "./prompts.mjs";

/**
 * Returns the JSON objects in a file: one document, or one object on each line. An object with a list `tools` stands for the
 * list.
 */
export function rowsIn(file) {
  const text = readFileSync(file, "utf8");
  const whole = parsed(text);
  const values = whole === undefined ? text.split("\n").map((line, at) => [line.trim(), at + 1]) : [];
  const lines = values.filter(([line]) => line !== "");
  const broken = lines.find(([line]) => parsed(line) === undefined);
  if (broken !== undefined)
    throw new Problem(`${file}:${broken[1]} is no JSON; a file holds one document, or one object a line`);
  const documents = whole === undefined ? lines.map(([line]) => parsed(line)) : [whole];
  return documents.flatMap((document) => document.tools ?? document);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The entries of tools by the words that somebody wrote, checked as a model's answer to `enrich` is; tools without new words
 * keep those that they have. Another writer's queries are added to these: people say one thing in many ways, and what a
 * second writer thinks of finds tools that the first one's words do not. Another's keywords find nothing more.
 *
 * @param rows `{ name, queries, keywords }` of tools
 * @param more the same of another writer; keywords are not needed
 * @param before entries that the pack has
 * @returns `entries`; `leftOut`, texts that are not allowed or add nothing; and `problems`, a sentence each
 */
export async function entriesOf(rows, more, tools, before, { enrich, inspect, server }) {
  const named = new Map(tools.map((tool) => [tool.name, tool]));
  const [first, second] = [await accepted(rows, tools, { enrich, server }), await accepted(more, tools, { enrich, server })];
  const problems = [...first.problems, ...second.problems];
  const leftOut = [...first.leftOut, ...second.leftOut];
  const earlier = new Map(before.map((entry) => [entry.hash, entry]));
  const entries = tools.flatMap(({ name, description = "" }) => {
    const own = first.entries.get(name) ?? earlier.get(definitionHash(name, description));
    const added = second.entries.get(name);
    if (own === undefined) return added ?? [];
    const said = new Set(own.queries.map((query) => query.toLowerCase()));
    const queries = (added?.queries ?? []).filter((query) => !said.has(query.toLowerCase()));
    return { ...own, queries: [...own.queries, ...queries] };
  });
  const gone = before.filter(({ name }) => !named.has(name));
  const all = [...entries, ...gone];
  for (const entry of all) {
    problems.push(...brokenRules(entry, named.get(entry.name), inspect).map((problem) => `${entry.name} ${problem}`));
  }
  problems.push(...sharedTexts(all).map(({ tool, problem }) => `${tool} ${problem}`));
  const has = new Set([...entries, ...rows].map(({ name }) => name));
  problems.push(...tools.flatMap(({ name }) => (has.has(name) ? [] : [`${name} has no words`])));
  return { entries: all, leftOut, problems };
}

/** Checks the words of one writer. Returns the accepted `entries` by name, the `leftOut` texts, and `problems`. */
async function accepted(rows, tools, { enrich, server }) {
  const words = new Map(rows.map(({ name, queries, keywords }) => [name, { queries, keywords }]));
  const names = new Set(tools.map(({ name }) => name));
  const problems = [...words.keys()].flatMap((name) => (names.has(name) ? [] : [`${name} is no tool of the server`]));
  const complete = ({ tools: asked }) => JSON.stringify({ tools: asked.map((name) => ({ name, ...words.get(name) })) });
  const written = tools.filter(({ name }) => words.has(name));
  const report = await enrich(written, { complete, server, ...WANTED, concurrency: 1 });
  problems.push(...report.failed.map(({ name, reason }) => `${name}: ${reason}`));
  const entries = new Map(
    report.entries.map(({ name, hash, queries, keywords }) => [name, { name, hash, queries, keywords }]),
  );
  const leftOut = [...entries.values()].flatMap(({ name, queries, keywords }) => {
    const { queries: asked = [], keywords: said = [] } = words.get(name);
    return [...asked, ...said]
      .filter((text) => ![...queries, ...keywords].includes(text))
      .map((text) => `${name}: ${JSON.stringify(text)}`);
  });
  return { entries, leftOut, problems };
}
