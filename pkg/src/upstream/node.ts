/** Starts the processes of servers. */

import type { ChildProcess } from "node:child_process";
import { builtin, host } from "../base/node.js";

/** Starts a process: `spawn` of `node:child_process`, or of `cross-spawn`, which finds `.cmd` files on Windows. */
export type Spawn = (command: string, args: readonly string[], options: object) => ChildProcess;

/**
 * Returns the function that starts processes. On Windows this is `cross-spawn`, if it is installed in your program's folder
 * (both MCP SDKs install it): Node's own finds no `.cmd` files, such as `npx`. It is required and not imported, because
 * bundlers for the edge refuse an import with a computed name.
 *
 * @throws Error in a runtime that cannot start processes
 */
export function spawner(): Spawn {
  const spawn = builtin("node:child_process")?.spawn as Spawn | undefined;
  if (spawn === undefined) {
    throw new Error(
      "no process can be started here, which needs Node 20.16, Bun or Deno; a server with a url can be reached",
    );
  }
  if (host.platform !== "win32") return spawn;
  try {
    return builtin("node:module")!.createRequire(builtin("node:path")!.join(host.cwd(), "_"))("cross-spawn") as Spawn;
  } catch {
    return spawn;
  }
}
