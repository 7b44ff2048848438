/** The token of this user's gateways over HTTP: made once, kept so that only the user can read it, the same after a restart. */

import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "./failure.js";
import { home, readIfThere, writePrivately } from "./home.js";
import { withLock } from "./lock.js";

/** A shorter token could be guessed. */
const MIN_TOKEN_CHARS = 16;

/** A token, and what became of its file. */
export interface KeptToken {
  token: string;
  file: string;
  /** Whether it was made just now. */
  isNew: boolean;
  /** Why it could not be kept: it is this process' alone. */
  problem?: string;
}

/**
 * The token of the user's gateways; makes one where there is none.
 *
 * @param folder the folder of toolsift's state
 * @param isKept whether one that is made is written
 * @throws Error where the file cannot be read, or holds something that is no token
 */
export async function keptToken(folder = home(), isKept = true): Promise<KeptToken> {
  const file = join(folder, "http-token");
  const kept = async (): Promise<KeptToken | undefined> => {
    const token = (await readIfThere(file))?.trim();
    if (token === undefined) return undefined;
    checkToken(token, `what stands in ${file} (delete it for a new one)`);
    await chmod(file, 0o600).catch(() => {});
    return { token, file, isNew: false };
  };
  const known = await kept();
  if (known !== undefined) return known;
  const made: KeptToken = { token: randomBytes(24).toString("base64url"), file, isNew: true };
  if (!isKept) return made;
  const make = async () => {
    const others = await kept();
    if (others === undefined) await writePrivately(file, `${made.token}\n`);
    return others ?? made;
  };
  return withLock(file, make).catch((error: unknown) => ({ ...made, problem: reasonOf(error) }));
}

/** @throws Error for a text that could be guessed or that no header holds; `what` names it */
export function checkToken(token: string, what = "the token"): void {
  if (token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token)) return;
  throw new Error(`${what} must have at least ${MIN_TOKEN_CHARS} characters, all of them visible ASCII`);
}
