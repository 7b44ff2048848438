/** Maps parameter names back to the server's. The model was shown other names, because some vendor refuses the server's. */

import { ToolSiftError } from "../base/errors.js";
import type { Session } from "../core/session.js";
import type { ToolInfo } from "../types/index.js";

/** The parameter names that the model was shown, each with the server's name. */
export type ParameterNames = ToolInfo["parameterNames"];

/**
 * Returns the changed parameter names of a tool; undefined if none was changed, or if the session is not open here. So a run
 * that another process began can continue without its session.
 */
export function parameterNames(session: Pick<Session, "named">, name: string): ParameterNames {
  try {
    return session.named([name]).get(name)?.parameterNames;
  } catch (error) {
    if (ToolSiftError.is(error) && error.code === "session_closed") return undefined;
    throw error;
  }
}

/** Returns arguments with the server's names, for frameworks that call a tool without the session's outcome. */
export function withOwnNames<T>(input: T, names: ParameterNames): T {
  if (names === undefined || typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]);
  return Object.fromEntries(entries) as T;
}
