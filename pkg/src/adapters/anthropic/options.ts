/** Checks the options where a host passes them, before anything is sent. */

import { kind } from "../../values.js";
import { callable, known, oneOf } from "../../checks.js";
import { wrong } from "../lib/params.js";
import type { MessagesOptions } from "./types.js";

const OPTIONS = ["mode", "hostedSearch", "supportsHosted", "toolsCache", "onStreamEvent"];
const MODES = ["plain", "client", "hosted", "auto"];
const SEARCHES = ["bm25", "regex"];

/** The options that have a value. Refuses unknown options and values of the wrong type. */
export function optionsIn(options: MessagesOptions): MessagesOptions {
  const read = known(options, OPTIONS);
  const { mode, hostedSearch, supportsHosted, toolsCache, onStreamEvent } = read;
  oneOf("mode", mode, MODES);
  oneOf("hostedSearch", hostedSearch, SEARCHES);
  callable("supportsHosted", supportsHosted, true);
  callable("onStreamEvent", onStreamEvent, true);
  if (toolsCache !== undefined && (typeof toolsCache !== "object" || Array.isArray(toolsCache))) {
    throw wrong(`options.toolsCache is ${kind(toolsCache)}; it must be an object, such as { type: "ephemeral" }`);
  }
  return read;
}
