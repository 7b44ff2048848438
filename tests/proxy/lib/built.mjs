/** The installed package: that of the whole run where there is one, otherwise one of this file's own. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../../../scripts/lib/installed.mjs";

const home = (await install()).home;

/** An entry of the package, by its file in dist. */
export const entry = (name) => import(pathToFileURL(join(home, "dist", name)).href);
