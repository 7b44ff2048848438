/**
 * What the Python package tells type checkers: types of the npm package, under the names that they have in Python.
 * scripts/python-sources.mjs writes toolsift/types.py from it.
 */

import type { PackInfo as Pack, PacksFor as Packs } from "../pkg/src/packs/types.js";
import type * as T from "../pkg/src/types/index.js";

export type { MatchedPack } from "../pkg/src/packs/types.js";
export type {
  Budget,
  CallOptions,
  CatalogSize,
  Cost,
  Deferral,
  Disclosure,
  Enrichment,
  EnrichmentReport,
  Explanation,
  HistoryReport,
  Hit,
  HitPart,
  Limits,
  MessageFormat,
  NamePolicy,
  Outcome,
  ProfileName,
  ProfileSettings,
  RegisterOptions,
  Rejected,
  Repaired,
  RestoreOptions,
  SchemaChange,
  Scope,
  Scores,
  SearchOptions,
  SearchResult,
  SearchSettings,
  Selection,
  SessionOptions,
  Size,
  SkillFile,
  Snapshot,
  TextCost,
  ToolAnnotations,
  ToolIdentity,
  ToolInfo,
  ToolRole,
  WireFormat,
} from "../pkg/src/types/index.js";

/** Whether every message of the user's is searched before the model is asked, or a session's first one; None is the profile's default. */
export type Prefetch = boolean | "first" | null;

/** Options of `ToolSift`. Any that is not listed here is refused. */
export type ToolSiftOptions = Omit<T.ToolSiftOptions, "activation" | "guard"> & {
  /** Overrides the profile's activation. */
  activation?: "on" | "off" | "auto" | Record<string, number>;
};
/** How the tools of a server are taken. */
export type SyncOptions = Omit<T.RegisterOptions, "server">;
/** A call of the model. */
export type ToolCall = Omit<T.ToolCall, "args"> & { args?: Record<string, unknown> | string | null };

/** A revealed tool, and the turn of its last use. A skill that was found ahead has its beginning in the prompt. */
export type RevealedTool = T.Snapshot["revealed"][number];
/** What became of tools that were registered. */
export type RegisterReport = Omit<T.RegisterReport, "quarantined" | "suspicious" | "news">;
/** What became of a server's list. */
export type SyncReport = Omit<T.SyncReport, "quarantined" | "suspicious" | "news">;
/** A pack: the server whose tools it is for, and of how many it has words. */
export type PackInfo = Omit<Pack, "bytes">;
/** The words that packs have for some tools. */
export type PacksFor = Omit<Packs, "problems">;
/** What the tools of a server cost. */
export type ServerCost = T.CatalogSize["servers"][number];
/** What a request is made of. */
export type Parts = T.Size["parts"];
/** What a request saves against sending everything. */
export type Saved = T.Size["saved"];
/** How much of the tools of the request before stands unchanged at the beginning of this one. */
export type Prefix = T.Size["prefix"];
/** What may be deferred, and from when on it is. */
export type Deferrable = T.Assembly["deferrable"];
/** Tools and prompt text for a request: `tools` goes to the vendor's SDK as it is. */
export type Assembly = Omit<T.Assembly, "tools"> & { tools: T.JsonObject[] };
/** A tool that is deferred unless it is revealed, with its definition in the vendor's form. */
export type HeldBack = { name: string; definition: T.JsonObject };
/** A discovery tool ran: `content` goes back to the model. */
export type Result = Extract<T.Outcome, { kind: "result" }>;
/** A real tool is to be run. With `skill`, a file of a skill is to be read: `session.readSkill` answers it. */
export type Dispatch = Extract<T.Outcome, { kind: "dispatch" }>;
/** Nothing is to be run. */
export type Refused = Extract<T.Outcome, { kind: "refused" }>;
/** Why a call was refused; `message` goes back to the model. */
export type Refusal = Refused["error"];
