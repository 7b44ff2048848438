/** What do the adapters for frameworks do with values that nobody expects, from the host, a model or the framework? */

import { check } from "./lib/check.mjs";
import * as module from "./targets/frameworks.mjs";

await check(module);
