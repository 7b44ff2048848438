/**
 * Writes the files that the Python package shares with the npm package. It runs before maturin builds the Python package.
 */

import { writeSources } from "./lib/packs/python.mjs";

writeSources();
