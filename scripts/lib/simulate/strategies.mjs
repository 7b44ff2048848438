/** The settings of the strategies that are compared. */

import { PROFILE } from "./tasks.mjs";
import { bridge, CONFIDENCES, inFull, searchAndReveal } from "./steps.mjs";

const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The values that are tried, for each setting. */
export const TRIED = {
  reveal: upTo(1, 10),
  list: upTo(0, 10),
  budget: [500, 1_000, 2_000, 4_000, Infinity],
  near: [0, 0.6, 0.8],
  sure: Object.keys(CONFIDENCES),
};

/** Every strategy: its title, where its requests begin, its steps, and its settings. */
export const STRATEGIES = {
  full: { title: "everything in full", begins: "full", steps: inFull, settings: [{}] },
  reveal: {
    title: "search and reveal",
    begins: "reveal",
    steps: searchAndReveal,
    settings: TRIED.reveal.flatMap((reveal) =>
      TRIED.list.flatMap((list) =>
        TRIED.budget.flatMap((budget) =>
          TRIED.near.flatMap((near) => TRIED.sure.map((sure) => ({ reveal, list, budget, near, sure }))),
        ),
      ),
    ),
  },
  add: {
    title: "search, then add",
    begins: "reveal",
    steps: ({ list }, task) => searchAndReveal({ reveal: 0, list }, task),
    settings: upTo(1, 20).map((list) => ({ list })),
  },
  bridge: { title: "bridge", begins: "bridge", steps: bridge, settings: upTo(1, 20).map((list) => ({ list })) },
};

/** What a hit must score beside the best to be revealed by the package, which has no option for it. */
const NEAR = 0.6;

/** The setting that the package has now. */
export function currentOf(ToolSift) {
  const { search, budget } = ToolSift.profiles().find(({ name }) => name === PROFILE);
  const { tools, tokens } = budget;
  const reveal = Math.min(search.hits, tools ?? Infinity);
  return { reveal, list: search.hits - reveal, budget: tokens ?? Infinity, near: NEAR, sure: "high" };
}
