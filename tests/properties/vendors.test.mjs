/** What do the loop and the vendors' adapters do with values that nobody expects, from the host, the vendor or the model? */

import { check } from "./lib/check.mjs";
import * as module from "./targets/vendors.mjs";

await check(module);
