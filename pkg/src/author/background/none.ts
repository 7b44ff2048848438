/** Stands for what writes words where a program is one file, as at the edge: it would carry all of it. */

import { ToolSiftError } from "../../base/errors.js";

export class Background {
  constructor() {
    throw new ToolSiftError(
      "option_invalid",
      "options.enrich writes no words at the edge; write them with npx toolsift enrich",
    );
  }
}
