/** Lists the foreign packages that our bundles contain. All other imports must be installed by the application. */

import { createRequire } from "node:module";

/** The names of the bundled packages. The list of third parties has their licences. */
export const BUNDLED = ["@noble/hashes"];

/** An esbuild plugin that bundles these packages although `packages: "external"` is set. */
export const bundleThem = {
  name: "bundled",
  setup: ({ onResolve }) => {
    const filter = new RegExp(`^(${BUNDLED.join("|")})/`);
    onResolve({ filter }, ({ path }) => ({ path: createRequire(import.meta.url).resolve(path) }));
  },
};
