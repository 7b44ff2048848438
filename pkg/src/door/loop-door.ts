/** `toolsift()` for vendors whose SDK has no agent loop: `runTools` makes the whole run, with a model of the adapter. */

import { isNear, unknown } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { runTools } from "../loop/run.js";
import { AHEAD } from "../loop/ahead.js";
import { DRIVING } from "../loop/driver.js";
import type { AheadOptions, DriverOptions, Execute, Model, ModelReply, RunOptions, RunReport } from "../loop/types.js";
import type { Session } from "../core/session.js";
import { anything } from "../base/shape.js";
import type { WireFormat } from "../types/index.js";
import { kind } from "../base/values.js";
import { Doorway, type Parts } from "./doorway.js";
import { door } from "./door.js";
import type { LoopOptions } from "./loop-options.js";
import { OwnTools } from "./own-tools.js";

/** Options of one run, in addition to those of the model. */
export type RunSettings = Pick<RunOptions, "maxSteps" | "signal">;

const RUN = ["maxSteps", "signal"];

/** The result of a run: the reason for its end, and the model's last text. */
export interface RunResult<R extends ModelReply> extends RunReport<R> {
  /** The text of the last reply; empty if the reply has no text. */
  text: string;
}

const WATCH = { ...AHEAD, ...DRIVING };
type Watch = AheadOptions & DriverOptions;

/** Makes the object that `toolsift()` returns. @throws ToolSiftError all errors of `door` and of your own tools */
export function opened<D>(
  Door: new (...parts: ConstructorParameters<typeof LoopDoorway>) => D,
  options: LoopOptions<any>,
): Promise<D> {
  return door(Door, options, { tools: anything }, (sift, { tools = {} }) => new OwnTools(sift, tools));
}

/** The object that `toolsift()` returns if toolsift makes the runs. */
export class LoopDoorway extends Doorway {
  readonly #execute: Execute;
  readonly #watch: Watch;

  /** @internal */
  constructor(parts: Parts, own: OwnTools, options: Watch) {
    super(parts);
    this.#execute = (dispatch) => {
      const isOurs = dispatch.session === undefined && own.has(dispatch);
      return isOurs ? own.execute(dispatch) : parts.execute(dispatch);
    };
    this.#watch = Object.fromEntries(Object.entries(options).filter(([key]) => key in WATCH));
  }

  /** @internal */
  async lead<R extends ModelReply & { text: string }, F extends WireFormat, O extends RunSettings>(
    session: string | Session,
    model: (options: Omit<O, keyof RunSettings>) => Model<R, F>,
    options: O,
  ): Promise<RunResult<R>> {
    const led = this.led(session);
    if (typeof options !== "object" || options === null) {
      throw new ToolSiftError("option_invalid", `options must be an object, got ${kind(options)}`);
    }
    const { maxSteps, signal, ...others } = options;
    // Checked here, because the model's error message could not suggest an option of the run.
    const slip = Object.keys(others).find((key) => RUN.some((name) => isNear(key, name)));
    if (slip !== undefined) throw unknown("options", slip, RUN);
    const report = await runTools(led, { ...model(others), execute: this.#execute, maxSteps, signal, ...this.#watch });
    return { text: report.reply.text, ...report };
  }
}
