/** Runs a call of the host's own tool, unless its arguments cannot be read. */

import { kind, reasonOf } from "../base/values.js";
import type { JsonObject, Outcome } from "../types/index.js";

/** The outcome of a call that is decided without the session. */
export function ownOutcome(name: string, args: unknown, server: string | null): Outcome {
  let read = args;
  if (typeof args === "string") {
    try {
      read = args.trim() === "" ? {} : JSON.parse(args);
    } catch (error) {
      return refused(`arguments are not JSON: ${reasonOf(error)}`);
    }
  }
  read ??= {};
  if (typeof read !== "object" || read === null || Array.isArray(read)) {
    return refused(`arguments must be a JSON object, got ${kind(read)}`);
  }
  return { kind: "dispatch", name, server, modelName: name, arguments: read as JsonObject };
}

function refused(message: string): Outcome {
  return { kind: "refused", error: { code: "arguments_invalid", message } };
}
