/** Writes into the Python package, before maturin builds it, what it has of the npm package. */

import { writeSources } from "./lib/packs/python.mjs";

writeSources();
