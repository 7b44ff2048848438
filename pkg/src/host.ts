/** Who owns the memory of the core? One handle that knows whether it is still there, and whether it is in use. */

import { kind, plain, read, run } from "./boundary.js";
import { core } from "./core.js";
import { ToolSiftError } from "./errors.js";
import type { ToolSiftOptions } from "./types.js";

/** The core's class, as wasm-bindgen describes it. */
export type Core = InstanceType<ReturnType<typeof core>["Core"]>;

/**
 * Owns one core. The memory is given back by `dispose`, or by the garbage collector some time after the last handle is
 * gone.
 */
export class Host {
  static #hosts = 0;
  /** Which of all hosts it is. */
  readonly number = ++Host.#hosts;
  /** What the host asked for, without its counter. */
  readonly settings: ToolSiftOptions;
  #core: Core | undefined;
  #busy = false;

  /** An empty catalog, or that of an index. */
  constructor(options: ToolSiftOptions, index?: Uint8Array) {
    const { countTokens, ...others } = read("option_invalid", "options", () => ({ ...options }));
    if (countTokens !== undefined && typeof countTokens !== "function") {
      throw new ToolSiftError("option_invalid", `options.countTokens is ${kind(countTokens)}; it must be a function`);
    }
    this.settings = plain("options", others) as ToolSiftOptions;
    const { Core } = core();
    this.#core = run(() => new Core(this.settings, countTokens));
    if (index !== undefined) this.#load(index);
  }

  #load(index: Uint8Array): void {
    try {
      run(() => core().Core.fits(index.length));
      this.use((core) => core.load(index));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Uses the core; the one way in. */
  use<T>(method: (core: Core) => T): T {
    if (this.#core === undefined) throw new ToolSiftError("disposed", "this ToolSift was disposed");
    if (this.#busy) throw new ToolSiftError("reentrant", "countTokens must not use the ToolSift that is calling it");
    this.#busy = true;
    try {
      return run(() => method(this.#core as Core));
    } finally {
      this.#busy = false;
    }
  }

  dispose(): void {
    if (this.#busy) throw new ToolSiftError("reentrant", "countTokens must not dispose the ToolSift that is calling it");
    this.#core?.free();
    this.#core = undefined;
  }
}
