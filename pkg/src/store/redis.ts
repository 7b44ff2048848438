/**
 * Keeps records in Redis: one hash for each session, whose fields are its records. To open a session costs the same however
 * many others there are, since no keys are scanned, and Redis drops the hash when its last record has expired. Other keys, such
 * as those of the proxy, are strings.
 */

import { text } from "../base/texts.js";
import { isList, kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import { partsOf } from "./keys.js";
import type { KeyValueStore } from "./types.js";

const COMMANDS = ["hkeys", "hget", "hdel", "get", "set", "setex", "del", "multi"];

type Command = (...args: unknown[]) => unknown;

/**
 * A storage for `SessionStore` in Redis, by a client that is the host's: of `ioredis`, of `redis` (node-redis) or of
 * `@upstash/redis`. The host ends it.
 *
 * ```ts
 * const store = new SessionStore(sift, redisStore(new Redis(process.env.REDIS_URL)));
 * ```
 *
 * @throws ToolSiftError `option_invalid` for what is no such client
 */
export function redisStore(client: object): KeyValueStore {
  const missing = COMMANDS.find((name) => commandOf(client, name) === undefined);
  if (missing !== undefined) {
    const advice = "pass a client of ioredis, node-redis or @upstash/redis";
    throw new ToolSiftError("option_invalid", `client must have the command ${missing}, got ${kind(client)}; ${advice}`);
  }
  const ask = async (name: string, ...args: unknown[]) => commandOf(client, name)!(...args);
  return {
    async getKeys(base) {
      const fields = (await ask("hkeys", text("base", base).replace(/:$/, ""))) ?? [];
      return isList(fields) ? fields.map((field) => `${base}${String(field)}`) : fields;
    },
    async getItem(key) {
      const parts = partsOf(key);
      return parts === undefined ? ask("get", key) : ask("hget", ...parts);
    },
    async setItem(key, value, { ttl = 0 } = {}) {
      const parts = partsOf(key);
      if (parts === undefined) return ttl === 0 ? ask("set", key, value) : ask("setex", key, ttl, value);
      return written(commandOf(client, "multi")!() as object, parts, value, ttl);
    },
    async removeItem(key) {
      const parts = partsOf(key);
      return parts === undefined ? ask("del", key) : ask("hdel", ...parts);
    },
  };
}

/** A command of a client: node-redis has them in upper case, the others in lower case. */
function commandOf(client: object, name: string): Command | undefined {
  const commands = Object(client) as Record<string, unknown>;
  const command = commands[name.toUpperCase()] ?? commands[name];
  return typeof command === "function" ? (command.bind(client) as Command) : undefined;
}

/** Writes a record at once with its end, so that a process which is killed in between leaves nothing that never expires. */
async function written(many: object, [session, record]: [string, string], value: string, ttl: number): Promise<void> {
  commandOf(many, "hset")!(session, { [record]: value });
  if (ttl === 0) commandOf(many, "persist")!(session);
  else commandOf(many, "expire")!(session, ttl);
  for (const answer of (await commandOf(many, "exec")!()) as unknown[]) {
    // ioredis answers with pairs of an error and a value.
    const error = isList(answer) ? answer[0] : answer;
    if (error instanceof Error) throw error;
  }
}
