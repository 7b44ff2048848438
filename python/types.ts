/**
 * Lists the types of the npm package that the Python package has too, with their names in Python.
 * scripts/python-sources.mjs generates toolsift/types.py from this file.
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

/** Whether tools that fit the user's message are loaded ahead: always, in a session's first request, or (None) by profile. */
export type Prefetch = boolean | "first" | null;

/** Options of `ToolSift`. An unknown option is refused. */
export type ToolSiftOptions = Omit<T.ToolSiftOptions, "activation" | "guard"> & {
  /** Overrides the profile's activation. */
  activation?: "on" | "off" | "auto" | Record<string, number>;
};
/** Options for the tools of a server. */
export type SyncOptions = Omit<T.RegisterOptions, "server">;
/** A call of the model. */
export type ToolCall = Omit<T.ToolCall, "args"> & { args?: Record<string, unknown> | string | null };

/** A loaded tool, and the turn of its last use. The beginning of a skill that was loaded ahead is in the prompt. */
export type RevealedTool = T.Snapshot["revealed"][number];
/** The result of registering tools. */
export type RegisterReport = Omit<T.RegisterReport, "quarantined" | "suspicious" | "news">;
/** The result of replacing a server's tools. */
export type SyncReport = Omit<T.SyncReport, "quarantined" | "suspicious" | "news">;
/** A pack: the name of its server, and the number of tools for which it has words. */
export type PackInfo = Omit<Pack, "bytes">;
/** The words of packs for some tools. */
export type PacksFor = Omit<Packs, "problems">;
/** The cost of a server's tools. */
export type ServerCost = T.CatalogSize["servers"][number];
/** The cost of each part of a request. */
export type Parts = T.Size["parts"];
/** The saving of a request, compared with sending all tools. */
export type Saved = T.Size["saved"];
/** The unchanged beginning of the tool list, compared with the request before. */
export type Prefix = T.Size["prefix"];
/** The cost of the tools that may be deferred, and the limit from which they are deferred. */
export type Deferrable = T.Assembly["deferrable"];
/** The tools and the prompt text for a request. Pass `tools` unchanged to the vendor's SDK. */
export type Assembly = Omit<T.Assembly, "tools"> & { tools: T.JsonObject[] };
/** A tool that is deferred unless it is loaded, with its definition in the vendor's form. */
export type HeldBack = { name: string; definition: T.JsonObject };
/** The answer of a discovery tool. Send `content` to the model. */
export type Result = Extract<T.Outcome, { kind: "result" }>;
/** A tool that your program runs. With `skill`, it is a file of a skill: read it with `session.readSkill`. */
export type Dispatch = Extract<T.Outcome, { kind: "dispatch" }>;
/** A refused call: nothing is run. */
export type Refused = Extract<T.Outcome, { kind: "refused" }>;
/** The reason why a call was refused. Send `message` to the model. */
export type Refusal = Refused["error"];
