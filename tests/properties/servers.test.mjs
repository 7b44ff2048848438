/** What do MCP servers, guards and doors do with values that nobody expects, from the host or from a server? */

import { check } from "./lib/check.mjs";
import * as module from "./targets/servers.mjs";

await check(module);
