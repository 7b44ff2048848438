/** The access token of this user's HTTP gateways: made once, stored in a file that only the user can read. */

import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "./failure.js";
import { home, readIfThere, writePrivately } from "./home.js";
import { withLock } from "./lock.js";

/** The shortest allowed token, in characters. A shorter token could be guessed. */
const MIN_TOKEN_CHARS = 16;

/** A token and its file. */
export interface KeptToken {
  token: string;
  file: string;
  /** Whether this call made the token. */
  isNew: boolean;
  /** The reason why the token could not be written to the file; then only this process knows it. */
  problem?: string;
}

/**
 * Returns the token of the user's gateways. If there is no token, makes a new one.
 *
 * @param folder the state folder of toolsift
 * @param isKept whether a new token is written to the file
 * @throws Error if the file cannot be read or does not hold a valid token
 */
export async function keptToken(folder = home(), isKept = true): Promise<KeptToken> {
  const file = join(folder, "http-token");
  const kept = async (): Promise<KeptToken | undefined> => {
    const token = (await readIfThere(file))?.trim();
    if (token === undefined) return undefined;
    checkToken(token, `the text of ${file} (delete the file for a new token)`);
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

/** Checks a token. @throws Error if it is too short or has characters that a header cannot have; `what` names the token */
export function checkToken(token: string, what = "the token"): void {
  if (token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token)) return;
  throw new Error(`${what} must have at least ${MIN_TOKEN_CHARS} characters, all of them visible ASCII`);
}
