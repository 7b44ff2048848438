/** What do enrichment, embeddings, learning, packs, the doctor and the stores do with values that nobody expects? */

import { check } from "./lib/check.mjs";
import * as module from "./targets/parts.mjs";

await check(module);
