/** The registry of checks, in the order in which they are told. */

import { cost } from "./cost.js";
import { findable } from "./findable.js";
import { shadows } from "./shadows.js";
import { suspicious } from "./suspicious.js";
import { texts } from "./texts.js";
import type { Check } from "./types.js";
import { vendors } from "./vendors.js";

export const CHECKS: readonly Check[] = [vendors, findable, shadows, cost, texts, suspicious];
