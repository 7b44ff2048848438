/**
 * `npm run skills -- SKILLS TOOLS`: measures how well skills are found and loaded together with tools, and whether tools are
 * found less often because of them.
 */

import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { open } from "./eval/ahead.mjs";
import { isAnswered } from "./eval/loading.mjs";
import { mean, meanQualities, measure, needsOf } from "./eval/metrics.mjs";
import { best, bm25 } from "./eval/peers/bm25.mjs";
import { readSets } from "./eval/sets.mjs";
import { withTranslations } from "./eval/translations.mjs";
import { right } from "./lib/columns.mjs";
import { valuesOf } from "../scripts/lib/json-lines.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { main } from "../scripts/lib/progress.mjs";

const HELP = `npm run skills -- SKILLS TOOLS

Skills of one set beside the tools of another. In percent of the messages: recall of sift.search, which ranks both in one list; where
the model's search names what is needed (told); where that search, and prefetch, load it (needed), anything, or a skill in vain.
  SKILLS   a set as npm run eval takes them, with {kind: "skill", name, description, text, tools} a line in catalog.jsonl
  TOOLS    a set of tools`;

const print = (title, cells) => console.log(title.padEnd(42) + right(cells, 9));
const shareOf = (messages, holds) =>
  (100 * mean(messages.map((message, index) => Number(holds(message, index))))).toFixed(1);
const recallOf = (messages, ranked) => {
  const quality = meanQualities(messages.map((message, index) => measure(ranked[index], message)));
  return ["recall@1", "recall@5"].map((key) => (100 * quality[key]).toFixed(1));
};
const grouped = (messages, of) =>
  [...new Set(messages.map(of))].map((name) => [name, messages.filter((message) => of(message) === name)]);

/** Prints a row with the results of a catalog for some messages. */
function printRow({ sift, names, skills }, [of, messages]) {
  const namesOf = (list) => list.map((one = []) => one.map((name) => names.get(name)));
  const isMet = (lists) => (message, index) => message.relevant !== undefined && isAnswered(lists[index], needsOf(message));
  const inVain = (lists) => (message, index) =>
    lists[index].some((name) => skills.has(name) && !message.relevant?.includes(name));
  const ranked = messages.map(({ query }) => sift.search(query, { limit: 10 }).hits.map(({ name }) => name));
  const asked = messages.map(({ query }, at) => sift.session(`${of} ${at}`).call("search_tools", { query }));
  const told = asked.map(({ found = [], skillsFound = [] }) => [...found, ...skillsFound]);
  const searched = asked.map(({ revealed = [], skillsLoaded = [] }) => [...revealed, ...skillsLoaded]);
  const ahead = messages.map(({ query }, at) => sift.session(`ahead of ${of} ${at}`).prefetch(query));
  const loadsOf = (lists) => [isMet(lists), (_, at) => lists[at].length > 0, inVain(lists)];
  const measures = [isMet(namesOf(told)), ...loadsOf(namesOf(searched)), ...loadsOf(namesOf(ahead))];
  const recall = messages[0].relevant ? recallOf(messages, namesOf(ranked)) : ["", ""];
  print(`  ${of} (${messages.length})`, [...recall, ...measures.map((holds) => shareOf(messages, holds))]);
}

/** Returns a plain BM25 ranker over name, description and headings, for comparison. */
function peer(skills) {
  const terms = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const texts = skills.map(({ name, description, text }) => [name, description, ...(text.match(/^#.*/gm) ?? [])].join(" "));
  const index = bm25(texts.map(terms), { k1: 1.5, b: 0.75 });
  return ({ query }) => best(index.score(new Set(terms(query))), 10).map(([place]) => skills[place].name);
}

await main(async () => {
  const { folders } = options({}, HELP, { operands: "folders" });
  await build();
  const { ToolSift } = await import(at("pkg", "dist", "index.js"));
  const { packsFor } = await import(at("pkg", "dist", "packs.js"));
  const [{ queries }, set] = folders.map((folder) => readSets(folder)[0]);
  const skills = valuesOf(join(folders[0], "catalog.jsonl"));
  const [{ tools, queries: requests, translations }] = withTranslations([set]);
  const forSkills = grouped(queries, ({ kind = "all" }) => `for skills, ${kind}`);
  const forTools = [["for tools", requests.filter((request) => needsOf(request).length > 0)]];
  const quiet = grouped(valuesOf(at("lab", "eval", "quiet.jsonl")), ({ half }) => `quiet, ${half}`);
  const loads = ["needed", "anything", "in vain"];
  print("skills alone, BM25", ["recall@1", "recall@5", "told", ...loads, ...loads]);
  for (const [of, messages] of forSkills)
    print(`  ${of} (${messages.length})`, recallOf(messages, messages.map(peer(skills))));
  for (const [title, given, own, packs] of [
    ["skills alone", [], skills],
    ["tools alone", tools, []],
    ["mixed", tools, skills],
    ["tools alone, with packs", tools, [], packsFor],
    ["mixed, with packs", tools, skills, packsFor],
  ]) {
    console.log(title);
    const catalog = await open(ToolSift, given, packs, packs && translations, own);
    const groups = [own.length > 0 ? forSkills : [], given.length > 0 ? forTools : [], quiet].flat();
    for (const group of groups) printRow(catalog, group);
    catalog.sift.dispose();
  }
});
