/** Lists the rankers to measure: those of the package, and other systems for comparison. */

import { versionOf } from "../lib/packages.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { ablated } from "./ablation.mjs";
import { ownRankers } from "./ours.mjs";
import { original } from "./peers/original.mjs";
import { PYTHON_PEERS } from "./python.mjs";

/** Returns a compared ranker. Its module is loaded at first use, because some take a second to load. */
const peer = (name, origin) => ({
  name,
  also: [],
  label: `${name} (${origin})`,
  index: async (tools) => (await import(`./peers/${name}.mjs`)).index(tools),
});

/** Returns a compared ranker from PyPI. Its process starts slowly, so one process answers all queries of a set. */
const pythonPeer = (name, python) => ({
  name,
  also: [],
  label: `${name} (${PYTHON_PEERS[name].version})`,
  index: original(python, name),
  isOneJob: true,
});

const peers = (python) => [
  peer("ai-sdk", `ai ${versionOf("ai-7")}`),
  peer("mastra", versionOf("@mastra/core")),
  pythonPeer("fastmcp", python),
  peer("codex", "our reading"),
  pythonPeer("pydantic-ai", python),
  peer("minisearch", versionOf("minisearch")),
];

/** Returns true if a ranker runs in Python. */
export const needsPython = ({ name }) => Object.hasOwn(PYTHON_PEERS, name);

/**
 * Returns the rankers with these names, or all rankers: `{ name, label, index }`. `index(tools)` returns an index that can
 * be searched, and `label` has the version of a compared package. `python` is the interpreter for packages from PyPI.
 */
export function chosenRankers(ToolSift, names, python) {
  return chosenOf([...ownRankers(ToolSift), ...peers(python)], names);
}

/** Returns the full `sift` ranker, and the ranker without each of these parts (or of all parts). */
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

/** Returns the ranker with a name, for a thread. */
export const rankerNamed = (ToolSift, name, python) =>
  [...chosenRankers(ToolSift, undefined, python), ...chosenAblated(ToolSift)].find((ranker) => ranker.name === name);
