/** The `oauth` entry of a server's configuration. */

import { shown } from "../output/escape.js";

/** The time that a user has to sign in, in ms. */
export const SIGN_IN_MS = 5 * 60_000;

/** The user's settings for signing in to one server. */
export interface OAuthSettings {
  /** The id of a client that was registered with the authorization server beforehand. */
  clientId?: string;
  clientSecret?: string;
  /** The scopes to ask for when the server names none. */
  scope?: string;
  /** The https URL of a client metadata document, for authorization servers that accept one. */
  clientMetadataUrl?: string;
  /** The port of the redirect on 127.0.0.1, if the registered client allows only one port. */
  redirectPort?: number;
  /** Internal hosts to which a server on the internet may send the sign-in, such as a company's identity provider. */
  internalHosts?: string[];
}

const KEYS = ["clientId", "clientSecret", "scope", "clientMetadataUrl", "redirectPort", "internalHosts"] as const;
/** The longest text of a setting, in characters. */
const MAX_CHARS = 4_096;
/** The most entries in `internalHosts`. */
const MAX_HOSTS = 100;
/** Matches the name or address of a host, without a port, a path or a user. */
const HOST = /^(?:[^\s:/?#@\\]+|\[[0-9a-f:.]+\])$/i;

/**
 * Reads the `oauth` entry.
 *
 * @param what the name of the entry, for the message
 * @throws Error for an unknown key or a value of the wrong type
 */
export function oauthSettings(what: string, given: unknown): OAuthSettings {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error(`${what} must be an object`);
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!(KEYS as readonly string[]).includes(key)) {
      throw new Error(`${what} has the unknown key ${JSON.stringify(shown(key, 40))}; it may have ${KEYS.join(", ")}`);
    }
    if (value === undefined) continue;
    settings[key] = (READERS[key] ?? text)(`${what}.${key}`, value);
  }
  const { clientId, clientSecret, clientMetadataUrl } = settings;
  if (clientSecret !== undefined && clientId === undefined) throw new Error(`${what}.clientSecret needs ${what}.clientId`);
  if (clientMetadataUrl !== undefined && !isDocument(clientMetadataUrl as string)) {
    throw new Error(`${what}.clientMetadataUrl must be an https:// URL with a path`);
  }
  return settings as OAuthSettings;
}

function text(what: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && value.length <= MAX_CHARS) return value;
  throw new Error(`${what} must be a text of 1 to ${MAX_CHARS} characters`);
}

function port(what: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535) return value;
  throw new Error(`${what} must be a whole number from 1 to 65535`);
}

function hosts(what: string, value: unknown): string[] {
  const names = Array.isArray(value) && value.length <= MAX_HOSTS ? (value as unknown[]) : [undefined];
  return names.map((name) => {
    const isName = typeof name === "string" && HOST.test(name) && URL.canParse(`http://${name}`);
    if (isName) return new URL(`http://${name}`).hostname;
    throw new Error(`${what} must be a list of names of hosts, such as ["login.corp.example"]`);
  });
}

const READERS: Record<string, typeof text | typeof port | typeof hosts> = { redirectPort: port, internalHosts: hosts };

function isDocument(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return protocol === "https:" && pathname !== "/";
}
