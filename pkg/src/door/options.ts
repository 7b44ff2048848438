/** Checks the options of `toolsift()`, and separates the catalog's options from the others. */

import type { McpOptions } from "../mcp/types.js";
import { SERVER } from "../mcp/options.js";
import { whole } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { AHEAD } from "../loop/ahead.js";
import { DRIVING } from "../loop/driver.js";
import { aFunction, anObject, anything, type Shape, shaped, trueOrFalse, wholeOf, withMethods } from "../base/shape.js";
import type { ToolSiftOptions } from "../types/index.js";
import { kind } from "../base/values.js";
import { type Plan, plansOf } from "../servers/plans.js";
import type { DoorwayOptions } from "./types.js";

/** The shape of the options of `ToolSift`, which the core checks. */
export const CATALOG: Shape<ToolSiftOptions> = {
  profile: anything,
  contextWindow: anything,
  countTokens: anything,
  activation: anything,
  deferral: anything,
  disclosure: anything,
  stubWhen: anything,
  reveal: anything,
  surface: anything,
  budget: anything,
  unrevealedCall: anything,
  outOfScope: anything,
  preDiscovered: anything,
  alwaysAvailable: anything,
  search: anything,
  searchesPerMinute: anything,
  synonyms: anything,
  translations: anything,
  aliases: anything,
  categories: anything,
  selection: anything,
  limits: anything,
  guard: anything,
};

/** The default of `ready`, in ms: longer than installed servers need, and about as long as people wait. */
const READY_MS = 10_000;
const LONGEST_MS = 600_000;

const { packs: _, ...OF_SERVERS } = SERVER;
const MCP: Shape<NonNullable<DoorwayOptions["mcp"]>> = { ...OF_SERVERS, onProblem: aFunction };

const DOOR: Shape<Omit<DoorwayOptions, keyof ToolSiftOptions>> = {
  ...AHEAD,
  ...DRIVING,
  mcpServers: anything,
  env: anObject,
  sift: withMethods("a ToolSift", "register", "session", "sync"),
  execute: aFunction,
  mcp: anything,
  packs: trueOrFalse,
  skills: anything,
  enrich: anything,
  startTimeoutMs: wholeOf(1, LONGEST_MS),
  ready: checkReady,
  onStatus: aFunction,
};

/** The checked options. */
export interface DoorwaySettings extends Pick<DoorwayOptions, "sift" | "execute" | "onStatus" | "skills"> {
  plans: Plan[];
  catalog: ToolSiftOptions;
  mcp: McpOptions;
  startTimeoutMs: number | undefined;
  ready: NonNullable<DoorwayOptions["ready"]>;
}

/** The checked options, with the version of the package, which is sent to servers. */
export interface Versioned extends DoorwaySettings {
  version: string;
}

/**
 * Refuses null for two options, because it is probably a mistake. If null meant the default, `selection` would admit every
 * tool, and `countTokens` would count differently.
 */
export function refuseNothing(options: object): void {
  const given = options as Record<string, unknown>;
  const key = ["selection", "countTokens"].find((one) => given[one] === null);
  if (key === undefined) return;
  throw new ToolSiftError("option_invalid", `options.${key} is null; leave it out to take the default`);
}

/**
 * Checks all options that can be checked before anything is started.
 *
 * @param own the shape of the options that only one SDK's adapter has
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`
 */
export function settingsOf(options: DoorwayOptions, own: object): DoorwaySettings {
  const valid = shaped<DoorwayOptions>(options, { ...own, ...DOOR, ...CATALOG });
  const { mcpServers = {}, env, sift, execute, mcp = {}, packs, enrich, startTimeoutMs, ready = READY_MS } = valid;
  const catalog: ToolSiftOptions = Object.fromEntries(Object.entries(valid).filter(([key]) => key in CATALOG));
  refuseNothing(options);
  const [clash] = Object.keys(catalog);
  if (sift !== undefined && clash !== undefined) {
    const message = `options.${clash} is an option of the catalog, and options.sift is a catalog; pass one of them`;
    throw new ToolSiftError("option_conflict", message);
  }
  return {
    sift,
    execute,
    onStatus: valid.onStatus,
    skills: valid.skills,
    catalog,
    mcp: {
      ...shaped(mcp, MCP, "options.mcp"),
      ...(packs !== undefined && { packs }),
      ...(enrich !== undefined && { enrich }),
    },
    plans: plansOf(mcpServers, env),
    startTimeoutMs,
    ready,
  };
}

function checkReady(key: string, value: unknown): void {
  if (value === "all" || value === "any") return;
  if (typeof value === "number") return void whole(key, value, 0, LONGEST_MS);
  const is = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : kind(value);
  throw new ToolSiftError("option_invalid", `options.${key} is ${is}; it must be "all", "any" or a number of milliseconds`);
}
