/** The trust rules for new tools and changed tools, by server and tool. */

import { Failure, WRONG_USAGE } from "../base/failure.js";

/**
 * The mode of a rule:
 * - `quarantine`: new tools and changed tools wait for approval
 * - `pin`: new tools are used; changed tools wait for approval
 * - `changes`: new tools and changed tools are used; changes are recorded
 * - `off`: tools are not checked
 */
export type TrustMode = "quarantine" | "pin" | "changes" | "off";

const MODES: readonly TrustMode[] = ["quarantine", "pin", "changes", "off"];
/** The key of the rule for everything that no other rule names. */
const ALL = "*";

/** The mode of each server and tool. */
export interface TrustRules {
  of(server: string, tool: string): TrustMode;
  /** Whether every rule is `off`. */
  isOff: boolean;
}

/**
 * Reads trust rules: one mode for everything, a table such as `{ "*": "pin", "github": "quarantine" }`, or a list such as
 * `["pin", "github=quarantine"]`. A rule for a tool, such as `github:get_issue`, overrides the rule for its server. The
 * default mode is `pin`.
 *
 * @throws Failure if the rules have another form or an unknown mode
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
