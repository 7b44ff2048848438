/** The file with one server's tokens and registration. Only the user can read it, and one change happens at a time. */

import { createHash } from "node:crypto";
import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { home, readIfThere, writePrivately } from "../base/home.js";
import { withLock } from "../base/lock.js";
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
export class Vault {
  readonly file: string;
  readonly #server: string;
  readonly #warn: (text: string) => void;
  /** Warnings that were shown: the file is read with every request. */
  readonly #told = new Set<string>();

  constructor(url: URL, settings: OAuthSettings, { folder = join(home(), "tokens"), warn = () => {} }: VaultOptions = {}) {
    this.#server = url.origin;
    this.#warn = warn;
    const client = settings.clientId ?? settings.clientMetadataUrl ?? "";
    // Path and query belong to the identity and may be secret: they are hashed, and not kept.
    const name = createHash("sha256")
      .update(JSON.stringify([url.href, client]))
      .digest("hex")
      .slice(0, 32);
    this.file = join(folder, `${name}.json`);
  }

  /** Reads the file. A file that cannot be read counts as empty, with a warning: the user signs in again. */
  async read(): Promise<SavedSignIn> {
    const empty: SavedSignIn = { server: this.#server };
    const text = await this.#text();
    if (text === undefined) return empty;
    try {
      const kept: unknown = JSON.parse(text);
      if (typeof kept === "object" && kept !== null && !Array.isArray(kept)) return { ...kept, ...empty };
    } catch {
      // The warning below says what happened.
    }
    this.#tell(`${this.file} is not valid JSON; toolsift ignores it, and you may have to sign in again`);
    return empty;
  }

  /** Changes what is kept. Call it inside `alone`, or where no other change can come between. */
  async change(change: (kept: SavedSignIn) => void): Promise<void> {
    const kept = await this.read();
    change(kept);
    await writePrivately(this.file, `${JSON.stringify(kept, null, 2)}\n`);
  }

  /** Runs work while nobody else, also in another process, works with this file. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return withLock(this.file, work);
  }

  /** Forgets everything. Returns whether there was something. */
  async clear(): Promise<boolean> {
    return this.alone(async () => {
      const isThere = (await this.#text()) !== undefined;
      await rm(this.file, { force: true });
      return isThere;
    });
  }

  #tell(text: string): void {
    if (!this.#told.has(text)) this.#warn(text);
    this.#told.add(text);
  }

  async #text(): Promise<string | undefined> {
    const text = await readIfThere(this.file, MAX_BYTES);
    if (text === undefined || process.platform === "win32") return text;
    const { mode } = await stat(this.file);
    if ((mode & 0o077) === 0) return text;
    await chmod(this.file, 0o600);
    this.#tell(`other users could read ${this.file}; only you can now. If you do not trust them, sign out and in again`);
    return text;
  }
}

/** The folder of the files, and the listener for problems with one. */
export interface VaultOptions {
  folder?: string;
  warn?: (text: string) => void;
}
