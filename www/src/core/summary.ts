/** A call's outcome in a sentence. */
import { count, plural } from "../model/numbers.ts";
import type { Exchange } from "./types.ts";

export function summaryOf({ tool, outcome, insight, named, before, after }: Exchange): string {
  if (outcome.kind === "dispatch") {
    return tool === outcome.modelName ? `The host runs ${outcome.name}.` : `Unwrapped: the host runs ${outcome.name}.`;
  }
  if (outcome.kind === "refused") return `Refused: ${outcome.error.message}`;
  if (outcome.isError) return "The call was wrong; the answer says how.";
  const cost =
    after === before
      ? "The next request has the same tools."
      : `The tools of the next request take ${count(after)} tokens, before ${count(before)}.`;
  if (outcome.revealed.length > 0) return `Revealed ${outcome.revealed.join(", ")}. ${cost}`;
  const found = named.rows.length;
  if (insight && found === 0) return `No tool found. ${cost}`;
  if (insight?.confidence === "none") return `Nothing clearly fits; ${plural(found, "tool")} came nearest. ${cost}`;
  return found > 0 ? `${plural(found, "tool")} found. ${cost}` : cost;
}
