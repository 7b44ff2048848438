/** `npm run licenses`: writes the licences of what others wrote and the package holds. The difference is part of a change. */

import { writeFileSync } from "node:fs";
import { at } from "./lib/paths.mjs";
import { main } from "./lib/progress.mjs";
import { THIRD_PARTY, thirdParty } from "./lib/third-party.mjs";

await main(async () => writeFileSync(at(THIRD_PARTY), await thirdParty()));
