/** The state that all conversations share: the catalog, your program's tools, and the function that runs the other tools. */

import type { ToolSet } from "ai";
import type { Session, ToolSift } from "../../index.js";
import type { Definition } from "./register.js";
import type { AnyTool, SiftToolsOptions } from "./types.js";

/** The catalog and the checked options of `siftTools`. */
export class SharedState {
  readonly tools: ToolSet;
  /** True if a call to a tool that is not loaded runs nevertheless. */
  readonly runsUnrevealed: boolean;

  constructor(
    readonly sift: ToolSift,
    readonly options: SiftToolsOptions<ToolSet>,
    /** The definitions of your program's tools, as a request would contain them. */
    readonly definitions: ReadonlyMap<string, Definition>,
  ) {
    this.tools = options.tools ?? {};
    const { unrevealedCall } = sift.settings;
    this.runsUnrevealed = unrevealedCall === "run" || unrevealedCall === "allow";
  }

  /** Returns your program's tool of a name, unless the session has its own tool of that name. */
  own(name: string, session: Session): AnyTool | undefined {
    const isOurs = Object.hasOwn(this.tools, name) && !session.named([name]).get(name)?.own;
    return isOurs ? this.tools[name] : undefined;
  }
}
