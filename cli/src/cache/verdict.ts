/** What three requests say of a cache, and which surface goes with it. */

import type { Usage } from "./apis.js";

/** What a cache does at a reveal. */
export interface Verdict {
  /** Shares of the request before that came from the cache: without a reveal, and after one. */
  before: number | undefined;
  after: number | undefined;
  /** `lost`: a reveal costs what was kept; `kept`: it does not; `none`: nothing is cached; `unknown`: the replies do not say. */
  cache: "lost" | "kept" | "none" | "unknown";
  /** The surface to choose. */
  surface: "growing" | "constant";
}

/** Below this share nothing of use is kept. */
const LEAST = 0.1;
/**
 * A constant surface sends some 5 % more tokens. In the conversation of lab/REPORT.md that is a tenth of what the reveals
 * cost there, so that it pays from a tenth of the loss on.
 */
const NOTICED = 0.1;

/** The verdict on the usage of the three requests. */
export function verdictOf([first, second, third]: readonly Usage[]): Verdict {
  const before = keptOf(second, first);
  const after = keptOf(third, second);
  if (before === undefined || after === undefined) return { before, after, cache: "unknown", surface: "growing" };
  if (before < LEAST && after < LEAST) return { before, after, cache: "none", surface: "growing" };
  const isLost = after < (1 - NOTICED) * before;
  return { before, after, cache: isLost ? "lost" : "kept", surface: isLost ? "constant" : "growing" };
}

function keptOf(request: Usage | undefined, earlier: Usage | undefined): number | undefined {
  if (request?.cached === undefined || earlier === undefined || earlier.input === 0) return undefined;
  return Math.min(1, request.cached / earlier.input);
}
