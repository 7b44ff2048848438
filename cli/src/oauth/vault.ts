/** The file with one server's tokens and client registration. Only the user can read it. A lock protects its changes. */

import { createHash } from "node:crypto";
import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";
import { isObject } from "../base/values.js";
import type { OAuthSettings } from "./settings.js";

/** A sign-in that the user has not finished yet. */
export interface Pending {
  verifier: string;
  state: string;
  /** The page to open in a browser. */
  url: string;
  discovery?: OAuthDiscoveryState;
  scope?: string;
  /** The id of the process that waits for the redirect. */
  pid: number;
  /** The end of the wait, in ms since 1970. */
  until: number;
}

/** The content of the file. */
export interface SavedSignIn {
  server: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  /** The scopes that the last finished sign-in asked for. */
  scope?: string;
  /** The time of the user's last sign-in, in ms since 1970. */
  signedInAt?: number;
  /** The registered port of the redirect. */
  port?: number;
  pending?: Pending;
}

/** The largest file that is read, in bytes. */
const MAX_BYTES = 4 << 20;

/** Reads and changes the file of one server and client. */
export type Vault = ReturnType<typeof openVault>;

/**
 * Opens the file of one server and client.
 *
 * @param warn receives messages about problems with the file
 * @param folder the folder of the files
 */
export function openVault(
  url: URL,
  { clientId, clientMetadataUrl }: OAuthSettings,
  warn: (text: string) => void = () => {},
  folder = join(home(), "tokens"),
) {
  // The path and the query identify the server but may be secret: only their hash is stored.
  const identity = JSON.stringify([url.href, clientId ?? clientMetadataUrl ?? ""]);
  const file = join(folder, `${createHash("sha256").update(identity).digest("hex").slice(0, 32)}.json`);
  /** The warnings that were shown already: the file is read with every request, but each warning appears once. */
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

  /** Reads the file. If it is not valid JSON, warns and returns empty data: the user has to sign in again. */
  async function read(): Promise<SavedSignIn> {
    const empty: SavedSignIn = { server: url.origin };
    const text = await textOf();
    if (text === undefined) return empty;
    try {
      const kept: unknown = JSON.parse(text);
      if (isObject(kept)) {
        for (const key of ["client", "tokens", "pending"]) if (!isObject(kept[key])) delete kept[key];
        return { ...kept, ...empty };
      }
    } catch {
      // The warning below says what happened.
    }
    tell(`${file} is not valid JSON; toolsift ignores it, and you may have to sign in again`);
    return empty;
  }

  /** Runs work while no other call, in this process or another, works with this file. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => withLock(file, work);

  return {
    file,
    read,
    alone,

    /** Changes the content of the file. Call it inside `alone`, unless nobody else can change the file. */
    async change(change: (kept: SavedSignIn) => void): Promise<void> {
      const kept = await read();
      change(kept);
      await writePrivately(file, `${JSON.stringify(kept, null, 2)}\n`);
    },

    /** Deletes the file. Returns true if it existed. */
    clear: (): Promise<boolean> =>
      alone(async () => {
        const isThere = (await textOf()) !== undefined;
        await rm(file, { force: true });
        return isThere;
      }),
  };
}
