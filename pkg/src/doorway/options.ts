/** Checks the options of `toolsift()`, and parts those of the catalog from those of the door. */

import type { Ready } from "../adapters/mcp/begin.js";
import type { McpOptions } from "../adapters/mcp/types.js";
import { able, callable, known, whole } from "../checks.js";
import { flag } from "../flag.js";
import { ToolSiftError } from "../errors.js";
import { answerBound } from "../loop/bound.js";
import { patienceOf } from "../loop/driver.js";
import type { ToolSiftOptions } from "../types.js";
import { kind } from "../values.js";
import { type Plan, plansOf } from "../servers/plans.js";
import type { DoorwayOptions } from "./types.js";
import type { Variables } from "../servers/variables.js";

/** The compiler holds this list to be exactly the options of `ToolSift`. */
const CATALOG: Record<keyof ToolSiftOptions, true> = {
  profile: true,
  config: true,
  contextWindow: true,
  countTokens: true,
  activation: true,
  deferral: true,
  disclosure: true,
  stubWhen: true,
  reveal: true,
  budget: true,
  unrevealedCall: true,
  outOfScope: true,
  preDiscovered: true,
  alwaysAvailable: true,
  specialCategories: true,
  search: true,
  searchesPerMinute: true,
  synonyms: true,
  aliases: true,
  categories: true,
  selection: true,
  limits: true,
  guard: true,
};

/** The names of the options of `ToolSift`. */
export const CATALOG_OPTIONS: readonly string[] = Object.keys(CATALOG);

/** The compiler holds this list to be exactly the options that a door has beside those. */
const DOOR: Record<Exclude<keyof DoorwayOptions, keyof ToolSiftOptions>, true> = {
  mcpServers: true,
  env: true,
  sift: true,
  execute: true,
  mcp: true,
  packs: true,
  enrich: true,
  startTimeoutMs: true,
  ready: true,
  onStatus: true,
  patience: true,
  maxAnswerChars: true,
  readOn: true,
  onEvent: true,
  rank: true,
  rankTimeoutMs: true,
};

/** Longer than servers need that are installed, and about as long as people wait. */
const READY_MS = 10_000;
const LONGEST_MS = 600_000;

const MCP = [
  "timeoutMs",
  "callTimeoutMs",
  "callTotalMs",
  "maxTools",
  "names",
  "deferral",
  "category",
  "enrichment",
  "trustServerHints",
];

/** Options that were checked. */
export interface Settings extends Pick<DoorwayOptions, "sift" | "execute" | "onStatus"> {
  plans: Plan[];
  catalog: ToolSiftOptions;
  mcp: McpOptions;
  startTimeoutMs: number;
  ready: Ready;
}

/** Options that were checked, with the version of the package, by which a server knows it. */
export interface Versioned extends Settings {
  version: string;
}

/** Where nothing stands for a value by mistake, more would be open than was meant, or counted otherwise. */
export function refuseNothing(options: object): void {
  const given = options as Record<string, unknown>;
  const key = ["selection", "countTokens"].find((one) => given[one] === null);
  if (key === undefined) return;
  throw new ToolSiftError("option_invalid", `options.${key} is null; leave it out to take the default`);
}

/**
 * Checks what can be checked before anything is started.
 *
 * @param more the names of the options that only one SDK's door has
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`
 */
export function settingsOf(options: DoorwayOptions, more: readonly string[]): Settings {
  const said = known(options, [...Object.keys(DOOR), ...CATALOG_OPTIONS, ...more]) as DoorwayOptions;
  const {
    mcpServers = {},
    env,
    sift,
    execute,
    mcp = {},
    packs,
    enrich,
    startTimeoutMs = 60_000,
    ready = READY_MS,
    onStatus,
  } = said;
  flag("packs", packs);
  callable("execute", execute, true);
  callable("onStatus", onStatus, true);
  callable("onEvent", said.onEvent, true);
  patienceOf(said.patience);
  answerBound(said);
  if (sift !== undefined) able("options.sift", sift, ["register", "session", "sync"], "a ToolSift");
  const catalog: ToolSiftOptions = Object.fromEntries(Object.entries(said).filter(([key]) => key in CATALOG));
  refuseNothing(options);
  const [clash] = Object.keys(catalog);
  if (sift !== undefined && clash !== undefined) {
    const message = `options.${clash} is an option of the catalog, and options.sift is a catalog; pass one of them`;
    throw new ToolSiftError("option_conflict", message);
  }
  if (env !== undefined && typeof env !== "object") {
    throw new ToolSiftError("option_invalid", `options.env is ${kind(env)}; it must be an object of texts`);
  }
  return {
    sift,
    execute,
    onStatus,
    catalog,
    mcp: {
      ...known(mcp, MCP, "options.mcp"),
      ...(packs !== undefined && { packs }),
      ...(enrich !== undefined && { enrich }),
    } as McpOptions,
    plans: plansOf(mcpServers, env as Variables | undefined),
    startTimeoutMs: whole("startTimeoutMs", startTimeoutMs, 1, LONGEST_MS),
    ready: readyOf(ready),
  };
}

function readyOf(ready: unknown): Ready {
  if (ready === "all" || ready === "any") return ready;
  if (typeof ready === "number") return whole("ready", ready, 0, LONGEST_MS);
  const is = typeof ready === "string" ? JSON.stringify(ready.slice(0, 80)) : kind(ready);
  throw new ToolSiftError("option_invalid", `options.ready is ${is}; it must be "all", "any" or a number of milliseconds`);
}
