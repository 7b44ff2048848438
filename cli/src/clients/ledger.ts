/**
 * What is kept of a change to a client's file: the moved servers in a configuration of ours, and beside it what it takes to
 * put everything back byte by byte. Both files hold secrets of the moved servers and can be read by the user alone.
 */

import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { home, writePrivately } from "../home.js";
import { readText } from "./files.js";
import { quoted } from "../output/escape.js";
import { commonEnds } from "../values.js";
import { ClientError, type Place, type Scope, type ServerEntry } from "./types.js";

/** The change that `add` made to a client's file. */
export interface Ledger {
  version: 1;
  file: string;
  /** Whether the file existed. */
  existed: boolean;
  /** The part of the text that was replaced: where it starts, what stood there and what stands there now. */
  start: number;
  before: string;
  after: string;
  /** The servers that were moved: as the client spelt them, and as they were written to our file. */
  servers: { name: string; value: unknown; entry: ServerEntry }[];
  /** The servers that the user wanted to keep in the client. */
  keep: string[];
}

/** The paths of our two files for a client. */
export interface Paths {
  config: string;
  ledger: string;
}

/** The two files of a client; a project has its own, named by the client's file and the keys in it. */
export function pathsOf(client: string, scope: Scope, file: string, at: readonly string[], place: Place): Paths {
  const hash = createHash("sha256")
    .update(JSON.stringify([file, at]))
    .digest("hex")
    .slice(0, 12);
  const name = scope === "user" ? client : `${client}-${hash}`;
  const folder = join(home(place.env, place.platform), "clients");
  return { config: join(folder, `${name}.json`), ledger: join(folder, `${name}.undo.json`) };
}

/** The ledger; undefined where there is none. @throws ClientError for one that cannot be read */
export async function readLedger({ ledger }: Paths): Promise<Ledger | undefined> {
  const text = await readText(ledger);
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Ledger;
    const sound = value.version === 1 && typeof value.before === "string" && typeof value.after === "string";
    const servers = Array.isArray(value.servers) && value.servers.every(isServer);
    if (sound && servers && Number.isInteger(value.start) && Array.isArray(value.keep)) return value;
  } catch {
    // Told below.
  }
  const advice = "Delete it; the backups beside the client's file hold what stood there.";
  throw new ClientError(`${quoted(ledger)} is damaged. ${advice}`);
}

function isServer(one: Partial<Ledger["servers"][number]> | null): boolean {
  return typeof one?.name === "string" && typeof one.entry === "object" && one.entry !== null;
}

/** Writes or deletes both files. If one cannot be written, the first is put back. */
export async function writeBoth(paths: Paths, config: string | undefined, ledger: Ledger | undefined): Promise<void> {
  const old = await readText(paths.config);
  await writeOrDelete(paths.config, config);
  try {
    await writeOrDelete(paths.ledger, ledger && JSON.stringify(ledger));
  } catch (error) {
    await writeOrDelete(paths.config, old);
    throw error;
  }
}

/** The one part in which two texts differ. */
export function changeOf(before: string, after: string): Pick<Ledger, "start" | "before" | "after"> {
  const [start, end] = commonEnds(before, after);
  return { start, before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

/** The text with the change taken back, where the changed part still stands there once. */
export function takenBack(text: string, { start, before, after }: Ledger): string | undefined {
  const there = text.startsWith(after, start) ? start : text.indexOf(after);
  if (there < 0 || (there !== start && text.includes(after, there + 1))) return undefined;
  return text.slice(0, there) + before + text.slice(there + after.length);
}

async function writeOrDelete(file: string, text: string | undefined): Promise<void> {
  if (text === undefined) await rm(file, { force: true });
  else await writePrivately(file, text);
}
