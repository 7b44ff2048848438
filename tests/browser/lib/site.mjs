/** Serves the built page from a path below the root, because the page must work under any path. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { at } from "../../../scripts/lib/paths.mjs";
import { serveFolder } from "../../lib/http.mjs";

const DIST = at("www", "dist");
const BASE = "/some/where/";

export const serveSite = (dist = DIST, base = BASE) => serveFolder(dist, { base });

/** A file of the built page, as a request for its address gets it. */
export const builtFile = (address) => readFile(join(DIST, new URL(address).pathname.slice(BASE.length) || "index.html"));
