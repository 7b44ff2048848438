/** Measures what belongs to one size of its own: a sync among 20,000 tools, and cold starts with an index of 1,000. */

import { step } from "../../../scripts/lib/progress.mjs";
import { combined } from "./combine.mjs";
import { coldStarts } from "./cold.mjs";
import { shown, withMaterial } from "./size.mjs";
import { inProcess } from "./spawn.mjs";

export const SYNC_TOOLS = 20_000;
export const COLD_TOOLS = 1_000;
/** Fresh processes of each runtime. */
const COLD_RUNS = 7;

/** `{ sync, cold }`; the sync is left out where only small catalogs are asked for, since it takes a large one. */
export async function measureExtras({ sizes, runs = COLD_RUNS }) {
  const large = Math.max(...sizes) >= SYNC_TOOLS / 2;
  const sync = large ? await measureSync() : { skipped: "not measured in this run; needs a size of 10,000 or more" };
  return { sync, cold: await withMaterial(COLD_TOOLS, (folder) => coldStarts(folder, runs)) };
}

const measureSync = () =>
  withMaterial(SYNC_TOOLS, (folder) =>
    step(`${shown(SYNC_TOOLS)} tools: one of them changes`, async () => {
      const { rows, ended } = await inProcess({ do: "syncOnly", folder });
      return combined([rows.toolsift ?? {}], { row: "toolsift", kinds: [], ended });
    }),
  );
