/** What all conversations share: the catalog, the host's tools, and the function that runs the others. */

import type { ToolSet } from "ai";
import type { Session, ToolSift } from "../../index.js";
import { KnownTools } from "../lib/known-tools.js";
import { limitOf, type ToolLimit } from "../lib/limits.js";
import { answerBound } from "../../loop/bound.js";
import type { Definition } from "./register.js";
import type { SiftToolsOptions } from "./types.js";

/** A tool as a tool set holds it. */
export type AnyTool = ToolSet[string];

/** What `siftTools` was given. */
export class Kit {
  readonly tools: ToolSet;
  readonly execute: SiftToolsOptions<ToolSet>["execute"];
  readonly needsApproval: SiftToolsOptions<ToolSet>["needsApproval"];
  /** How many tools a model's vendor takes. */
  readonly limitOf: (provider: unknown) => ToolLimit | undefined;
  /** Characters that the model reads of one answer. */
  readonly answerBound: number;
  /** Whether a call to a tool that is not loaded runs all the same. */
  readonly runsUnrevealed: boolean;
  /** The tools of the catalog. */
  readonly known: KnownTools;

  constructor(
    readonly sift: ToolSift,
    { tools = {}, execute, needsApproval, maxAnswerChars, maxTools }: SiftToolsOptions<ToolSet>,
    /** How the host's tools would stand in a request. */
    readonly definitions: ReadonlyMap<string, Definition>,
  ) {
    this.tools = tools;
    this.known = new KnownTools(sift);
    this.execute = execute;
    this.needsApproval = needsApproval;
    this.limitOf = (provider) => limitOf(provider, { maxTools });
    this.limitOf(undefined);
    this.answerBound = answerBound({ maxAnswerChars });
    const { unrevealedCall } = sift.settings;
    this.runsUnrevealed = unrevealedCall === "run" || unrevealedCall === "allow";
  }

  /** The host's own tool of a name, unless the session has one of its own under the name. */
  own(name: string, session: Session): AnyTool | undefined {
    const isOurs = Object.hasOwn(this.tools, name) && !this.known.of(session).get(name)?.own;
    return isOurs ? this.tools[name] : undefined;
  }
}
