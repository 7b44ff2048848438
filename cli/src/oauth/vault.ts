/** The file with one server's tokens and registration. Only the user can read it, and one change happens at a time. */

import { createHash } from "node:crypto";
import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";
import { isObject } from "../base/values.js";
import type { OAuthSettings } from "./settings.js";

/** A sign-in that a user has been asked for and has not finished. */
export interface Pending {
  verifier: string;
  state: string;
  /** The page to open in a browser. */
  url: string;
  discovery?: OAuthDiscoveryState;
  scope?: string;
  /** The process that waits for the redirect. */
  pid: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** The content of the file. */
export interface SavedSignIn {
  server: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  /** The scopes that the last finished sign-in asked for. */
  scope?: string;
  /** When a user signed in last, in milliseconds since 1970. */
  signedInAt?: number;
  /** The port of the redirect, as it was registered. */
  port?: number;
  pending?: Pending;
}

/** A larger file is not ours. */
const MAX_BYTES = 4 << 20;

/** Reads and changes the file of one server and client. */
export type Vault = ReturnType<typeof openVault>;

/**
 * Opens the file of one server and client.
 *
 * @param folder the folder of the files
 * @param warn is told of problems with the file
 */
export function openVault(
  url: URL,
  { clientId, clientMetadataUrl }: OAuthSettings,
  warn: (text: string) => void = () => {},
  folder = join(home(), "tokens"),
) {
  // Path and query belong to the identity and may be secret: they are hashed, and not kept.
  const identity = JSON.stringify([url.href, clientId ?? clientMetadataUrl ?? ""]);
  const file = join(folder, `${createHash("sha256").update(identity).digest("hex").slice(0, 32)}.json`);
  /** Warnings that were shown: the file is read with every request. */
  const told = new Set<string>();
  const tell = (text: string) => {
    if (!told.has(text)) warn(text);
    told.add(text);
  };

  async function textOf(): Promise<string | undefined> {
    const text = await readIfThere(file, MAX_BYTES);
    if (text === undefined || process.platform === "win32") return text;
    const { mode } = await stat(file);
    if ((mode & 0o077) === 0) return text;
    await chmod(file, 0o600);
    tell(`other users could read ${file}; only you can now. If you do not trust them, sign out and in again`);
    return text;
  }

  /** Reads the file. A file that cannot be read counts as empty, with a warning: the user signs in again. */
  async function read(): Promise<SavedSignIn> {
    const empty: SavedSignIn = { server: url.origin };
    const text = await textOf();
    if (text === undefined) return empty;
    try {
      const kept: unknown = JSON.parse(text);
      if (isObject(kept)) return { ...kept, ...empty };
    } catch {
      // The warning below says what happened.
    }
    tell(`${file} is not valid JSON; toolsift ignores it, and you may have to sign in again`);
    return empty;
  }

  /** Runs work while nobody else, also in another process, works with this file. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => withLock(file, work);

  return {
    file,
    read,
    alone,

    /** Changes what is kept. Call it inside `alone`, or where no other change can come between. */
    async change(change: (kept: SavedSignIn) => void): Promise<void> {
      const kept = await read();
      change(kept);
      await writePrivately(file, `${JSON.stringify(kept, null, 2)}\n`);
    },

    /** Forgets everything. Returns whether there was something. */
    clear: (): Promise<boolean> =>
      alone(async () => {
        const isThere = (await textOf()) !== undefined;
        await rm(file, { force: true });
        return isThere;
      }),
  };
}
