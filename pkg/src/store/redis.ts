/** Stores texts in Redis under their keys. */

import { kind } from "../base/values.js";
import { ToolSiftError } from "../base/errors.js";
import type { KeyValueStore } from "./types.js";

const COMMANDS = ["get", "set", "setex", "del", "eval"];
/** A script that writes a text if the value is still the one that was read; a missing key counts as an empty text. */
const SWAP = `
if (redis.call("get", KEYS[1]) or "") ~= ARGV[1] then return 0 end
if ARGV[3] == "0" then redis.call("set", KEYS[1], ARGV[2]) else redis.call("setex", KEYS[1], ARGV[3], ARGV[2]) end
return 1`;

type Command = (...args: unknown[]) => unknown;

/**
 * Returns a storage for `SessionStore` in Redis. It uses your program's client, of `ioredis`, `redis` (node-redis) or
 * `@upstash/redis`, and does not close it.
 *
 * ```ts
 * const store = new SessionStore(sift, redisStore(new Redis(process.env.REDIS_URL)));
 * ```
 *
 * @throws ToolSiftError `option_invalid` for a value that is no such client
 */
export function redisStore(client: object): KeyValueStore {
  const missing = COMMANDS.find((name) => commandOf(client, name) === undefined);
  if (missing !== undefined) {
    const advice = "pass a client of ioredis, node-redis or @upstash/redis";
    throw new ToolSiftError("option_invalid", `client must have the command ${missing}, got ${kind(client)}; ${advice}`);
  }
  const ask = async (name: string, ...args: unknown[]) => commandOf(client, name)!(...args);
  return {
    getItem: (key) => ask("get", key),
    setItem: (key, value, { ttl = 0 } = {}) => (ttl === 0 ? ask("set", key, value) : ask("setex", key, ttl, value)),
    removeItem: (key) => ask("del", key),
    async swapItem(key, value, before, { ttl }) {
      const values = [before, value, String(ttl)];
      if ("EVAL" in client) return (await ask("eval", SWAP, { keys: [key], arguments: values })) === 1;
      const isUpstash = !("defineCommand" in client);
      return (await (isUpstash ? ask("eval", SWAP, [key], values) : ask("eval", SWAP, 1, key, ...values))) === 1;
    },
  };
}

/** Returns a command of a client: node-redis has command names in upper case, the other clients in lower case. */
function commandOf(client: object, name: string): Command | undefined {
  const commands = Object(client) as Record<string, unknown>;
  const command = commands[name.toUpperCase()] ?? commands[name];
  return typeof command === "function" ? (command.bind(client) as Command) : undefined;
}
