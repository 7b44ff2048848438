/** The list of checks, in the order of the report. */

import type { Check } from "./check.js";
import { cost } from "./cost.js";
import { findable, shadows } from "./shadows.js";
import { suspicious, texts } from "./texts.js";
import type { Level } from "./types.js";
import { vendors } from "./vendors.js";

export const CHECKS: readonly Check[] = [vendors, findable, shadows, cost, texts, suspicious];

/** The title of each check by its name, in the order of the report. */
export const CHECK_TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  CHECKS.map(({ name, title }) => [name, title]),
);

/** The levels of findings, the most severe first. */
export const LEVELS: readonly Level[] = ["error", "warning", "note"];

/** The number of tokens above which a definition is expensive: ten of them are longer than most conversations. */
export const MAX_TOKENS = 1_500;
