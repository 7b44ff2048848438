/** Hands scores to the core, which reads them as text: there may be hundreds for every search. */

import { json } from "./boundary.js";
import { own, plain } from "./plain.js";
import { isList } from "./values.js";

/** Options as the core takes them: scores as JSON text, everything else as plain data. */
export function withScores(options: unknown): unknown {
  if (typeof options !== "object" || options === null || isList(options)) return plain("options", options);
  const { scores, ...others } = own("options", options);
  const settings = plain("options", others) as Record<string, unknown>;
  return scores === undefined || scores === null ? settings : { ...settings, scores: json("options.scores", scores) };
}
