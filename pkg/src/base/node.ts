/**
 * The running process and the modules of Node, which Bun and Deno have too. They are not imported, because bundlers for
 * browsers refuse to import `node:fs`; only their types are.
 */

interface Modules {
  "node:child_process": typeof import("node:child_process");
  "node:crypto": typeof import("node:crypto");
  "node:fs": typeof import("node:fs");
  "node:fs/promises": typeof import("node:fs/promises");
  "node:module": typeof import("node:module");
  "node:os": typeof import("node:os");
  "node:path": typeof import("node:path");
}

type Process = typeof import("node:process");

/** Returns a module of Node; undefined in a runtime without it. */
export function builtin<K extends keyof Modules>(name: K): Modules[K] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: K): Modules[K] | undefined } };
  return process?.getBuiltinModule?.(name);
}

/** The running process. Use it only in runtimes that have modules of Node. */
export const host = (globalThis as { process?: unknown }).process as Process;
