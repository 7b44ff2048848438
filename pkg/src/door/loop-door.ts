/** The door for vendors whose SDK has no loop: a whole run by `runTools`, over a model of the adapter. */

import { isNear, unknown } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { runTools } from "../loop/run.js";
import { AHEAD } from "../loop/ahead.js";
import { DRIVING, type DriverOptions } from "../loop/driver.js";
import type { AheadOptions, Execute, Model, ModelReply, RunReport } from "../loop/types.js";
import type { Session } from "../core/session.js";
import { anything } from "../base/shape.js";
import type { Signal, WireFormat } from "../types/index.js";
import { kind } from "../base/values.js";
import { Doorway, type Parts } from "./doorway.js";
import { door } from "./door.js";
import type { LoopOptions } from "./loop-options.js";
import { OwnTools } from "./own-tools.js";

/** Options of one run, beside those of the model. */
export interface RunSettings {
  /** Requests at the most. Default 20. */
  maxSteps?: number | undefined;
  /** Ends the run. */
  signal?: Signal | undefined;
}

const RUN = ["maxSteps", "signal"];

/** How a run ended, and what the model said last. */
export interface RunResult<R extends ModelReply> extends RunReport<R> {
  /** The text of the last reply; empty where it has none. */
  text: string;
}

const WATCH = { ...AHEAD, ...DRIVING };
type Watch = AheadOptions & DriverOptions;

/** Opens a door of a class. @throws ToolSiftError what `door` and the own tools throw */
export function opened<D>(
  Door: new (...parts: ConstructorParameters<typeof LoopDoorway>) => D,
  options: LoopOptions<any>,
): Promise<D> {
  return door(Door, options, { tools: anything }, (sift, { tools = {} }) => new OwnTools(sift, tools));
}

/** A door whose runs are led here. */
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
    // The model's options do not know those of a run.
    const slip = Object.keys(others).find((key) => RUN.some((name) => isNear(key, name)));
    if (slip !== undefined) throw unknown("options", slip, RUN);
    const report = await runTools(led, { ...model(others), execute: this.#execute, maxSteps, signal, ...this.#watch });
    return { text: report.reply.text, ...report };
  }
}
