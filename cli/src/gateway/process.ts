/**
 * A local server as a process: its messages are lines on standard input and output.
 *
 * The SDK's own transport ends only the process that it started: where that is `npx`, the server goes on. Here a server
 * leads a process group of its own, and the whole group is ended.
 */

import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import spawn from "cross-spawn";
import { shown } from "../shown.js";
import { Lines } from "./lines.js";
import { endGroup, endRest, GRACE_MS, watch } from "./process-group.js";

/** The longest message of a server. */
export const MESSAGE_BYTES = 64 << 20;
/** What waits to be written to a server that does not read. */
const UNREAD_BYTES = 64 << 20;
/** What is kept of what a server writes to standard error. */
export const STDERR_CHARS = 4_000;
/** What is told of it. */
const TOLD_CHARS = 300;
/** How long the last output of a server is waited for after it ended. */
const DRAIN_MS = 500;

/** How a local server is started. */
export interface Command {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

/** The connection to a server that this process starts. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #command: Command;
  readonly #lines: Lines;
  #child: ChildProcess | undefined;
  #said = "";
  #end: string | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(command: Command, { messageBytes = MESSAGE_BYTES }: { messageBytes?: number } = {}) {
    this.#command = command;
    this.#lines = new Lines(messageBytes);
  }

  /** The process; null before it starts and after it ended. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The SDK tells a process from a URL by this property and `pid`. What the server wrote is in the text of `explain`. */
  get stderr(): null {
    return null;
  }

  /** Starts the process. @throws Error that says why it does not start */
  async start(): Promise<void> {
    if (this.#child !== undefined || this.#isClosed) throw new Error("this transport was started before");
    const { command, args, env, cwd } = this.#command;
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      detached: process.platform !== "win32",
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(this.#unstarted(error)));
    });
    if (this.#closing !== undefined) throw new Error("the connection was closed while the process started");
    watch(child.pid!);
    this.#listen(child);
  }

  /** Sends one message. @throws Error when the process has ended, or has not read what it was sent before */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#isClosed) throw new Error(this.#end ?? "the process does not run");
    const line = serializeMessage(message);
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

  /** Waits for the end of a process that is about to end, and for what it wrote, but not for long. */
  async #over(child: ChildProcess): Promise<void> {
    if (this.#isClosed) return;
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  }

  /** Ends the process and all processes that it started. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** An error of this connection, with what the process says about it. */
  explain(error: unknown): Error {
    const reason = error instanceof Error ? error.message : String(error);
    const end = this.#end === undefined || reason.includes(this.#end) ? "" : `: ${this.#end}`;
    return new Error(`${shown(reason, 1_000)}${end}${this.#wrote()}`, { cause: error });
  }

  #listen(child: ChildProcess): void {
    child.stdout!.on("data", (piece: Buffer) => this.#read(piece));
    child.stderr!.on("data", (piece: Buffer) => {
      this.#said = (this.#said + piece.toString("utf8")).slice(-STDERR_CHARS);
    });
    for (const stream of [child.stdin!, child.stdout!, child.stderr!]) stream.on("error", (error) => this.onerror?.(error));
    child.on("error", (error) => this.onerror?.(error));
    child.once("exit", (code, signal) => void this.#ended(child, code, signal));
  }

  #read(piece: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const line of this.#lines.take(piece)) this.#receive(line);
    } catch (error) {
      this.#lines.clear();
      this.#child?.stdout?.pause();
      this.#end ??= `the server sent ${error instanceof RangeError ? error.message : "what cannot be read"}, and was ended`;
      this.onerror?.(new Error(this.#end));
      // It may be blocked by what nobody reads any more: there is nothing to wait for.
      this.#closing ??= this.#close(0);
    }
  }

  #receive(line: string): void {
    let message;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      // Some servers print text between their messages; text is not a message.
      if (!(error instanceof SyntaxError)) this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.onmessage?.(message);
  }

  async #ended(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.#end ??= `the process ended with ${signal === null ? `exit code ${code}` : `signal ${signal}`}`;
    if (this.#closing !== undefined) return;
    // A child of the server may hold the pipes open.
    const rest = endRest(child.pid!);
    await this.#over(child);
    this.#finish(child);
    await rest;
  }

  async #close(graceMs = GRACE_MS): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#isClosed) return this.#finish(child);
    child.stdin?.end();
    await endGroup(child, graceMs);
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

  #unstarted(error: NodeJS.ErrnoException): Error {
    const { command, cwd } = this.#command;
    const isMissing = error.code === "ENOENT";
    const name = JSON.stringify(shown(command, 80));
    if (isMissing && cwd !== undefined && !existsSync(cwd)) {
      this.#end = `cannot start ${name}: the folder ${JSON.stringify(shown(cwd, 200))} does not exist`;
    } else if (isMissing) {
      const [first = "", ...rest] = command.trim().split(/\s+/);
      const isLine = rest.length > 0 && isOnPath(first);
      const next = `; "command" is the program alone: write ${JSON.stringify(first)} there and the rest into "args"`;
      const help = isLine ? next : "";
      this.#end = `cannot start ${name}: there is no such command on the PATH${help}`;
    } else {
      this.#end = `cannot start ${name}: ${shown(error.message)}`;
    }
    return new Error(this.#end, { cause: error });
  }

  /** What the process wrote, from its first line about an error on: behind it there may be a long trace. */
  #wrote(): string {
    const text = this.#said.trim();
    if (text === "") return "";
    const at = text.search(/^.*\berror\b/im);
    return `; it wrote: ${shown(at < 0 ? text.slice(-TOLD_CHARS) : text.slice(at), TOLD_CHARS)}`;
  }
}

/** Whether a name is that of a program in one of the folders of PATH. */
function isOnPath(name: string): boolean {
  if (!/^[\w.+-]{1,80}$/.test(name)) return false;
  const ends = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => ends.some((end) => existsSync(join(folder, `${name}${end}`))));
}
