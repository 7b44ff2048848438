/** The interface by which a catalog asks a guard before it registers definitions. The guard itself is `toolsift/guard`. */

import type { Core } from "./bindings.js";
import type { WrittenList } from "./written-list.js";
import { ToolSiftError } from "../base/errors.js";
import type { RegisterReport, SearchResult, SyncReport } from "../types/index.js";
import { kind } from "../base/values.js";

/** The owner of tools: the number of the core, and the number of a session (0 for the shared tools). */
export interface Owner {
  core: number;
  sessionNumber: number;
}

/** A list that was passed to a catalog. */
export interface SubmittedList<Report> {
  owner: Owner;
  /** The options of the registration; not fully checked yet. */
  settings: unknown;
  /** True if the list has all tools of its server. */
  whole: boolean;
  list: WrittenList;
  /** Registers the remaining list. The places in the report are those of the original list. */
  take(list: WrittenList): Report;
  /** The catalog that registers the tools. A guard that exists longer than the catalog must not keep it alive. */
  catalog: object;
  /** Registers an entry later, with the options of the entry at this place of the list. */
  later(catalog: object, text: string, place: number): RegisterReport;
  /** Checks if the catalog has a tool that was registered under this server and name. */
  has(tool: Tool): boolean;
}

/** A tool, named as its server lists it. */
export interface Tool {
  server: string;
  name: string;
}

/** The part of a catalog that a search of quarantined tools needs. */
export interface Catalog {
  number: number;
  /** Makes another, empty catalog. */
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
  /** Checks if the session may see a tool of a server. */
  admits(tool: Tool): boolean;
}

/** The methods that a guard offers to a catalog. */
export interface Reviewer {
  /** Registers the part of a list that may be registered. */
  review<Report extends RegisterReport | SyncReport>(submitted: SubmittedList<Report>): Report;
  /** Returns a text for the model if its search would have found quarantined tools; otherwise undefined. */
  awaited(search: AwaitedSearch): string | undefined;
  /** Reports that tools were removed. */
  removed(owner: Owner, which: { server?: string; names?: readonly string[] }): void;
  /** Reports that a session with its own tools is gone, or, with the number 0, a whole `ToolSift`. */
  gone(owner: Owner): void;
}

/** The key under which a guard has its reviewer; the same in every bundle. */
export const REVIEWER = Symbol.for("toolsift.guard");

/**
 * Returns the reviewer of the option `guard`.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function reviewerOf(guard: unknown): Reviewer | undefined {
  if (guard === undefined) return undefined;
  const made = (Object(guard) as { [REVIEWER]?: Reviewer })[REVIEWER];
  if (made !== undefined) return made;
  throw new ToolSiftError("option_invalid", `options.guard is ${kind(guard)}; it must come from guard() of toolsift/guard`);
}
