/** What do the gateway and the proxy do with values that nobody expects, from the host, a client, a server or a vendor? */

import { check } from "./lib/check.mjs";
import * as module from "./targets/wire.mjs";

await check(module);
