/** The built package. */

import { pathToFileURL } from "node:url";
import { at } from "../../../scripts/lib/paths.mjs";
import { install } from "../../../scripts/lib/installed.mjs";
import { join } from "node:path";

const { home } = process.env.TOOLSIFT_HOME === undefined ? await install() : { home: at("pkg") };

/** An entry of the package, by its file in dist. */
export const entry = (name) => import(pathToFileURL(join(home, "dist", name)).href);
