/**
 * Finds the Redis server for the tests: in REDIS_SERVER or on PATH. On Debian, installs it if run as root. As a command,
 * prints its path.
 */

import { isCommand, main } from "./lib/progress.mjs";
import { program } from "./lib/provide.mjs";

const redis = program({
  variable: "REDIS_SERVER",
  // And the one that has taken its place in some distributions; both speak the same.
  commands: ["redis-server", "valkey-server"],
  packages: ["redis-server"],
  title: "installing Redis from Debian",
  getIt: `missing: a Redis server, for the tests of stored sessions
  get it: Debian and Ubuntu: apt-get install redis-server · Fedora: dnf install valkey · macOS: brew install redis
  or name one: REDIS_SERVER=/path/to/redis-server npm test`,
});

/** The path of a server; installs one where that is a matter of one command, else says how to get it. */
export const provideRedis = redis.provide;

if (isCommand(import.meta.url)) await main(async () => console.log(await provideRedis()));
