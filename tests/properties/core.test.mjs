/** What do `ToolSift` and `Session` do with values that nobody expects, in every argument and option? */

import { check } from "./lib/check.mjs";
import * as module from "./targets/core.mjs";

await check(module);
