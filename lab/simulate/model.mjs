/**
 * Reads the options of the simulated conversation: numbers within their ranges, or an error message that names the ranges.
 */

import { numberOf } from "../../scripts/lib/options.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { DEFAULTS } from "./conversation.mjs";

/** The greatest allowed numbers. Each is at least 0, and numbers of tokens or turns are integers. */
const MOST = { turns: 1_000, at: 1_000, history: 1e7, growth: 1e6, cached: 1, output: 1_000, trip: 1e7 };
const LEAST = { turns: 1, at: 1 };
const WHOLE = ["turns", "at", "history", "growth"];

/** Returns the model for the options of the command line. */
export function modelOf({ warm = DEFAULTS.warm, append = DEFAULTS.append, ...said }) {
  const model = { ...DEFAULTS, warm, append };
  for (const [key, text] of Object.entries(said)) {
    model[key] = numberOf(key, text, LEAST[key] ?? 0, MOST[key], { isWhole: WHOLE.includes(key) });
  }
  if (model.at > model.turns) throw new Problem(`--at ${model.at} is behind the last of ${model.turns} turns`);
  return model;
}
