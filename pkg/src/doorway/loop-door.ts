/** The door for vendors whose SDK has no loop: a whole run by `runTools`, over a model of the adapter. */

import { isNear, unknown } from "../checks.js";
import { ToolSiftError } from "../errors.js";
import { runTools } from "../loop/run.js";
import type { Execute, Model, ModelReply, RunReport } from "../loop/types.js";
import type { Session } from "../session.js";
import type { Signal, WireFormat } from "../types.js";
import { kind } from "../values.js";
import { Doorway, type Parts } from "./doorway.js";
import type { OwnTools } from "./own-tools.js";
import type { DoorwayOptions } from "./types.js";

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

/** The options of a door that go into each of its runs. */
type Watch = Pick<
  DoorwayOptions,
  "patience" | "onEvent" | "maxAnswerChars" | "readOn" | "rank" | "rankTimeoutMs" | "prefetch"
>;

/** A door whose runs are led here. */
export class LoopDoorway extends Doorway {
  readonly #execute: Execute;
  readonly #watch: Watch;

  /** @internal */
  constructor(parts: Parts, own: OwnTools, options: Watch) {
    super(parts);
    const { patience, onEvent, maxAnswerChars, readOn, rank, rankTimeoutMs, prefetch } = options;
    this.#execute = (dispatch) => {
      const isOurs = dispatch.session === undefined && own.has(dispatch);
      return isOurs ? own.execute(dispatch) : parts.execute(dispatch);
    };
    this.#watch = { patience, onEvent, maxAnswerChars, readOn, rank, rankTimeoutMs, prefetch };
  }

  /** @internal */
  async lead<R extends ModelReply & { text: string }, F extends WireFormat, O extends RunSettings>(
    session: string | Session,
    model: (options: Omit<O, keyof RunSettings>) => Model<R, F>,
    options: O,
  ): Promise<RunResult<R>> {
    if (typeof options !== "object" || options === null) {
      throw new ToolSiftError("option_invalid", `options must be an object, got ${kind(options)}`);
    }
    const { maxSteps, signal, ...others } = options;
    // The model's options do not know those of a run.
    const slip = Object.keys(others).find((key) => RUN.some((name) => isNear(key, name)));
    if (slip !== undefined) throw unknown("options", slip, RUN);
    const led = this.led(session);
    const report = await runTools(led, { ...model(others), execute: this.#execute, maxSteps, signal, ...this.#watch });
    return { text: report.reply.text, ...report };
  }
}
