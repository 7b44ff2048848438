/** Replaces `Background` in one-file programs, such as at the edge, which would contain all of its code. */

import { ToolSiftError } from "../../base/errors.js";

export class Background {
  constructor() {
    throw new ToolSiftError(
      "option_invalid",
      "options.enrich writes no words at the edge; write them with npx toolsift enrich",
    );
  }
}
