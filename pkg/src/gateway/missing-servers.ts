/** Says which servers cannot answer, before the answer of a search. */

import { foreign } from "../trust/foreign.js";

/** Servers that are named. */
const MOST_TOLD = 10;
/** A reason why a server is missing. */
const REASON_CHARS = 100;

/** A server that cannot answer now. */
export interface Down {
  name: string;
  /** The error, in the server's words or its transport's. */
  reason: string;
  /** Whether it is only being started, which the gateway says itself. */
  isStarting?: boolean;
}

/** What a model is told of them; undefined where there are none. */
export function downText(down: readonly Down[]): string | undefined {
  if (down.length === 0) return undefined;
  const named = down.slice(0, MOST_TOLD).map(({ name, reason, isStarting }) => {
    return `${name} (${isStarting ? reason : JSON.stringify(brief(reason))})`;
  });
  const more = down.length > named.length ? ` and ${down.length - named.length} more` : "";
  return `Not available now, so their tools may be missing: ${named.join("; ")}${more}.`;
}

/** The error without the server's output: that is for people, and costs tokens in every answer. */
function brief(reason: string): string {
  const [firstLine = ""] = reason.split(/; it wrote:|\n/, 1);
  return foreign(firstLine, REASON_CHARS, "line");
}
