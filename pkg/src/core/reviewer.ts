/** How a catalog asks a guard about definitions before it takes them. The guard itself is `toolsift/guard`. */

import type { Core } from "./bindings.js";
import type { WrittenList } from "./written-list.js";
import { ToolSiftError } from "../base/errors.js";
import type { RegisterReport, SearchResult, SyncReport } from "../types/index.js";
import { kind } from "../base/values.js";

/** Whose tools they are: a number for the core, and the number of a session, or 0 for the shared tools. */
export interface Owner {
  core: number;
  sessionNumber: number;
}

/** A list that a catalog was given. */
export interface SubmittedList<Report> {
  owner: Owner;
  /** The options of the registration, as far as they are known to be right. */
  settings: unknown;
  /** Whether the list is all that its server has. */
  whole: boolean;
  list: WrittenList;
  /** Takes what is left of the list, and tells places as they are in it. */
  take(list: WrittenList): Report;
  /** What the tools are registered in. A guard that outlives it must not keep it alive. */
  catalog: object;
  /** Registers an entry later, as that of a place of the list would have been. */
  later(catalog: object, text: string, place: number): RegisterReport;
  /** Whether the catalog has a tool that was registered under a server and a name. */
  has(tool: Tool): boolean;
}

/** A tool as its server lists it. */
export interface Tool {
  server: string;
  name: string;
}

/** A catalog, as far as a search for what waits needs it. */
export interface Catalog {
  number: number;
  /** Makes an empty one beside it. */
  beside(): Catalog;
  use<T>(method: (core: Core) => T): T;
  search(query: string, options: unknown): SearchResult;
  dispose(): void;
}

/** A search of a model. */
export interface AwaitedSearch {
  catalog: Catalog;
  sessionNumber: number;
  /** The arguments of the call, as the model wrote them. */
  args: unknown;
  /** Whether the session may see a tool of a server. */
  admits(tool: Tool): boolean;
}

/** What a guard offers to a catalog. */
export interface Reviewer {
  /** Has the catalog take what may be taken of a list. */
  review<Report extends RegisterReport | SyncReport>(submitted: SubmittedList<Report>): Report;
  /** What a model is told whose search would have found tools that wait; undefined where it would have found none. */
  awaited(search: AwaitedSearch): string | undefined;
  /** Tools were removed. */
  removed(owner: Owner, which: { server?: string; names?: readonly string[] }): void;
  /** A session that had tools of its own, or with the number 0 a whole `ToolSift`, is gone. */
  gone(owner: Owner): void;
}

/** Where a guard has it; the same in every bundle. */
export const REVIEWER = Symbol.for("toolsift.guard");

/**
 * That of the option `guard`.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function reviewerOf(guard: unknown): Reviewer | undefined {
  if (guard === undefined) return undefined;
  const made = (Object(guard) as { [REVIEWER]?: Reviewer })[REVIEWER];
  if (made !== undefined) return made;
  throw new ToolSiftError("option_invalid", `options.guard is ${kind(guard)}; it must come from guard() of toolsift/guard`);
}
