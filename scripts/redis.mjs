/**
 * Finds the Redis server for the tests: in REDIS_SERVER or on PATH. On Debian, installs it if run as root. As a command,
 * prints its path.
 */

import { isCommand, main } from "./lib/progress.mjs";
import { program } from "./lib/provide.mjs";

const redis = program({
  variable: "REDIS_SERVER",
  // Valkey has replaced Redis in some distributions. It uses the same protocol.
  commands: ["redis-server", "valkey-server"],
  packages: ["redis-server"],
  title: "installing Redis from Debian",
  getIt: `missing: a Redis server, for the tests of stored sessions
  get it: Debian and Ubuntu: apt-get install redis-server · Fedora: dnf install valkey · macOS: brew install redis
  or name one: REDIS_SERVER=/path/to/redis-server npm test`,
});

/** Returns the path of a server. If there is none, installs one with one command, or throws with advice how to get it. */
export const provideRedis = redis.provide;

if (isCommand(import.meta.url)) await main(async () => console.log(await provideRedis()));
