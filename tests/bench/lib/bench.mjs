/** Runs `npm run bench` with some arguments, which takes a fiftieth of the time for each query. */

import { scriptOf } from "../../scripts/lib/script.mjs";

export const bench = scriptOf("bench.mjs", { BENCH_SHARE: "0.02" });
