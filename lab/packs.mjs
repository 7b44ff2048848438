/**
 * `npm run packs -- CATALOGS_DIR`: checks the packs against the catalogs of servers, and measures how much they improve
 * search.
 */

import { gzipSync } from "node:zlib";
import { build } from "../scripts/build.mjs";
import { addCommand } from "./packs/add/command.mjs";
import { readCatalogs } from "../scripts/lib/catalogs.mjs";
import { table } from "./lib/columns.mjs";
import { options } from "../scripts/lib/options.mjs";
import { checkPacks } from "./packs/check.mjs";
import { judge, readQueries } from "./packs/judge.mjs";
import { packModules } from "../scripts/lib/packs/modules.mjs";
import { readPacks } from "../scripts/lib/packs/read.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { green, isCommand, main, red, step } from "../scripts/lib/progress.mjs";
import { Problem } from "../scripts/lib/run.mjs";

const HELP = `npm run packs -- CATALOGS_DIR [--judge] [--json]

Which tools of the catalogs have no entry in pkg/packs, which entries are of definitions that are other ones now, which
break a rule for the words of a pack, and the bytes of each pack. Ends with an error where there is anything to do.
  CATALOGS_DIR   a folder of tools/list answers as JSON files, named as the servers
  --judge        instead: recall of blind queries (lab/packs/queries.jsonl) on all catalogs together, with and without
                 packs, by kind, with the 95 % interval of the difference; for those that are like no query of a pack ("unlike"); when
                 all servers but the query's own have packs ("others"); and where packs hurt
  --json         the same for programs

npm run packs -- add PACKAGE@VERSION TOOLS adds the pack of a server: npm run packs -- add --help`;

const many = (value) => value.toLocaleString("en-US");
const share = (value) => `${(100 * value).toFixed(1)} %`;
const points = (value) => `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1)}`;

function printSizes(modules) {
  const rows = modules.map(({ name, tools, text }) => [
    name,
    { tools, bytes: Buffer.byteLength(text), gzip: gzipSync(text, { level: 9 }).length },
  ]);
  const sum = (key) => rows.reduce((total, [, row]) => total + row[key], 0);
  const all = [`all ${rows.length}`, { tools: sum("tools"), bytes: sum("bytes"), gzip: sum("gzip") }];
  const columns = ["tools", "bytes", "gzip"].map((key) => [key, (row) => many(row[key])]);
  table("packs", columns, [...rows, all]);
}

function printCheck({ missing, stale, broken }) {
  const print = (title, rows, line) => {
    if (rows.length === 0) return;
    console.log(red(`\n${rows.length} ${title}`));
    for (const row of rows) console.log(`  ${row.pack}: ${line(row)}`);
  };
  print("tools without an entry", missing, ({ tool, hash }) => `${tool} (hash ${hash})`);
  print("entries of definitions that no catalog has", stale, ({ tool }) => tool);
  print("broken rules", broken, ({ tool, problem }) => `${tool} ${problem}`);
}

function printJudged({ servers, tools, recall, won, lost, noLongerFirst, byServer }) {
  const interval = ({ mean, low, high }) => `${points(mean)} [${points(low)}, ${points(high)}]`;
  const figures = [
    ["first", "recall@1"],
    ["five", "recall@5"],
  ].flatMap(([key, title]) => [
    [`${title} without`, (row) => share(row[key].without)],
    ["with", (row) => share(row[key].with)],
    ["difference", (row) => interval(row[key].difference)],
  ]);
  const rows = recall.map((row) => [row.kind, row]);
  table(`${servers} servers with ${tools} tools`, [["queries", (row) => many(row.queries)], ...figures], rows);
  console.log(`\n${won} came among the first five, ${lost.length} left them; ${noLongerFirst.length} are no longer first`);
  for (const { id, query, relevant, before, after } of [...lost, ...noLongerFirst.filter((row) => !lost.includes(row))]) {
    console.log(`  ${id}  ${query} → ${relevant.join(" | ")}: ${before} to ${after ?? "not found"}`);
  }
  const counts = [
    ["queries", ({ queries }) => queries],
    ["first", ({ first }) => first.without],
    ["with", ({ first }) => first.with],
    ["five", ({ five }) => five.without],
    ["with", ({ five }) => five.with],
  ];
  const ofServers = byServer.map((row) => [row.server, row]);
  table("by server", counts, ofServers);
}

if (isCommand(import.meta.url) && process.argv[2] === "add") await main(addCommand);
else if (isCommand(import.meta.url)) {
  const {
    folder,
    judge: isJudged,
    json,
  } = options({ judge: { type: "boolean" }, json: { type: "boolean" } }, HELP, { operand: "folder" });
  await main(async () => {
    if (folder === undefined) throw new Problem("npm run packs -- CATALOGS_DIR: say which folder holds the catalogs");
    const catalogs = readCatalogs(folder);
    await build();
    const dist = (name) => import(at("pkg", "dist", name));
    if (isJudged) {
      const [{ ToolSift }, { packsFor }] = [await dist("index.js"), await dist("packs.js")];
      const judged = await step("asking the blind queries", () =>
        judge({ ToolSift, packsFor }, readPacks(), catalogs, readQueries()),
      );
      if (json) console.log(JSON.stringify(judged, null, 2));
      else printJudged(judged);
      return 0;
    }
    const { inspect } = await dist("internal.js");
    const modules = packModules();
    const checked = checkPacks(readPacks(), catalogs, inspect);
    const isFine = Object.values(checked).every((rows) => rows.length === 0);
    if (json) {
      const sizes = modules.map(({ name, tools, text }) => ({ name, tools, bytes: Buffer.byteLength(text) }));
      console.log(JSON.stringify({ packs: sizes, ...checked }, null, 2));
    } else {
      printSizes(modules);
      printCheck(checked);
      if (isFine) console.log(green(`\nall ${modules.reduce((sum, one) => sum + one.tools, 0)} entries keep the rules`));
    }
    return isFine ? 0 : 1;
  });
}
