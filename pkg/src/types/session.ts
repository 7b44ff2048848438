/** Sessions: what one may see, where each tool stands in it, and what of it can be kept. */

import type { ProfileName } from "./settings.js";

/**
 * Which tools a session may ever see. Nothing outside it is searched, listed, revealed, described or called. A tool
 * is inside when either list names it; with an empty scope nothing is.
 */
export interface Scope {
  /** Servers whose tools are in. */
  servers?: string[];
  /**
   * `"server:tool"`, `"server:*"`, or the bare name that the model sees: that of your own tool, or of the only tool of that
   * name. One that tools of several servers have is refused (`name_ambiguous`). A tool whose own name holds a colon is named
   * by its server: `"server:a:b"`.
   */
  tools?: string[];
}

/** Options of `sift.session`. */
export interface SessionOptions {
  /**
   * What a new session may ever see; `"all"`, or no such key, for everything. `session.rescope` changes it. A scope that is
   * null or undefined is refused: it must not open everything by mistake.
   */
  scope?: Scope | "all";
}

/**
 * Where a tool stands in a session.
 * `eager`: sent in full, not searched; `pinned`: sent in full from the start and searchable; `revealed`: deferred,
 * found and loaded; `deferred`: not sent until it is; `hidden`: outside the session's scope.
 */
export type ToolState = "eager" | "pinned" | "revealed" | "deferred" | "hidden";

/** Options of `sift.restore`. */
export interface RestoreOptions extends SessionOptions {
  /** The session's reveals become exactly those of the snapshot. Otherwise they are added to what it has. Default false. */
  replace?: boolean | undefined;
}

/** What an eviction leaves at most. At least one of the two is required. */
export interface EvictOptions {
  /** Tools. */
  tools?: number | undefined;
  /** Tokens of their definitions, at four characters each. */
  tokens?: number | undefined;
}

/** How much `session.prefetch` loads at most. */
export interface PrefetchOptions {
  /** Tools. Default 3. */
  tools?: number | undefined;
  /** Tokens of their definitions, at four characters each. Default 1,000. */
  tokens?: number | undefined;
}

/** The identity of a tool: its server (null for a tool of the host) and its name there, whatever name the model sees. */
export interface ToolIdentity {
  server: string | null;
  name: string;
}

/** The state of a session, as a small JSON value. */
export interface Snapshot {
  /** Version of this format. Version 1, which had neither `turn` nor `used`, is read too. */
  toolsift: 2;
  id: string;
  profile: ProfileName;
  /** The session had a scope. It is not in the snapshot: `restore` needs it again. */
  scoped?: true;
  /** Requests that were assembled. */
  turn: number;
  /** In the order in which they were revealed; `used` is the turn of the last use, by the reveal or by a call. A `skill` that was found `ahead` has its beginning in the prompt. */
  revealed: (ToolIdentity & { used: number; skill?: true; ahead?: true })[];
}
