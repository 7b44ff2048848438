/** Checks the options where a host passes them, before anything is sent. */

import { aFunction, anObject, oneNameOf, type Shape, shaped } from "../../shape.js";
import type { MessagesOptions } from "./types.js";

const OPTIONS: Shape<MessagesOptions> = {
  mode: oneNameOf("plain", "client", "hosted", "auto"),
  hostedSearch: oneNameOf("bm25", "regex"),
  supportsHosted: aFunction,
  toolsCache: anObject,
  onStreamEvent: aFunction,
};

/** The options that have a value. Refuses unknown options and values of the wrong type. */
export function optionsIn(options: MessagesOptions): MessagesOptions {
  return shaped(options, OPTIONS);
}
