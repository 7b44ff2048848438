/** A model's server on the network: its address, its key, and what its refusals mean. */

import { InvalidArgumentError } from "commander";
import { Failure, misuse } from "../base/failure.js";
import { oneLine, quoted } from "../output/escape.js";

/** How the server is reached. */
export interface ModelServer {
  model: string;
  base: URL;
  /** It is in no message. */
  key: string | undefined;
  /** The variable that holds it. */
  keyName: string;
  /** Hears of what no further request would change. */
  end?(failure: Failure): void;
}

/** What stands here holds for every request: who pays, which model, which address. */
const FINAL = new Set([401, 402, 403, 404]);
const MESSAGE_CHARS = 200;

/** An answer of the server; a refusal with what is to be done about it. */
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

/** Reads the address of a server. */
export function urlOf(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new InvalidArgumentError("It must be a URL such as http://localhost:11434/v1, without a user or a password.");
}

/** The key, where there is one. @throws Failure where one is needed, or would be sent for everybody to read */
export function keyIn(keyEnv: string, baseUrl: URL, isNeeded: boolean): string | undefined {
  const key = process.env[keyEnv]?.trim() || undefined;
  if (key === undefined) {
    if (!isNeeded) return undefined;
    throw misuse(`the environment has no ${oneLine(keyEnv, 80)}, which holds the key for ${baseUrl.host}`);
  }
  // In a header, and in no message of Node about a header.
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
