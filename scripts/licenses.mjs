/**
 * `npm run licenses`: writes the licences of foreign code in the package. The file is committed, so changes show in review.
 */

import { writeFileSync } from "node:fs";
import { at } from "./lib/paths.mjs";
import { main } from "./lib/progress.mjs";
import { THIRD_PARTY, thirdParty } from "./lib/third-party.mjs";

await main(async () => writeFileSync(at(THIRD_PARTY), await thirdParty()));
