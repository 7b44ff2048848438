/** `npm run licenses`: the licences of what others wrote and the package holds, and whether the committed list is right. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { isCommand, main } from "./lib/progress.mjs";
import { THIRD_PARTY, thirdParty } from "./lib/release/third-party.mjs";

const HELP = `npm run licenses [-- --update]

Compares ${THIRD_PARTY} with the crates that are compiled into the wasm, and ends with an error where they differ, or
where a crate has a licence that may not be packed.
  --update   writes the file`;

if (isCommand(import.meta.url)) {
  const { update } = options({ update: { type: "boolean" } }, HELP);
  await main(async () => {
    const wanted = await thirdParty();
    if (update) writeFileSync(at(THIRD_PARTY), wanted);
    const isListed = existsSync(at(THIRD_PARTY)) && readFileSync(at(THIRD_PARTY), "utf8") === wanted;
    console.log(isListed ? `${THIRD_PARTY} is right` : `${THIRD_PARTY} is not what is packed: npm run licenses -- --update`);
    return isListed ? 0 : 1;
  });
}
