/**
 * `${keyring:NAME}` in `env` and `headers` of a server's entry. It is a mark until the server is started: the keyring may ask its
 * user, and nothing that only reads a configuration needs the secret.
 */

import { readSecret } from "../keyring.js";
import { withTexts } from "./data.js";
import type { ServerEntry } from "./types.js";

/** The variable, without what surrounds it. */
export const SECRET = /^keyring:([\w.-]{1,100})$/;
const MARK = /\{\{toolsift-keyring:([\w.-]{1,100})\}\}/g;

/** Where a secret may stand: other users of the machine could read it elsewhere. */
export const PRIVATE: readonly string[] = ["env", "headers"];

/** The placeholder of a secret. */
export const marked = (name: string): string => `{{toolsift-keyring:${name}}}`;

/** An entry with its secrets. @throws Failure that names one that is not there */
export async function withSecrets<E extends ServerEntry>(entry: E): Promise<E> {
  const parts = await Promise.all(
    Object.entries(entry).map(async ([key, part]) => [key, PRIVATE.includes(key) ? await filled(part) : part] as const),
  );
  return Object.fromEntries(parts) as E;
}

async function filled<T>(part: T): Promise<T> {
  const values = new Map<string, string>();
  for (const [, name] of JSON.stringify(part).matchAll(MARK))
    if (!values.has(name!)) values.set(name!, await readSecret(name!));
  return withTexts(part, (text) => text.replace(MARK, (_, name: string) => values.get(name)!));
}
