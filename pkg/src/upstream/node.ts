/** Gets modules of Node from the running process, because bundlers for browsers refuse to import `node:child_process`. */

/** The used part of a stream. */
export interface Stream {
  on(event: string, listener: (piece: any) => void): unknown;
  destroy(): unknown;
}

/** The used part of a started process. */
export interface ChildProcess {
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  readonly stdin: (Stream & Input) | null;
  readonly stdout: (Stream & { pause(): unknown }) | null;
  readonly stderr: Stream | null;
  on(event: string, listener: (...values: any[]) => void): unknown;
  once(event: string, listener: (...values: any[]) => void): unknown;
  unref?(): void;
}

interface Input {
  readonly writable: boolean;
  readonly writableLength: number;
  write(text: string, done: (error?: Error | null) => void): unknown;
  end(): unknown;
}

/** Starts a process: `spawn` of `node:child_process`, or of `cross-spawn`, which finds `.cmd` files on Windows. */
export type Spawn = (command: string, args: readonly string[], options: any) => ChildProcess;

/** The used part of the running process. */
export interface Process {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  kill(pid: number, signal: string | 0): unknown;
  on(event: "exit", listener: () => void): unknown;
}

interface Modules {
  "node:child_process": { spawn: Spawn };
  "node:fs": { existsSync(path: string): boolean };
  "node:module": { createRequire(path: string): (name: string) => unknown };
  "node:path": { delimiter: string; join(...parts: string[]): string };
}

const { process: running } = globalThis as {
  process?: Process & { getBuiltinModule?<K extends keyof Modules>(name: K): Modules[K] | undefined };
};

/** The running process. Use it only in runtimes that can start processes. */
export const host = running as Process;

/** Returns a module of Node. @throws Error in a runtime that cannot start processes */
export function builtin<K extends keyof Modules>(name: K): Modules[K] {
  const module = running?.getBuiltinModule?.(name);
  if (module !== undefined) return module;
  throw new Error("no process can be started here, which needs Node 20.16, Bun or Deno; a server with a url can be reached");
}

/**
 * Returns the function that starts processes. On Windows this is `cross-spawn`, if it is installed in your program's folder
 * (both MCP SDKs install it): Node's own finds no `.cmd` files, such as `npx`. It is required and not imported, because
 * bundlers for the edge refuse an import with a computed name.
 */
export function spawner(): Spawn {
  const { spawn } = builtin("node:child_process");
  if (host.platform !== "win32") return spawn;
  try {
    return builtin("node:module").createRequire(builtin("node:path").join(host.cwd(), "_"))("cross-spawn") as Spawn;
  } catch {
    return spawn;
  }
}
