/**
 * A local server as a process: its messages are lines on standard input and output.
 *
 * The SDKs' own transports end only the process that they started: where that is a shell or `npx`, the server goes on. Here
 * a server leads a process group of its own, and the whole group is ended.
 */

import { foreignReason } from "../trust/foreign.js";
import { readable } from "../trust/hidden.js";
import { cut, reasonOf } from "../base/values.js";
import type { GatewayTransport } from "./sdk.js";
import { installerOf } from "./installer.js";
import { builtin, type ChildProcess, host, type Spawn, spawner, type Stream } from "./node.js";
import { endGroup, endRest, type Grace, GRACE, happened, INSTALLER_GRACE, watch } from "./process-group.js";

/** The longest message of a server. */
const MESSAGE_BYTES = 64 << 20;
/** Bytes that wait to be written to a server that does not read. */
const UNREAD_BYTES = 64 << 20;
/** Characters that are kept of a server's standard error. */
const STDERR_CHARS = 4_000;
/** Characters of it that an error holds; a caller that shows one line cuts it. */
const TOLD_CHARS = 2_000;
/** The last lines of it, where none is about an error. */
const TOLD_LINES = 10;
/** Characters of an error that are shown. */
const REASON_CHARS = 1_000;
/** How long the last output of a server is waited for after it ended. */
const DRAIN_MS = 500;

/** How a local server is started. */
export interface ProcessCommand {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** How a process is started and bounded. */
export interface ProcessOptions {
  /**
   * Starts it: on Windows, `spawn` of `cross-spawn` also finds `.cmd` files. Default: `cross-spawn` on
   * Windows where it is installed, otherwise that of `node:child_process`.
   */
  spawn?: (command: string, args: readonly string[], options: any) => unknown;
  /** The longest message of the server. Default 64 MiB. */
  messageBytes?: number;
}

type LocalTransport = GatewayTransport & Required<Pick<GatewayTransport, "explain">> & { readonly pid: number | null };

/**
 * The transport to a local server, for `Client` of the MCP SDK: the server ends with all processes that it started, when the
 * transport is closed and when this process ends.
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
  /** What the process is granted to end. */
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

  /** The SDK tells a process from a URL by this property and `pid`. The server's output is in the text of `explain`. */
  get stderr(): null {
    return null;
  }

  /** Starts the process. @throws Error that says why it does not start */
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

  /** Sends one message. @throws Error when the process has ended, or has not read what it was sent before */
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
      // A pipe breaks because its process ends: how it ended says more.
      await this.#over(this.#child!);
      throw this.#end === undefined ? error : new Error(this.#end);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** An error of this connection, with what the process says about it. */
  explain(error: unknown): Error {
    const reason = reasonOf(error);
    const end = this.#end === undefined || reason.includes(this.#end) ? "" : `: ${this.#end}`;
    return new Error(`${foreignReason(reason, REASON_CHARS)}${end}${this.#wrote()}`, { cause: error });
  }

  /** Waits for the end of a process that is about to end, and for what it wrote, but not for long. */
  async #over(child: ChildProcess): Promise<void> {
    if (!this.#isClosed) await happened(child, "close", DRAIN_MS);
  }

  #listen(child: ChildProcess): void {
    child.stdout!.on("data", (piece: Uint8Array) => this.#read(piece));
    child.stderr!.on("data", (piece: Uint8Array) => {
      this.#stderr = (this.#stderr + this.#decoder.decode(piece, { stream: true })).slice(-STDERR_CHARS);
    });
    const streams: Stream[] = [child.stdin!, child.stdout!, child.stderr!];
    for (const stream of streams) stream.on("error", (error: Error) => this.onerror?.(error));
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
      // It may be blocked by what nobody reads any more: there is nothing to wait for.
      this.#closing ??= this.#close({ askMs: 0, killMs: 0 });
    }
  }

  /** Some servers print text between their messages; text is not a message. */
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
    // A child of the server may hold the pipes open.
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
    if (isMissing && cwd !== undefined && !builtin("node:fs").existsSync(cwd)) {
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

  /** The last lines that the process wrote, from the first one about an error on. */
  #wrote(): string {
    const lines = this.#stderr.split("\n").filter((line) => line.trim() !== "");
    const at = lines.findIndex((line) => /\berror\b/i.test(line));
    const told = at < 0 ? lines.slice(-TOLD_LINES) : lines.slice(at);
    return told.length === 0 ? "" : foreignReason(`; it wrote: ${told.join("\n").trim()}`, TOLD_CHARS);
  }
}

function inOneLine(text: string, most: number): string {
  return readable(cut(text, most, "…"));
}

/** Whether a name is that of a program in one of the folders of PATH. */
function isOnPath(name: string): boolean {
  if (!/^[\w.+-]{1,80}$/.test(name)) return false;
  const { delimiter, join } = builtin("node:path");
  const { existsSync } = builtin("node:fs");
  const ends = host.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  const folders = (host.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => ends.some((end) => existsSync(join(folder, `${name}${end}`))));
}

/** Variables that every program may need: none that may hold a secret. */
const SAFE = {
  posix: ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
  win32: [
    ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
    ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP"],
    ...["USERNAME", "USERPROFILE", "WINDIR"],
  ],
};
/** What package managers need to download a server: registries, proxies and certificates. */
const OF_PACKAGES = /^(?:npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_.*|uv_.*|pip_.*)$/i;
/** Settings that npm writes there for the one program that it runs: another npx would run that program again. */
const OF_ONE_RUN = /^npm_config_(?:package|call|local_prefix|workspaces?|include_workspace_root)$/i;

/** The variables that a server gets of this process. */
function inherited(): Record<string, string> {
  const safe = host.platform === "win32" ? SAFE.win32 : SAFE.posix;
  const names = [...safe, ...all().filter((name) => OF_PACKAGES.test(name) && !OF_ONE_RUN.test(name))];
  // A value that begins so is a function of a shell.
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = host.env[name];
      return value === undefined || value.startsWith("()") ? [] : [[name, value]];
    }),
  );
}

/** The names of all variables; none where a runtime lets only single ones be read. */
function all(): string[] {
  try {
    return Object.keys(host.env);
  } catch {
    return [];
  }
}

const NEWLINE = 10;

const decoder = new TextDecoder();

/** Collects pieces and returns whole lines. */
class Lines {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that a piece completes. @throws RangeError when a line, complete or not, is longer than the limit */
  *take(piece: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#add(piece.subarray(start, end));
      const line = this.#whole();
      this.clear();
      start = end + 1;
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    this.#add(piece.subarray(start));
  }

  /** Forgets the line that is not complete. */
  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #whole(): string {
    const line = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    return decoder.decode(line);
  }

  #add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > this.#limit) throw new RangeError(`a line of more than ${this.#limit} bytes`);
    this.#pieces.push(piece);
  }
}
