/** Checks the options of a learner. */

import { callable, known, whole } from "../../checks.js";
import { ToolSiftError } from "../../errors.js";
import { kind } from "../../values.js";
import { MOST_SESSIONS } from "./evidence.js";
import type { LearnerOptions } from "./types.js";

/** The options with their defaults. */
export interface Settings {
  halfLifeMs: number;
  minSupport: number;
  maxTools: number;
  maxTermsPerTool: number;
  maxSessions: number;
  capitalised: boolean;
  redact: LearnerOptions["redact"];
  now: () => number;
}

const DAY_MS = 86_400_000;

/** A quarter of a year: what people do changes with the seasons. */
const HALF_LIFE_DAYS = 90;
/** One person's word is nobody else's. On five labelled sets a third session halves what five calls of each tool gain. */
const MIN_SUPPORT = 2;
const MAX_TOOLS = 1_000;
const MAX_TERMS = 128;
const MAX_SESSIONS = 1_024;

const KEYS = [
  "halfLifeDays",
  "minSupport",
  "maxTools",
  "maxTermsPerTool",
  "maxSessions",
  "capitalised",
  "redact",
  "previous",
  "now",
];

/** Checks options and fills in what is missing. `previous` is left to who reads snapshots. */
export function settings(options: unknown): Settings & { previous: unknown } {
  const said = known(options, KEYS);
  const { capitalised = false, redact, previous, now } = said;
  const number = (key: string, normal: number, most: number) => whole(key, said[key] ?? normal, 1, most);
  if (typeof capitalised !== "boolean") {
    throw new ToolSiftError("option_invalid", `options.capitalised is ${kind(capitalised)}; it must be true or false`);
  }
  callable("redact", redact, true);
  callable("now", now, true);
  return {
    halfLifeMs: number("halfLifeDays", HALF_LIFE_DAYS, 3_650) * DAY_MS,
    minSupport: number("minSupport", MIN_SUPPORT, MOST_SESSIONS),
    maxTools: number("maxTools", MAX_TOOLS, 20_000),
    maxTermsPerTool: number("maxTermsPerTool", MAX_TERMS, 512),
    maxSessions: number("maxSessions", MAX_SESSIONS, 100_000),
    capitalised,
    redact: redact as LearnerOptions["redact"],
    now: now === undefined ? Date.now : clock(now as () => unknown),
    previous,
  };
}

/** The host's clock. Without a time, what is known would be weighed with none, and lost. */
function clock(now: () => unknown): () => number {
  return () => {
    const time = now();
    if (typeof time === "number" && Number.isFinite(time)) return time;
    throw new ToolSiftError("option_invalid", `options.now returned ${kind(time)}; it must return milliseconds`);
  };
}
