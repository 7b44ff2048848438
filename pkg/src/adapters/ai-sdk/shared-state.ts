/** What all conversations share: the catalog, the host's tools, and the function that runs the others. */

import type { ToolSet } from "ai";
import type { Session, ToolSift } from "../../index.js";
import { limitOf, type ToolLimit } from "../../wire/limits.js";
import type { Definition } from "./register.js";
import type { AnyTool, SiftToolsOptions } from "./types.js";

/** The options of `siftTools`, checked. */
export class SharedState {
  readonly tools: ToolSet;
  readonly execute: SiftToolsOptions<ToolSet>["execute"];
  readonly needsApproval: SiftToolsOptions<ToolSet>["needsApproval"];
  /** How many tools a model's vendor takes. */
  readonly limitOf: (provider: unknown) => ToolLimit | undefined;
  /** Whether a call to a tool that is not loaded runs all the same. */
  readonly runsUnrevealed: boolean;

  constructor(
    readonly sift: ToolSift,
    /** What the host said; a conversation reads from it how the model reads answers. */
    readonly options: SiftToolsOptions<ToolSet>,
    /** How the host's tools would stand in a request. */
    readonly definitions: ReadonlyMap<string, Definition>,
  ) {
    this.tools = options.tools ?? {};
    this.execute = options.execute;
    this.needsApproval = options.needsApproval;
    this.limitOf = (provider) => limitOf(provider, options);
    const { unrevealedCall } = sift.settings;
    this.runsUnrevealed = unrevealedCall === "run" || unrevealedCall === "allow";
  }

  /** The host's own tool of a name, unless the session has one of its own under the name. */
  own(name: string, session: Session): AnyTool | undefined {
    const isOurs = Object.hasOwn(this.tools, name) && !session.named([name]).get(name)?.own;
    return isOurs ? this.tools[name] : undefined;
  }
}
