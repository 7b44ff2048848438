/** Answers a search of the model by words and by meaning: `npm start -- "is it raining in Lisbon?"`. */

import { readFile, writeFile } from "node:fs/promises";
import { ToolSift } from "toolsift";
import { TOOLS } from "./catalog.mjs";
import { vendorRanker } from "./vendor.mjs";

const INDEX = "tools.index";

/** The vectors of the last run, so that only tools that changed are paid for; another model's are made again. */
async function ranker() {
  try {
    return vendorRanker({ index: await readFile(INDEX) });
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "index_stale") throw error;
    return vendorRanker();
  }
}

const sift = new ToolSift({ activation: "on" });
for (const [server, tools] of Object.entries(TOOLS)) sift.register(tools, { server });

const rank = await ranker();
const session = sift.session("chat-42");
const query = process.argv[2] ?? "is it raining in Lisbon?";
// If the vendor is down or too slow, the search is answered by words, and this says so.
const onProblem = (message) => console.error(`searched by words alone: ${message}`);
const outcome = await session.callAsync("search_tools", { query }, { rank, rankTimeoutMs: 3_000, onProblem });
console.log(outcome.kind === "result" ? outcome.content : outcome);

if (rank.size.vectors > 0) await writeFile(INDEX, await rank.exportIndex(sift));
