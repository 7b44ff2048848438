/** The registry of checks, in the order in which they are told. */

import type { Check } from "./check.js";
import { cost } from "./cost.js";
import { findable, shadows } from "./shadows.js";
import { suspicious, texts } from "./texts.js";
import type { Level } from "./types.js";
import { vendors } from "./vendors.js";

export const CHECKS: readonly Check[] = [vendors, findable, shadows, cost, texts, suspicious];

/** The title of each check by its name, in the order in which they are told. */
export const CHECK_TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  CHECKS.map(({ name, title }) => [name, title]),
);

/** The levels of findings, the gravest first. */
export const LEVELS: readonly Level[] = ["error", "warning", "note"];

/** A definition of more tokens is expensive: a request with ten of them is longer than most conversations. */
export const MAX_TOKENS = 1_500;
