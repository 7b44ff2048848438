/** Gives arguments the server's names of parameters. The model is shown other ones where some vendor refuses these. */

import type { Session } from "../session.js";
import type { ToolInfo } from "../types.js";

/** Names that the model was shown, each with the server's. */
export type ParameterNames = ToolInfo["parameterNames"];

/** The names of the parameters of a tool, where the model is shown others than the server's. */
export function parameterNames(session: Pick<Session, "named">, name: string): ParameterNames {
  return session.named([name]).get(name)?.parameterNames;
}

/** Arguments by the server's names: what a framework hands to a tool itself, without the outcome of the session. */
export function withOwnNames<T>(input: T, names: ParameterNames): T {
  if (names === undefined || typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]);
  return Object.fromEntries(entries) as T;
}
