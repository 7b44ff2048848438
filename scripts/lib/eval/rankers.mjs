/** The rankers that are measured: those of the package, and peers to measure them against. */

import { Problem } from "../run.mjs";
import { ablated } from "./ablation.mjs";
import { ownRankers } from "./ours.mjs";
import { index as aiSdk } from "./peers/ai-sdk.mjs";
import { index as codex } from "./peers/codex.mjs";
import { index as fastmcp } from "./peers/fastmcp.mjs";
import { index as mastra } from "./peers/mastra.mjs";
import { index as minisearch } from "./peers/minisearch.mjs";
import { index as pydanticAi } from "./peers/pydantic-ai.mjs";

const PEERS = {
  "ai-sdk": aiSdk,
  mastra,
  fastmcp,
  codex,
  "pydantic-ai": pydanticAi,
  minisearch,
};

/** The peers that are written anew here after a description, and are not the product. */
export const REWRITTEN = Object.keys(PEERS).filter((name) => name !== "minisearch");

/** The rankers of these names, or all: `{ name, index }`, where `index(tools)` answers what searches them. */
export function chosenRankers(ToolSift, names) {
  const peers = Object.entries(PEERS).map(([name, index]) => ({ name, also: [], index }));
  return chosenOf([...ownRankers(ToolSift), ...peers], names);
}

/** The sift ranker with everything, and without these or without each of its ingredients. */
export function chosenAblated(ToolSift, names) {
  const [full, ...without] = ablated(ToolSift);
  return [full, ...chosenOf(without, names)];
}

function chosenOf(all, names) {
  if (names === undefined) return all;
  const asked = names.split(",").map((name) => name.trim());
  const chosen = asked.map((name) => {
    const ranker = all.find((one) => one.name === name || one.also.includes(name));
    if (ranker) return ranker;
    throw new Problem(`there is no ranker ${JSON.stringify(name)}; there are ${all.map((one) => one.name).join(", ")}`);
  });
  return [...new Set(chosen)];
}

/** What a thread measures under a name. */
export const rankerNamed = (ToolSift, name) =>
  [...chosenRankers(ToolSift), ...chosenAblated(ToolSift)].find((ranker) => ranker.name === name);
