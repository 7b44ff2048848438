/**
 * `${keyring:NAME}` in `env` and `headers` of a server's entry. It is a mark until the server is started: the keyring may ask its
 * user, and nothing that only reads a configuration needs the secret.
 */

import { reasonOf } from "../failure.js";
import { readSecret } from "../keyring.js";
import type { ServerEntry } from "./types.js";

/** The variable, without what surrounds it. */
export const SECRET = /^keyring:([\w.-]{1,100})$/;
const VARIABLE = /(?<!\$)\$\{keyring:([\w.-]{1,100})\}/g;
const MARK = /\{\{toolsift-keyring:([\w.-]{1,100})\}\}/g;

/** The placeholder of a secret. */
export const marked = (name: string): string => `{{toolsift-keyring:${name}}}`;

/** An entry with its secrets. @throws Failure that names one that is not there */
export function withSecrets<E extends ServerEntry>(entry: E): Promise<E> {
  return filled(entry, MARK, async (name) => await readSecret(name));
}

/** Entries whose variables are not filled in yet, with a variable for each secret, what these hold, and why others cannot be served. */
export async function withVariables(entries: Readonly<Record<string, unknown>>) {
  const variables: Record<string, string> = {};
  const faults: string[] = [];
  const named = async (name: string) => {
    const variable = `TOOLSIFT_KEYRING_${Buffer.from(name).toString("hex")}`;
    variables[variable] ??= await readSecret(name);
    return `\${${variable}}`;
  };
  const able: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(entries)) {
    try {
      able[name] = await filled(entry as ServerEntry, VARIABLE, named);
    } catch (error) {
      faults.push(`the server ${name}: ${reasonOf(error)}`);
    }
  }
  return { entries: able, variables, faults };
}

async function filled<E extends ServerEntry>(entry: E, what: RegExp, value: (name: string) => Promise<string>): Promise<E> {
  const changed: Record<string, unknown> = {};
  for (const key of ["env", "headers"] as const) {
    const given = (entry as unknown as Record<string, unknown> | null | undefined)?.[key];
    if (typeof given !== "object" || given === null) continue;
    const texts = Object.entries(given).map(
      async ([name, text]) => [name, typeof text === "string" ? await replaced(text, what, value) : text] as const,
    );
    changed[key] = Object.fromEntries(await Promise.all(texts));
  }
  return Object.keys(changed).length === 0 ? entry : { ...entry, ...changed };
}

async function replaced(text: string, what: RegExp, value: (name: string) => Promise<string>): Promise<string> {
  const values = new Map<string, string>();
  for (const [, name] of text.matchAll(what)) if (!values.has(name!)) values.set(name!, await value(name!));
  return text.replace(what, (_, name: string) => values.get(name)!);
}
