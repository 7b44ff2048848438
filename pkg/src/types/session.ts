/** Sessions: their scope, the states of tools, limits, and snapshots. */

import type { ProfileName } from "./settings.js";

/**
 * The tools that a session may ever see. Tools outside the scope are never searched, listed, loaded, described or called. A
 * tool is inside if one of the two lists names it. An empty scope contains no tools.
 */
export interface Scope {
  /** Servers whose tools are inside. */
  servers?: string[];
  /**
   * Tools inside, as `"server:tool"`, `"server:*"`, or the bare name that the model sees. A bare name means a tool of your
   * program, or the only tool with this name. A name that tools of several servers have is refused (`name_ambiguous`). If a
   * tool's own name has a colon, write it with the server: `"server:a:b"`.
   */
  tools?: string[];
}

/** Options of `sift.session`. */
export interface SessionOptions {
  /**
   * The scope of a new session. `"all"`, or an absent key, means everything. `session.rescope` changes the scope. A scope
   * that is null or undefined is refused, so that a mistake does not open everything.
   */
  scope?: Scope | "all";
}

/**
 * The state of a tool in a session.
 * `eager`: sent in full, not searched. `pinned`: sent in full from the start, and searched. `revealed`: deferred, then found
 * and loaded. `deferred`: not sent until it is loaded. `hidden`: outside the session's scope.
 */
export type ToolState = "eager" | "pinned" | "revealed" | "deferred" | "hidden";

/** Options of `sift.restore`. */
export interface RestoreOptions extends SessionOptions {
  /** True: the loaded tools become exactly those of the snapshot. False (default): those of the snapshot are added. */
  replace?: boolean | undefined;
}

/** The maximum that remains after an eviction. At least one of the two keys is required. */
export interface EvictOptions {
  /** The maximum number of loaded tools. */
  tools?: number | undefined;
  /** The maximum number of tokens of their definitions, as characters / 4. */
  tokens?: number | undefined;
}

/** The maximum that `session.prefetch` loads. */
export interface PrefetchOptions {
  /** The maximum number of tools. Default 3. */
  tools?: number | undefined;
  /** The maximum number of tokens of their definitions, as characters / 4. Default 1,000. */
  tokens?: number | undefined;
}

/** The identity of a tool: its server (null: your program) and its name there. The model can see another name. */
export interface ToolIdentity {
  server: string | null;
  name: string;
}

/** The state of a session, as a small JSON value. */
export interface Snapshot {
  /** The version of this format. Version 1, which had neither `turn` nor `used`, can be read too. */
  toolsift: 2;
  id: string;
  profile: ProfileName;
  /** Present if the session had a scope. The scope is not in the snapshot: pass it to `restore` again. */
  scoped?: true;
  /** The number of requests that were assembled. */
  turn: number;
  /** In the order of loading; `used` is the turn of the last load or call; `ahead`: the prompt has the skill's beginning. */
  revealed: (ToolIdentity & { used: number; skill?: true; ahead?: true })[];
}
