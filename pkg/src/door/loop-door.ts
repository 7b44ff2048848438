/** `toolsift()` for vendors whose SDK has no agent loop: `runTools` makes the whole run, with a model of the adapter. */

import { isNear, unknown } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { runTools } from "../loop/run.js";
import { AHEAD } from "../loop/ahead.js";
import { DRIVING } from "../loop/driver.js";
import type { AheadOptions, DriverOptions, Execute, Model, ModelReply, RunOptions, RunReport } from "../loop/types.js";
import type { Session } from "../core/session.js";
import type { ToolSift } from "../core/sift.js";
import { anything } from "../base/shape.js";
import type { WireFormat } from "../types/index.js";
import { kind } from "../base/values.js";
import { Doorway, type Parts } from "./doorway.js";
import { door } from "./door.js";
import { OwnTools, type ToolsBySchema } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

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

/** Options of `toolsift`. */
export interface LoopOptions<S> extends DoorwayOptions {
  /** Tools of your own, by the names that the model sees. */
  tools?: ToolsBySchema<S> | undefined;
}

type MakeModel = (client: any, params: any, options: any) => Model<any, any>;

/**
 * Makes the object that `toolsift()` returns.
 *
 * @param models the models of the adapter, by the names of the methods that run them
 * @throws ToolSiftError all errors of `door` and of your own tools
 */
export async function opened<D extends LoopDoorway>(
  models: Readonly<Record<string, MakeModel>>,
  options: LoopOptions<any>,
): Promise<D> {
  const own = (sift: ToolSift, { tools = {} }: LoopOptions<any>) => new OwnTools(sift, tools);
  const made = await door(LoopDoorway, options, { tools: anything }, own);
  const runs = Object.entries(models).map(([name, model]) => {
    const run = (session: string | Session, client: unknown, params: unknown, settings: RunSettings = {}) =>
      made.lead(session, (others) => model(client, params, others), settings);
    return [name, run] as const;
  });
  return Object.assign(made, Object.fromEntries(runs)) as unknown as D;
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
    const opened = this.sessionOf(session);
    if (typeof options !== "object" || options === null) {
      throw new ToolSiftError("option_invalid", `options must be an object, got ${kind(options)}`);
    }
    const { maxSteps, signal, ...others } = options;
    // Checked here, because the model's error message could not suggest an option of the run.
    const slip = Object.keys(others).find((key) => RUN.some((name) => isNear(key, name)));
    if (slip !== undefined) throw unknown("options", slip, RUN);
    const report = await runTools(opened, { ...model(others), execute: this.#execute, maxSteps, signal, ...this.#watch });
    return { text: report.reply.text, ...report };
  }
}
