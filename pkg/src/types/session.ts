/** What is a session? What it may see, where each tool stands in it, and what of it can be kept. */

import type { ProfileName } from "./profile.js";

/**
 * Which tools a session may ever see. Nothing outside it is searched, listed, revealed, described or called. A tool
 * is inside when either list names it; without a scope everything is inside, with an empty one nothing is.
 */
export interface Scope {
  /** Servers whose tools are in. */
  servers?: string[];
  /** `"server:tool"`, `"server:*"`, or the bare name that the model sees. */
  tools?: string[];
}

/** Options of `sift.session`. */
export interface SessionOptions {
  /** What the session may ever see. Fixed when the session is opened. */
  scope?: Scope;
}

/**
 * Where a tool stands in a session.
 * `eager`: sent in full, not searched; `pinned`: sent in full from the start and searchable; `revealed`: deferred,
 * found and loaded; `deferred`: held back; `hidden`: outside the session's scope.
 */
export type ToolState = "eager" | "pinned" | "revealed" | "deferred" | "hidden";

/** What a session knows, as a small JSON value. */
export interface Snapshot {
  /** Version of this format. */
  toolsift: 1;
  id: string;
  profile: ProfileName;
  /** In the order in which they were revealed. */
  revealed: { server: string | null; name: string }[];
}
