/**
 * A local server as a process: its messages are lines on standard input and output.
 *
 * The SDKs' own transports end only the process that they started: if that is a shell or `npx`, the server continues to run.
 * Here a server leads its own process group, and the whole group is ended.
 */

import { foreignReason } from "../trust/foreign.js";
import { readable } from "../trust/hidden.js";
import { cut, reasonOf } from "../base/values.js";
import type { GatewayTransport } from "./sdk.js";
import { installerOf } from "./installer.js";
import type { ChildProcess } from "node:child_process";
import { builtin, host } from "../base/node.js";
import { endGroup, endRest, type Grace, GRACE, happened, INSTALLER_GRACE, watch } from "./process-group.js";

/** The maximum length of a server's message, in bytes. */
const MESSAGE_BYTES = 64 << 20;
/** The maximum number of bytes that wait for a server that does not read. */
const UNREAD_BYTES = 64 << 20;
/** The number of characters of a server's standard error that are kept. */
const STDERR_CHARS = 4_000;
/** The maximum length of standard error in an error, in characters; a caller that shows one line shortens it. */
const TOLD_CHARS = 2_000;
/** The number of last lines that are shown if no line is about an error. */
const TOLD_LINES = 10;
/** The maximum length of an error's reason, in characters. */
const REASON_CHARS = 1_000;
/** The time to wait for the last output of a server after its end, in ms. */
const DRAIN_MS = 500;

