/** Checks the options of `gateway()`, and parts those of the catalog from those of the gateway. */

import { able, callable, known, missing, oneOf, whole } from "../checks.js";
import { flag } from "../flag.js";
import { type Plan, plansOf } from "../servers/plans.js";
import { CATALOG_OPTIONS, refuseNothing } from "../doorway/options.js";
import type { Variables } from "../servers/variables.js";
import { ToolSiftError } from "../errors.js";
import { own } from "../plain.js";
import type { ToolSiftOptions } from "../types.js";
import { kind } from "../values.js";
import { type Pattern, patternOf, patternsOf } from "./patterns.js";
import type { Effect, GatewayOptions, GatewayRules } from "./types.js";

const GATEWAY = [
  "mcpServers",
  "env",
  "calls",
  "effects",
  "allow",
  "deny",
  "scope",
  "reveal",
  "eager",
  "packs",
  "idleMs",
  "startTimeoutMs",
  "callTimeoutMs",
  "maxAnswerChars",
  "maxSessions",
  "stateless",
  "transport",
  "cache",
  "trust",
  "onEvent",
  "onProblem",
];
/** What the gateway itself decides: a constant surface reveals nothing, and calls through it need no reveal. */
const OURS = ["reveal", "unrevealedCall", "config"];
/**
 * What a search tells with parameters at most; the best hit is told whatever it takes. `npm run eval -- DIR --gateway`
 * finds the right tool among them about as often as with the core's 1,000 tokens. An answer stays in the conversation, so it
 * must be short.
 */
const BUDGET = { tools: 5, tokens: 400 };
const DAY = 86_400_000;
const EFFECTS = ["read", "write", "destroy"];

/** Which tools take part, and what they do. */
export interface Rules {
  effects: [Pattern, Effect][];
  allow: Pattern[] | undefined;
  deny: Pattern[];
}

/** Options that were checked. */
export interface Settings extends Rules {
  plans: Plan[];
  env: Variables | undefined;
  catalog: ToolSiftOptions;
  calls: "by-effect" | "one";
  scope: NonNullable<GatewayOptions["scope"]>;
  reveal: boolean;
  eager: boolean;
  packs: boolean;
  idleMs: number;
  startTimeoutMs: number;
  callTimeoutMs: number;
  maxAnswerChars: number;
  maxSessions: number;
  stateless: boolean;
  transport: GatewayOptions["transport"];
  cache: GatewayOptions["cache"];
  trust: GatewayOptions["trust"];
  onEvent: GatewayOptions["onEvent"];
  onProblem: GatewayOptions["onProblem"];
}

/**
 * Checks the options before anything is started.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`
 */
export function settingsOf(options: unknown): Settings {
  const catalogKeys = CATALOG_OPTIONS.filter((key) => !OURS.includes(key));
  const said = known(options, [...GATEWAY, ...catalogKeys]) as unknown as GatewayOptions & Record<string, unknown>;
  refuseNothing(options as object);
  if (said.mcpServers === undefined) {
    throw new ToolSiftError(
      "option_invalid",
      "options.mcpServers is missing; pass the servers, such as { github: { url } }",
    );
  }
  for (const key of ["transport", "onEvent", "onProblem"]) callable(key, said[key], true);
  if (said.trust !== undefined) able("options.trust", said.trust, ["review"], "a trust policy");
  if (said.cache !== undefined) able("options.cache", said.cache, ["read", "write"], "a cache of definitions");
  oneOf("calls", said.calls, ["by-effect", "one"]);
  for (const key of ["reveal", "eager", "packs", "stateless"]) flag(key, said[key]);
  if (said.env !== undefined && typeof said.env !== "object") {
    throw new ToolSiftError("option_invalid", `options.env is ${kind(said.env)}; it must be an object of texts`);
  }
  const { scope = "all" } = said;
  if (scope === null) throw missing("options.scope", scope);
  const plans = serversOf(said.mcpServers, said.env as Variables | undefined);
  return {
    plans,
    env: said.env as Variables | undefined,
    catalog: {
      budget: BUDGET,
      ...Object.fromEntries(Object.entries(said).filter(([key]) => catalogKeys.includes(key as never))),
    },
    calls: said.calls ?? "by-effect",
    ...rulesOf(said),
    scope,
    reveal: said.reveal ?? false,
    eager: said.eager ?? false,
    packs: said.packs ?? true,
    idleMs: whole("idleMs", said.idleMs ?? 600_000, 0, DAY),
    startTimeoutMs: whole("startTimeoutMs", said.startTimeoutMs ?? 60_000, 1, 600_000),
    callTimeoutMs: whole("callTimeoutMs", said.callTimeoutMs ?? 600_000, 1, DAY),
    maxAnswerChars: whole("maxAnswerChars", said.maxAnswerChars ?? 16_000_000, 1_000, 500_000_000),
    maxSessions: whole("maxSessions", said.maxSessions ?? 1_000, 1, 100_000),
    stateless: said.stateless ?? false,
    transport: said.transport,
    cache: said.cache,
    trust: said.trust,
    onEvent: said.onEvent,
    onProblem: said.onProblem,
  };
}

/**
 * The plans of servers that the gateway reaches by itself.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`
 */
export function serversOf(mcpServers: unknown, env: Variables | undefined): Plan[] {
  const plans = plansOf(mcpServers, env);
  const split = plans.find(({ name }) => name.includes(":"));
  if (split !== undefined) {
    const why = "its name has a colon, which separates server and tool in scopes and rules; give it another name";
    throw new ToolSiftError("option_invalid", `options.mcpServers holds ${JSON.stringify(split.name.slice(0, 80))}: ${why}`);
  }
  const client = plans.find(({ way }) => way.kind === "client");
  if (client === undefined) return plans;
  const what = `options.mcpServers.${client.name.slice(0, 80)} is a client`;
  throw new ToolSiftError("option_invalid", `${what}; the gateway connects by itself: pass a command or a url`);
}

/**
 * Reads which tools take part, and what they do.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function rulesOf({ allow, deny, effects }: GatewayRules): Rules {
  return { allow: patternsOf("allow", allow), deny: patternsOf("deny", deny) ?? [], effects: effectsOf(effects) };
}

function effectsOf(given: unknown): [Pattern, Effect][] {
  if (given === undefined) return [];
  return Object.entries(own("options.effects", given)).map(([pattern, effect]) => {
    const key = `effects.${pattern.slice(0, 80)}`;
    if (effect === undefined || effect === null)
      throw new ToolSiftError("option_invalid", `options.${key} is ${kind(effect)}`);
    oneOf(key, effect, EFFECTS);
    return [patternOf(`a key of options.effects`, pattern), effect as Effect];
  });
}
