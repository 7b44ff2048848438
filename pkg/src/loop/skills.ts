/** Reads files of skills instead of calling your program's function. */

import type { Session } from "../core/session.js";
import type { Dispatch } from "./types.js";

/** Returns the function that runs a dispatch: the session's skill reader if it has `skill`, else your program's function. */
export function runnerOf<E extends ((dispatch: Dispatch, context: any) => unknown) | undefined>(
  session: Session,
  dispatch: Dispatch,
  execute: E,
): E {
  return dispatch.skill === undefined ? execute : ((() => session.readSkill(dispatch)) as unknown as E);
}
