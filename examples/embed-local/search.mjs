/** Answers a search of the model by words and by meaning: `npm start -- "is it raining in Lisbon?"`. */

import { readFile } from "node:fs/promises";
import { ToolSift } from "toolsift";
import { localRanker } from "./model.mjs";

const index = await readFile("tools.index");
const sift = ToolSift.fromIndex(index, { activation: "on" });
const rank = await localRanker(index);

const session = sift.session("chat-42");
const query = process.argv[2] ?? "is it raining in Lisbon?";
const outcome = await session.callAsync("search_tools", { query }, { rank });
console.log(outcome.kind === "result" ? outcome.content : outcome);
