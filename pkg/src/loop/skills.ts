/** Reads files of skills in place of the host's own function. */

import type { Session } from "../core/session.js";
import type { Dispatch } from "./types.js";

/** Who runs a dispatch: the session where a file of a skill is to be read, otherwise the host's own function. */
export function runnerOf<E extends ((dispatch: Dispatch, context: any) => unknown) | undefined>(
  session: Session,
  dispatch: Dispatch,
  execute: E,
): E {
  return dispatch.skill === undefined ? execute : ((() => session.readSkill(dispatch)) as unknown as E);
}
