/**
 * `npm run page-sizes -- DIR`: measures the tokens of tools in the captured lists of a folder. It writes the sizes of the
 * tools of packs to www/src/data/sizes.json, for the playground, and the sizes of six servers to
 * cli/src/commands/public-servers.ts, for `toolsift demo`. Neither file contains a text of a server.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolSift } from "toolsift";
import { at } from "../scripts/lib/paths.mjs";
import { isCommand } from "../scripts/lib/progress.mjs";

/** The servers of `toolsift demo`. */
const DEMO = ["atlassian", "github", "notion", "playwright", "slack", "stripe"];

/** Returns the tokens of each tool in a request. */
function tokensOf(tools) {
  const sift = new ToolSift({ activation: "off" });
  sift.register(tools, { names: "alias" });
  const sent = sift.session("sizes").assemble({ format: "openai" }).tools;
  return new Map(sent.map((tool) => [tool.function.name, Math.ceil(JSON.stringify(tool).length / 4)]));
}

function sizes(folder) {
  const { packs } = JSON.parse(readFileSync(at("pkg", "packs", "servers.json"), "utf8"));
  const lists = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .map((file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(join(folder, file), "utf8")).tools]),
  );
  const found = {};
  for (const { pack } of packs) {
    if (!lists.has(pack)) continue;
    const tokens = tokensOf(lists.get(pack));
    const lines = readFileSync(at("pkg", "packs", `${pack}.jsonl`), "utf8")
      .trim()
      .split("\n");
    const names = new Set(lines.map((line) => JSON.parse(line).name));
    // A server may list fewer tools by default than its pack has.
    const measured = [...tokens].filter(([name]) => names.has(name));
    if (2 * measured.length >= tokens.size) found[pack] = Object.fromEntries(measured);
  }
  const all = Object.values(found)
    .flatMap((tools) => Object.values(tools))
    .sort((a, b) => a - b);
  return { typical: all[all.length >> 1], packs: found };
}

if (isCommand(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (!folder || !existsSync(folder))
    throw new Error("npm run page-sizes -- DIR: a folder of tools/list answers, one file a server");
  const { typical, packs } = sizes(folder);
  const lines = Object.entries(packs).map(([pack, tools]) => `    ${JSON.stringify(pack)}: ${JSON.stringify(tools)}`);
  writeFileSync(
    at("www", "src", "data", "sizes.json"),
    `{\n  "typical": ${typical},\n  "packs": {\n${lines.join(",\n")}\n  }\n}\n`,
  );
  const demo = at("cli", "src", "commands", "public-servers.ts");
  const sizesOf = (tools) => Object.entries(tools).map((one) => one.join("="));
  const rows = DEMO.map((pack) => `  ${pack}: ${JSON.stringify(sizesOf(packs[pack]).join(" "))},\n`).join("");
  writeFileSync(
    demo,
    readFileSync(demo, "utf8").replace(/(PUBLIC_SERVERS[^{]*\{\n)[^]*(?=\};\n)/, (_, head) => head + rows),
  );
  execFileSync("npx", ["biome", "format", "--write", demo]);
  console.log(
    `${lines.length} servers, ${Object.values(packs).flatMap(Object.keys).length} tools; the median is ${typical} tokens`,
  );
}
