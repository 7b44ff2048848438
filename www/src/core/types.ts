/** What the core tells the page: plain data that crosses from the worker to the main thread. */
import type {
  Enrichment,
  Outcome,
  ProfileInfo,
  Rejected,
  Repaired,
  NamePolicy,
  SearchResult,
  SettingsInfo,
  Size,
  ToolDefinition,
  ToolInfo,
} from "toolsift";
import type { Example } from "../model/examples.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Named } from "../model/rows.ts";
import type { Step } from "../model/script.ts";
import type { ProfileTable, SettingKey, Settings } from "../model/settings.ts";
import type { Pack } from "../model/source.ts";
import type { Surface } from "../model/surface.ts";

/** A setting that the library refused. The previous setting stays in force. */
export interface Problem {
  setting: SettingKey;
  code: string;
  message: string;
}

/** One server's list, without its definitions. */
export interface SourceView {
  server: string;
  /** The package or file that it came from. */
  from: string;
  /** How it is started or reached, where that is known. */
  start: string | null;
  /** They are functions of the host's own, in the form of a vendor's request, and not a server's. */
  functions: boolean;
  /** What becomes of names that vendors would refuse. */
  names: NamePolicy;
  /** The visitor brought it. */
  own: boolean;
  registered: number;
  rejected: Rejected[];
  repaired: Repaired[];
}

/** One server's list with its definitions: for the other workers, and for the browser to keep. */
export interface KeptList {
  server: string;
  from: string;
  start: string | null;
  names: NamePolicy;
  own: boolean;
  tools: ToolDefinition[];
  words: Enrichment[] | null;
}

/** Words that people use for tools: tools are found by them. */
export interface Words {
  /** Tools that have some. */
  tools: number;
  /** The packs that they are of. */
  packs: Pack[];
}

/** A call of the model, with its answer. */
export interface Exchange {
  /** The number of the request that the model answered with this call. */
  turn: number;
  /** The step of the script that it belongs to. */
  step: number;
  tool: string;
  args: JsonRecord;
  outcome: Outcome;
  /** Tools that the answer names. */
  named: Named;
  /** What a search asks for. */
  query: string | null;
  /** For the newest search: how the ranker came to its answer. */
  insight: SearchResult | null;
  /** Tokens that the model writes for this call. */
  callTokens: number;
  /** Tokens of the call where the model sees the tool itself. */
  directTokens: number;
  /** Tokens of the answer that the model reads. Null for a real call: the host's tool answers it. */
  answerTokens: number | null;
  /** Tokens of the request before and after. */
  before: number;
  after: number;
}

/** What a request has that the request before it had not. */
export interface Change {
  added: string[];
  removed: string[];
  /** Same name, other definition: a stub became a full definition, or the other way round. */
  rewritten: string[];
  prompt: boolean;
}

/** One request to the model and what the model did with it. */
export interface Turn {
  number: number;
  /** What the user says in this request, where the user speaks. */
  said: string | null;
  saidTokens: number;
  /** The call that this request follows, by name. */
  after: string | null;
  size: Size;
  change: Change;
  /** What the request before has in common with this one from its start on: its whole head (tools and prompt), or so many tokens. */
  kept: { whole: boolean; tokens: number };
  active: boolean;
  /** What the model tells the user, where the script has its words. */
  words: string | null;
  /** What the model answers: a call, words for the user, or nothing yet: then the request is not sent yet either. */
  does: Exchange | "answer" | null;
}

/** A step of the script that this profile has no call for, and why. */
export interface Skipped {
  step: number;
  why: string;
}

export interface ConversationView {
  id: string;
  /** Servers that this conversation may not see. */
  excluded: string[];
  /** The steps that were played. */
  script: Step[];
  /** Steps that were undone and can be played again. */
  ahead: Step[];
  turns: Turn[];
  skipped: Skipped[];
  surface: Surface;
  /** Names that the last search found. */
  found: string[];
  /** The last search that found or looked for something. */
  lastSearch: Exchange | null;
  /** Names in the newest request whose definitions were not in the request before. */
  fresh: string[];
  revealed: string[];
  active: boolean;
  size: Size;
  /** Tools that could be deferred, and their tokens. */
  deferrable: { tools: number; tokens: number };
}

/** A conversation that can be played. */
export interface ScriptInfo {
  title: string;
  steps: Step[];
  /** How it was recorded with a real model; absent where it was written. */
  recorded?: string;
}

/** Everything that the views show. A new one follows every change. */
export interface Snapshot {
  version: string;
  opening: "captured" | "example";
  /** Changes whenever the tools do. */
  edition: number;
  profiles: ProfileTable;
  /** As the form shows them; in force unless `problem` is set. */
  settings: Settings;
  /** The settings that the newest requests were assembled with. */
  inForce: Settings;
  problem: Problem | null;
  profile: ProfileInfo;
  /** The value of every axis: the profile's own, with what the settings changed. */
  rules: SettingsInfo;
  /** Pinned names that no tool has. */
  unmatched: string[];
  sources: SourceView[];
  /** Servers whose lists came with the page. */
  gallery: { server: string; from: string; license: string | null; tools: number }[];
  /** The server that was removed last, while it can be brought back. */
  removed: string | null;
  words: Words;
  tools: ToolInfo[];
  conversations: { id: string; requests: number }[];
  current: ConversationView;
  /** Queries to try. */
  examples: Example[];
  scripts: ScriptInfo[];
  /** Whether the engine has work left that can wait: `finish` does it. */
  unfinished: boolean;
  /** Read out to people who do not see the page. */
  announcement: string;
}

/** The payload of one request, in one vendor's format. */
export interface Payload {
  tools: unknown[];
  systemPrompt: string;
}

/** The same, by entry, against the request before it. */
export interface PayloadDiff {
  entries: { name: string; state: "same" | "added" | "removed" | "changed"; before: string | null; after: string | null }[];
  prompt: { before: string; after: string };
}

/** What became of one file or paste. */
export interface Reading {
  name: string;
  /** Tools that were taken of it. */
  taken: number;
  /** Null where it was read. */
  problem: string | null;
}
