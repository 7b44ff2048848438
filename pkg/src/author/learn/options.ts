/** Checks the options of a learner. */

import { ToolSiftError } from "../../errors.js";
import { aFunction, anything, type Shape, shaped, trueOrFalse, wholeOf } from "../../shape.js";
import { kind } from "../../values.js";
import { MOST_SESSIONS } from "./evidence.js";
import type { LearnerOptions } from "./types.js";

/** The options with their defaults. */
export interface LearnerSettings {
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

const OPTIONS: Shape<LearnerOptions> = {
  halfLifeDays: wholeOf(1, 3_650),
  minSupport: wholeOf(1, MOST_SESSIONS),
  maxTools: wholeOf(1, 20_000),
  maxTermsPerTool: wholeOf(1, 512),
  maxSessions: wholeOf(1, 100_000),
  capitalised: trueOrFalse,
  redact: aFunction,
  previous: anything,
  now: aFunction,
};

/** Checks options and fills in what is missing. `previous` is left to who reads snapshots. */
export function settings(options: unknown): LearnerSettings & { previous: unknown } {
  const valid = shaped(options, OPTIONS);
  const { capitalised = false, redact, previous, now } = valid;
  return {
    halfLifeMs: (valid.halfLifeDays ?? HALF_LIFE_DAYS) * DAY_MS,
    minSupport: valid.minSupport ?? MIN_SUPPORT,
    maxTools: valid.maxTools ?? MAX_TOOLS,
    maxTermsPerTool: valid.maxTermsPerTool ?? MAX_TERMS,
    maxSessions: valid.maxSessions ?? MAX_SESSIONS,
    capitalised,
    redact,
    now: now === undefined ? Date.now : clock(now as () => unknown),
    previous,
  };
}

/** Checks each time of the host's clock: an invalid time would make every weight NaN. */
function clock(now: () => unknown): () => number {
  return () => {
    const time = now();
    if (typeof time === "number" && Number.isFinite(time)) return time;
    throw new ToolSiftError("option_invalid", `options.now returned ${kind(time)}; it must return milliseconds`);
  };
}