/** The command that starts a local server. */
export interface ProcessCommand {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** The options for starting a process, and its limits. */
export interface ProcessOptions {
  /**
   * Starts the process: on Windows, `spawn` of `cross-spawn` also finds `.cmd` files. Default: `cross-spawn` on Windows if
   * it is installed, otherwise `spawn` of `node:child_process`.
   */
  spawn?: (command: string, args: readonly string[], options: any) => unknown;
  /** The maximum length of the server's messages, in bytes. Default 64 MiB. */
  messageBytes?: number;
}

/** Starts a process: `spawn` of `node:child_process`, or of `cross-spawn`, which finds `.cmd` files on Windows. */
type Spawn = (command: string, args: readonly string[], options: object) => ChildProcess;

type LocalTransport = GatewayTransport & Required<Pick<GatewayTransport, "explain">> & { readonly pid: number | null };

/**
 * Returns the transport to a local server, for `Client` of the MCP SDK. The server and all processes that it started end
 * when the transport is closed and when this process exits.
 */
export function processTransport(command: ProcessCommand, options?: ProcessOptions): LocalTransport {
  return new ProcessTransport(command, options) as LocalTransport;
}

class ProcessTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: never) => void;

  readonly #command: ProcessCommand;
  readonly #spawn: Spawn | undefined;
  readonly #lines: Lines;
  readonly #decoder = new TextDecoder();
  /** The time that the process gets to end. */
  readonly #grace: Grace;
  #child: ChildProcess | undefined;
  #stderr = "";
  #end: string | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(command: ProcessCommand, { spawn, messageBytes = MESSAGE_BYTES }: ProcessOptions = {}) {
    this.#command = command;
    this.#grace = installerOf(command) === undefined ? GRACE : INSTALLER_GRACE;
    this.#spawn = spawn as Spawn | undefined;
    this.#lines = new Lines(messageBytes);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Null, but present: the SDK recognises a process transport by this property and `pid`. `explain` returns the output. */
  get stderr(): null {
    return null;
  }

  /** Starts the process. @throws Error with the reason why it does not start */
  async start(): Promise<void> {
    if (this.#child !== undefined || this.#isClosed) throw new Error("this transport was started before");
    const { command, args, env, cwd } = this.#command;
    const spawn = this.#spawn ?? spawner();
    const child = spawn(command, args, {
      env: { ...inherited(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      detached: host.platform !== "win32",
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(this.#unstarted(error)));
    });
    if (this.#closing !== undefined) throw new Error("the connection was closed while the process started");
    watch(child.pid!, this.#grace);
    this.#listen(child);
  }

  /** Sends one message. @throws Error if the process has ended, or has not read the earlier messages */
  async send(message: object): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#isClosed) throw new Error(this.#end ?? "the process does not run");
    const line = `${JSON.stringify(message)}\n`;
    if (stdin.writableLength + line.length > UNREAD_BYTES) {
      throw new Error(`the process has not read the last ${stdin.writableLength} bytes that it was sent`);
    }
    try {
      await new Promise<void>((resolve, reject) => stdin.write(line, (error) => (error ? reject(error) : resolve())));
    } catch (error) {
      // A pipe breaks because its process ends. The way of that end explains more.
      await this.#over(this.#child!);
      throw this.#end === undefined ? error : new Error(this.#end);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Returns an error of this connection with the end and the output of the process. */
  explain(error: unknown): Error {
    const reason = reasonOf(error);
    const end = this.#end === undefined || reason.includes(this.#end) ? "" : `: ${this.#end}`;
    return new Error(`${foreignReason(reason, REASON_CHARS)}${end}${this.#wrote()}`, { cause: error });
  }

  /** Waits a short time for the end of a process that is about to end, and for its output. */
  async #over(child: ChildProcess): Promise<void> {
    if (!this.#isClosed) await happened(child, "close", DRAIN_MS);
  }

  #listen(child: ChildProcess): void {
    child.stdout!.on("data", (piece: Uint8Array) => this.#read(piece));
    child.stderr!.on("data", (piece: Uint8Array) => {
      this.#stderr = (this.#stderr + this.#decoder.decode(piece, { stream: true })).slice(-STDERR_CHARS);
    });
    for (const stream of [child.stdin!, child.stdout!, child.stderr!])
      stream.on("error", (error: Error) => this.onerror?.(error));
    child.on("error", (error) => this.onerror?.(error));
    child.once("exit", (code, signal) => void this.#ended(child, code, signal));
  }

  #read(piece: Uint8Array): void {
    if (this.#isClosed) return;
    try {
      for (const line of this.#lines.take(piece)) this.#receive(line);
    } catch (error) {
      this.#lines.clear();
      this.#child?.stdout?.pause();
      this.#end ??= `the server sent ${error instanceof RangeError ? error.message : "what cannot be read"}, and was ended`;
      this.onerror?.(new Error(this.#end));
      // The process may be blocked because its output is no longer read, so it is ended without waiting.
      this.#closing ??= this.#close({ askMs: 0, killMs: 0 });
    }
  }

  /** Handles one line. Some servers print text between their messages, which is ignored. */
  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof message === "object" && message !== null) this.onmessage?.(message as never);
  }

  async #ended(child: ChildProcess, code: number | null, signal: string | null): Promise<void> {
    this.#end ??= `the process ended with ${signal === null ? `exit code ${code}` : `signal ${signal}`}`;
    if (this.#closing !== undefined) return;
    // A child of the server may keep the pipes open.
    const rest = endRest(child.pid!, this.#grace.killMs);
    await this.#over(child);
    this.#finish(child);
    await rest;
  }

  async #close(grace = this.#grace): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#isClosed) return this.#finish(child);
    child.stdin?.end();
    await endGroup(child, grace);
    this.#finish(child);
  }

  #finish(child: ChildProcess | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines.clear();
    child?.stdin?.destroy();
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    this.#end ??= "the connection was closed";
    this.onclose?.();
  }

  #unstarted(error: Error & { code?: unknown }): Error {
    const { command, cwd } = this.#command;
    const isMissing = error.code === "ENOENT";
    const name = JSON.stringify(inOneLine(command, 80));
    if (isMissing && cwd !== undefined && !builtin("node:fs")!.existsSync(cwd)) {
      this.#end = `cannot start ${name}: the folder ${JSON.stringify(inOneLine(cwd, 200))} does not exist`;
    } else if (isMissing) {
      const [first = "", ...rest] = command.trim().split(/\s+/);
      const isLine = rest.length > 0 && isOnPath(first);
      const next = `; "command" is the program alone: write ${JSON.stringify(first)} there and the rest into "args"`;
      this.#end = `cannot start ${name}: there is no such command on the PATH${isLine ? next : ""}`;
    } else {
      this.#end = `cannot start ${name}: ${inOneLine(error.message, REASON_CHARS)}`;
    }
    return new Error(this.#end, { cause: error });
  }

  /** Returns the last lines of the process, starting at the first one about an error. */
  #wrote(): string {
    const lines = this.#stderr.split("\n").filter((line) => line.trim() !== "");
    const at = lines.findIndex((line) => /\berror\b/i.test(line));
    const told = at < 0 ? lines.slice(-TOLD_LINES) : lines.slice(at);
    return told.length === 0 ? "" : foreignReason(`; it wrote: ${told.join("\n").trim()}`, TOLD_CHARS);
  }
}

/**
 * Returns the function that starts processes. On Windows this is `cross-spawn`, if it is installed in your program's folder
 * (both MCP SDKs install it): Node's own finds no `.cmd` files, such as `npx`. It is required and not imported, because
 * bundlers for the edge refuse an import with a computed name.
 *
 * @throws Error in a runtime that cannot start processes
 */
function spawner(): Spawn {
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

function inOneLine(text: string, most: number): string {
  return readable(cut(text, most, "…"));
}

/** Checks if a name is the name of a program in one of the folders of PATH. */
function isOnPath(name: string): boolean {
  if (!/^[\w.+-]{1,80}$/.test(name)) return false;
  const { delimiter, join } = builtin("node:path")!;
  const { existsSync } = builtin("node:fs")!;
  const ends = host.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  const folders = (host.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => ends.some((end) => existsSync(join(folder, `${name}${end}`))));
}

/** The variables that every program may need. They contain no secrets. */
const SAFE = {
  posix: ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
  win32: [
    ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
    ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP"],
    ...["USERNAME", "USERPROFILE", "WINDIR"],
  ],
};
/** Matches the variables that package managers need to download a server: registries, proxies and certificates. */
const OF_PACKAGES = /^(?:npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_.*|uv_.*|pip_.*)$/i;
/** Matches npm's settings for the single program that it runs: another npx would run that program again. */
const OF_ONE_RUN = /^npm_config_(?:package|call|local_prefix|workspaces?|include_workspace_root)$/i;

/** Returns the variables of this process that a server inherits. */
function inherited(): Record<string, string> {
  const safe = host.platform === "win32" ? SAFE.win32 : SAFE.posix;
  const names = [...safe, ...all().filter((name) => OF_PACKAGES.test(name) && !OF_ONE_RUN.test(name))];
  // A value that begins with `()` is a shell function.
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = host.env[name];
      return value === undefined || value.startsWith("()") ? [] : [[name, value]];
    }),
  );
}

/** Returns the names of all variables; none in runtimes that only let single variables be read. */
function all(): string[] {
  try {
    return Object.keys(host.env);
  } catch {
    return [];
  }
}

const NEWLINE = 10;

/** Collects pieces and returns whole lines. */
class Lines {
  readonly #decoder = new TextDecoder();
  #text = "";
  #bytes = 0;

  constructor(private readonly limit: number) {}

  /** Returns the lines that a piece completes. @throws RangeError if a line, complete or not, is longer than the limit */
  *take(piece: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#add(piece.subarray(start, end));
      const line = this.#text + this.#decoder.decode();
      this.clear();
      start = end + 1;
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    this.#add(piece.subarray(start));
  }

  /** Discards the incomplete line. */
  clear(): void {
    this.#decoder.decode();
    this.#text = "";
    this.#bytes = 0;
  }

  #add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.limit) throw new RangeError(`a line of more than ${this.limit} bytes`);
    this.#text += this.#decoder.decode(piece, { stream: true });
  }
}
