/** Lists the foreign packages that our bundles contain. All other imports must be installed by the application. */

import { createRequire } from "node:module";

/** Their names; the licence of each is in the list of third parties. */
export const BUNDLED = ["@noble/hashes"];

/** An esbuild plugin that bundles them, beside `packages: "external"`. */
export const bundleThem = {
  name: "bundled",
  setup: ({ onResolve }) => {
    const filter = new RegExp(`^(${BUNDLED.join("|")})/`);
    onResolve({ filter }, ({ path }) => ({ path: createRequire(import.meta.url).resolve(path) }));
  },
};
