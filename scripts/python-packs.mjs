/** Writes into the Python package, before maturin builds it, what it has of the npm package. */

import { writePacks } from "./lib/packs/python.mjs";

writePacks();
