/** The HTTP server of a model: its address, its key, and advice about its errors. */

import { InvalidArgumentError } from "commander";
import { Failure, misuse } from "../base/failure.js";
import { oneLine, quoted } from "../output/escape.js";

/** The model, and the address and key of its server. */
export interface ModelServer {
  model: string;
  base: URL;
  /** The API key. No message contains it. */
  key: string | undefined;
  /** The environment variable that holds the key. */
  keyName: string;
  /** Is called with an error that every further request would have too. */
  end?(failure: Failure): void;
}

/** HTTP statuses that every further request would get too: the key, the payment, the model or the address is wrong. */
const FINAL = new Set([401, 402, 403, 404]);
const MESSAGE_CHARS = 200;

/** Returns the answer of the server. @throws Failure for an HTTP error, with advice in its message */
export async function explained(server: ModelServer, answer: Promise<string>): Promise<string> {
  try {
    return await answer;
  } catch (error) {
    const { status, message } = error as Error & { status?: number };
    if (status === undefined) throw error;
    const failure = new Failure(`${oneLine(message, MESSAGE_CHARS)}${adviceOn(status, server)}`);
    if (FINAL.has(status)) server.end?.(failure);
    throw Object.assign(failure, { status });
  }
}

/** Parses the address of a server. @throws InvalidArgumentError if it is wrong */
export function urlOf(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new InvalidArgumentError("It must be a URL such as http://localhost:11434/v1, without a user or a password.");
}

/** Returns the key, if there is one. @throws Failure if a needed key is missing, is invalid, or would be sent unencrypted */
export function keyIn(keyEnv: string, baseUrl: URL, isNeeded: boolean): string | undefined {
  const key = process.env[keyEnv]?.trim() || undefined;
  if (key === undefined) {
    if (!isNeeded) return undefined;
    throw misuse(`the environment has no ${oneLine(keyEnv, 80)}, which holds the key for ${baseUrl.host}`);
  }
  // Node's own error about an invalid header would show the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw misuse(`the key in ${oneLine(keyEnv, 80)} holds characters that no header can have`);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(baseUrl.hostname);
  if (baseUrl.protocol === "https:" || isHere) return key;
  throw misuse(
    `the key in ${oneLine(keyEnv, 80)} would be sent to ${baseUrl.host} unencrypted; use https, or unset the variable`,
  );
}

function adviceOn(status: number, { key, keyName, model, base }: ModelServer): string {
  if (status === 401 || status === 403) {
    return key === undefined ? `; it needs a key, and ${keyName} is not set` : `; it refuses the key in ${keyName}`;
  }
  if (status !== 404) return "";
  const address = `the address at ${oneLine(base.origin, MESSAGE_CHARS)}`;
  return `; is there a model ${quoted(model)}, and is ${address} the base of an API with /chat/completions?`;
}
