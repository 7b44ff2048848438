/** The settings of the compared strategies. */

import { PAGE } from "./tasks.mjs";
import { asAhead, asConstant, asPackage, bridge, CONFIDENCES, inFull, searchAndReveal } from "./steps.mjs";

const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The tried values of each setting. */
export const TRIED = {
  reveal: upTo(1, 10),
  list: upTo(0, 10),
  budget: [500, 1_000, 2_000, 4_000, Infinity],
  near: [0, 0.6, 0.8],
  sure: Object.keys(CONFIDENCES),
};

/** The strategies, each with its title, the beginning of its requests, its steps, and its settings. */
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
  now: { title: "the package as it is", begins: "reveal", steps: asPackage, settings: [{ page: PAGE }] },
  ahead: { title: "the package, prefetch", begins: "reveal", steps: asAhead, settings: [{ page: PAGE }] },
  constant: { title: "the package, constant", begins: "constant", steps: asConstant, settings: [{ page: PAGE }] },
  add: {
    title: "search, then add",
    begins: "reveal",
    steps: ({ list }, task) => searchAndReveal({ reveal: 0, list }, task),
    settings: upTo(1, 20).map((list) => ({ list })),
  },
  bridge: { title: "bridge", begins: "bridge", steps: bridge, settings: upTo(1, 20).map((list) => ({ list })) },
};
