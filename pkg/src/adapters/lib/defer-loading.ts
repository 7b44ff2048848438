/** Finds the tools that a vendor's API defers itself, so that the tool list stays the same when tools are loaded. */

import { ToolSiftError } from "../../base/errors.js";
import { type Shape, trueOrFalse } from "../../base/shape.js";
import type { Session, WireDefinitions, WireFormat } from "../../index.js";

/** The option of adapters whose vendor can defer tools. */
export interface DeferLoading {
  /**
   * True to defer tools with the vendor's own feature: the tool list never changes, so a prompt cache stays valid when a
   * tool is loaded. The model must support it. Default false: a loaded tool is added to the tool list.
   */
  deferLoading?: boolean | undefined;
}

export const DEFER_LOADING: Shape<DeferLoading> = { deferLoading: trueOrFalse };

/**
 * Returns the full definitions of the session's deferred tools by their names, loaded tools included.
 *
 * @throws ToolSiftError `option_conflict` if the session's settings load no tools
 */
export function deferredIn<F extends WireFormat>(session: Session, format: F): Map<string, WireDefinitions[F]> {
  requireLoading(session);
  return new Map(session.heldBack({ format }).map(({ name, definition }) => [name, definition]));
}

/** Checks that the session's settings can load tools. @throws ToolSiftError `option_conflict` if they cannot */
export function requireLoading(session: Session): void {
  const { profile, reveal } = session.settings;
  if (reveal !== "never") return;
  const why = "reveal is never: the model calls tools without loading them";
  throw new ToolSiftError(
    "option_conflict",
    `deferLoading does not go with these settings (profile ${profile}), whose ${why}`,
  );
}
