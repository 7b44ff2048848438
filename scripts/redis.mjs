/**
 * Which Redis keeps sessions in the tests? The server in REDIS_SERVER or on PATH; on Debian as root it is installed. As
 * a command, prints its path.
 */

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isCommand, main, step } from "./lib/progress.mjs";
import { ask, Problem, run } from "./lib/run.mjs";

/** Redis, and the one that has taken its place in some distributions; both speak the same. */
const COMMANDS = ["redis-server", "valkey-server"];

const GET_IT = `missing: a Redis server, for the tests of stored sessions
  get it: Debian and Ubuntu: apt-get install redis-server · Fedora: dnf install valkey · macOS: brew install redis
  or name one: REDIS_SERVER=/path/to/redis-server npm test`;

/** The path of a server that starts, or null. */
export async function findRedis() {
  const named = process.env.REDIS_SERVER;
  if (named) {
    if (await starts(named)) return named;
    throw new Problem(`REDIS_SERVER names ${named}, which does not start`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const path of folders.flatMap((folder) => COMMANDS.map((name) => join(folder, name)))) {
    if (await starts(path)) return path;
  }
  return null;
}

/** The path of a server; installs one where that is a matter of one command, else says how to get it. */
export async function provideRedis() {
  const found = await findRedis();
  if (found) return found;
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) throw new Problem(GET_IT);
  await step("installing Redis from Debian", async () => {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env });
    await run("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"], { env });
  });
  const installed = await findRedis();
  if (!installed) throw new Problem(GET_IT);
  return installed;
}

async function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  return (await ask(path, ["--version"])) !== null;
}

if (isCommand(import.meta.url)) await main(async () => console.log(await provideRedis()));
