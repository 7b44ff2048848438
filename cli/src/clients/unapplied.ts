/** Tells which settings of servers toolsift does not apply, before they move and after. */

import { basename, dirname, join } from "node:path";
import { unapplied } from "./entry.js";
import { readLedger } from "./ledger.js";
import type { Found } from "./section.js";
import { quoted } from "../output/escape.js";
import { ClientError, type Client, type Form } from "./types.js";

/** How many keys of a server are named; an entry may have any number. */
const MAX_KEYS = 10;

/** A server, and the settings in its entry that toolsift does not apply. */
export interface Unapplied {
  server: string;
  keys: string[];
}

/** The servers that have such settings. */
export function unappliedOf(servers: readonly Pick<Found, "name" | "value" | "entry">[], form: Form): Unapplied[] {
  return servers
    .map(({ name, value, entry }) => ({ server: name, keys: unapplied(value, entry, form) }))
    .filter(({ keys }) => keys.length > 0);
}

/** The servers with such settings that `add` moved into a configuration; none where no undo record can be read. */
export async function unappliedBehind(config: string, client: Client): Promise<Unapplied[]> {
  const ledger = join(dirname(config), `${basename(config, ".json")}.undo.json`);
  try {
    return unappliedOf((await readLedger({ config, ledger }))?.servers ?? [], client.form);
  } catch (error) {
    if (error instanceof ClientError) return [];
    throw error;
  }
}

/** The keys in quotes, with how many more there are. */
export function shownKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : "";
  return keys.slice(0, MAX_KEYS).map(quoted).join(", ") + more;
}
