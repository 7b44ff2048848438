/** Gives arguments the server's names of parameters. The model is shown other ones where some vendor refuses these. */

import { ToolSiftError } from "../base/errors.js";
import type { Session } from "../core/session.js";
import type { ToolInfo } from "../types/index.js";

/** Names that the model was shown, each with the server's. */
export type ParameterNames = ToolInfo["parameterNames"];

/**
 * The names of the parameters of a tool, where the model is shown others than the server's. A session that is not open here knows
 * none: a run that another process began can go on without it.
 */
export function parameterNames(session: Pick<Session, "named">, name: string): ParameterNames {
  try {
    return session.named([name]).get(name)?.parameterNames;
  } catch (error) {
    if (ToolSiftError.is(error) && error.code === "session_closed") return undefined;
    throw error;
  }
}

/** Arguments by the server's names: what a framework hands to a tool itself, without the outcome of the session. */
export function withOwnNames<T>(input: T, names: ParameterNames): T {
  if (names === undefined || typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]);
  return Object.fromEntries(entries) as T;
}
