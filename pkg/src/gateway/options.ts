/** Checks the options of `gateway()`, and separates the catalog's options from the gateway's own. */

import { oneOf } from "../base/checks.js";
import type { Background } from "../author/background/load.js";
import { type Plan, plansOf } from "../servers/plans.js";
import { checkNoColon } from "../servers/read.js";
import { CATALOG, refuseNothing } from "../door/options.js";
import type { Variables } from "../servers/variables.js";
import { ToolSiftError } from "../base/errors.js";
import { ownFields } from "../base/plain-data.js";
import { aFunction, anObject, anything, type Shape, shaped, trueOrFalse, wholeOf, withMethods } from "../base/shape.js";
import type { ToolSiftOptions } from "../types/index.js";
import type { Defined } from "../types/defined.js";
import { kind, isList } from "../base/values.js";
import type { Effect, GatewayOptions, GatewayRules } from "./types.js";

/**
 * The maximum number of tools, and of their tokens, that a search returns with parameters; the best hit is always returned.
 * With these values `npm run eval -- DIR --gateway` finds the right tool about as often as with the core's 1,000 tokens.
 * Answers stay in the conversation, so they must be short.
 */
const BUDGET = { tools: 5, tokens: 400 };
const DAY = 86_400_000;
const EFFECTS = ["read", "write", "destroy"];

/** The catalog's options without those that the gateway sets itself: its tool list never changes. */
const { profile: _profile, reveal: _reveal, surface: _surface, unrevealedCall: _unrevealedCall, ...OF_CATALOG } = CATALOG;

/** The options of the gateway itself. */
type GatewayOwnOptions = Omit<GatewayOptions, keyof typeof OF_CATALOG>;

/** The options that decide which tools are included. */
export const RULES: Shape<GatewayRules> = { effects: anything, allow: anything, deny: anything };

const OPTIONS: Shape<GatewayOwnOptions> = {
  mcpServers: anything,
  env: anObject,
  ...RULES,
  scope: anything,
  eager: trueOrFalse,
  packs: trueOrFalse,
  enrich: anything,
  idleMs: wholeOf(0, DAY),
  startTimeoutMs: wholeOf(1, 600_000),
  callTimeoutMs: wholeOf(1, DAY),
  callTotalMs: wholeOf(1, DAY),
  maxAnswerChars: wholeOf(1_000, 500_000_000),
  maxRequestBytes: wholeOf(1_000, 500_000_000),
  maxSessions: wholeOf(1, 100_000),
  stateless: trueOrFalse,
  transport: aFunction,
  cache: withMethods("a cache of definitions", "read", "write"),
  trust: withMethods("a trust policy", "review"),
  onEvent: aFunction,
  onProblem: aFunction,
};

const DEFAULTS = {
  scope: "all",
  eager: false,
  packs: true,
  idleMs: 600_000,
  callTimeoutMs: 600_000,
  callTotalMs: 3_600_000,
  maxAnswerChars: 16_000_000,
  maxRequestBytes: 4 << 20,
  maxSessions: 1_000,
  stateless: false,
} as const;

/** The rules that decide which tools are included, and what they do. */
export interface Rules {
  effects: [Pattern, Effect][];
  allow: Pattern[] | undefined;
  deny: Pattern[];
}

/** The checked options. */
export interface GatewaySettings
  extends Rules,
    Required<Defined<Pick<GatewayOptions, keyof typeof DEFAULTS>>>,
    Pick<GatewayOptions, "env" | "enrich" | "startTimeoutMs" | "transport" | "cache" | "trust" | "onEvent" | "onProblem"> {
  plans: Plan[];
  catalog: ToolSiftOptions;
  /** The writer of search words, once it is imported. */
  words?: Background | undefined;
}

/**
 * Checks the options before anything is started.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`
 */
export function settingsOf(options: unknown): GatewaySettings {
  const valid = shaped<GatewayOptions>(options, { ...OF_CATALOG, ...OPTIONS });
  refuseNothing(options as object);
  if (valid.mcpServers === undefined) {
    throw new ToolSiftError(
      "option_invalid",
      "options.mcpServers is missing; pass the servers, such as { github: { url } }",
    );
  }
  const { callTimeoutMs, callTotalMs } = { ...DEFAULTS, ...valid };
  return {
    ...DEFAULTS,
    ...valid,
    callTotalMs: Math.max(callTimeoutMs, callTotalMs),
    plans: serversOf(valid.mcpServers, valid.env),
    catalog: {
      budget: BUDGET,
      ...Object.fromEntries(Object.entries(valid).filter(([key]) => key in OF_CATALOG)),
    },
    ...rulesOf(valid),
  };
}

/**
 * Returns the plans of servers to which the gateway connects itself.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`
 */
export function serversOf(mcpServers: unknown, env: Variables | undefined): Plan[] {
  const plans = plansOf(mcpServers, env);
  for (const { name } of plans) checkNoColon(name);
  const client = plans.find(({ way }) => way.kind === "client");
  if (client === undefined) return plans;
  const what = `options.mcpServers.${client.name.slice(0, 80)} is a client`;
  throw new ToolSiftError("option_invalid", `${what}; the gateway connects by itself: pass a command or a url`);
}

/**
 * Reads the rules that decide which tools are included, and what they do.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function rulesOf({ allow, deny, effects }: GatewayRules): Rules {
  return { allow: patternsOf("allow", allow), deny: patternsOf("deny", deny) ?? [], effects: effectsOf(effects) };
}

function effectsOf(given: unknown): [Pattern, Effect][] {
  if (given === undefined) return [];
  return Object.entries(ownFields("options.effects", given)).map(([pattern, effect]) => {
    const key = `effects.${pattern.slice(0, 80)}`;
    if (effect === undefined || effect === null)
      throw new ToolSiftError("option_invalid", `options.${key} is ${kind(effect)}`);
    oneOf(key, effect, EFFECTS);
    return [patternOf(`a key of options.effects`, pattern), effect as Effect];
  });
}

const MAX_PATTERNS = 1_000;
const CHARS = 512;

/** Checks if a tool of a server matches a pattern. */
export type Pattern = (server: string, tool: string) => boolean;

/**
 * Parses one pattern. A pattern without a colon matches all tools of a server.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function patternOf(what: string, given: unknown): Pattern {
  if (typeof given !== "string" || given === "" || given.length > CHARS) {
    throw new ToolSiftError("option_invalid", `${what} is ${kind(given)}; it must be a text such as "github:*"`);
  }
  // Server and tool are compared separately: a tool's name may contain a colon, and must not match another server.
  const at = given.indexOf(":");
  const [servers, tools] = at < 0 ? [given, "*"] : [given.slice(0, at), given.slice(at + 1)];
  const [ofServer, ofTool] = [servers.split("*"), tools.split("*")];
  return (server, tool) => fits(ofServer, server) && fits(ofTool, tool);
}

/**
 * Parses a list of patterns.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function patternsOf(key: string, given: unknown): Pattern[] | undefined {
  if (given === undefined) return undefined;
  if (!isList(given) || given.length > MAX_PATTERNS) {
    const wanted = `a list of at most ${MAX_PATTERNS} patterns`;
    throw new ToolSiftError("option_invalid", `options.${key} is ${kind(given)}; it must be ${wanted}`);
  }
  return given.map((one, at) => patternOf(`options.${key}[${at}]`, one));
}

/** Checks in linear time if the text begins with the first part, ends with the last, and contains the others in order. */
function fits(parts: readonly string[], text: string): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
