/** Preloaded into tests that import a peer themselves: it comes from the folder in TOOLSIFT_PEERS, if that folder has it. */

import { existsSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.TOOLSIFT_PEERS;
const source = `
  const parentURL = ${JSON.stringify(pathToFileURL(join(folder ?? "", "app.mjs")).href)};
  export const resolve = (specifier, context, next) =>
    /^unstorage(\\/|$)/.test(specifier) ? next(specifier, { ...context, parentURL }) : next(specifier, context);`;

if (folder !== undefined && existsSync(join(folder, "node_modules", "unstorage"))) {
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}
