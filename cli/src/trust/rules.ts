/** The rules for new tools and for changed ones, by server and tool. */

import { Failure, WRONG_USAGE } from "../base/failure.js";

/**
 * - `quarantine`: a tool that is new waits for approval before it is first used, and so does one that changes;
 * - `pin`: a tool that is new is admitted, and one that changes waits for approval;
 * - `changes`: both are admitted, and a change is noted;
 * - `off`: the tools are not looked at.
 */
export type TrustMode = "quarantine" | "pin" | "changes" | "off";

const MODES: readonly TrustMode[] = ["quarantine", "pin", "changes", "off"];
/** The rule for what no other rule names. */
const ALL = "*";

/** The mode of each server and tool. */
export interface TrustRules {
  of(server: string, tool: string): TrustMode;
  /** Whether no rule looks at any tool. */
  isOff: boolean;
}

/**
 * Reads one mode for everything, a table such as `{ "*": "pin", "github": "quarantine", "github:get_issue": "changes" }`, or
 * the same as texts: `["pin", "github=quarantine"]`. A rule for a tool goes before one for its server. Without a rule it is `pin`.
 *
 * @throws Failure for anything else
 */
export function trustRules(given: unknown): TrustRules {
  const table = new Map(entriesOf(given).map(([key, mode]) => [key, modeOf(key, mode)]));
  const rest = table.get(ALL) ?? "pin";
  return {
    of: (server, tool) => table.get(`${server}:${tool}`) ?? table.get(server) ?? rest,
    isOff: rest === "off" && [...table.values()].every((mode) => mode === "off"),
  };
}

function entriesOf(given: unknown): [string, unknown][] {
  if (given === undefined) return [];
  if (typeof given === "string") return [ruleOf(given)];
  if (Array.isArray(given)) return given.map((text) => (typeof text === "string" ? ruleOf(text) : [ALL, text]));
  if (typeof given === "object" && given !== null) return Object.entries(given);
  return [[ALL, given]];
}

function ruleOf(text: string): [string, string] {
  const at = text.lastIndexOf("=");
  return at < 0 ? [ALL, text] : [text.slice(0, at), text.slice(at + 1)];
}

function modeOf(key: string, mode: unknown): TrustMode {
  const known = MODES.find((one) => one === mode);
  if (known !== undefined) return known;
  const what = key === ALL ? "trust" : `trust of ${key}`;
  throw new Failure(`${what} is ${JSON.stringify(mode)}; it must be one of ${MODES.join(", ")}`, WRONG_USAGE);
}
