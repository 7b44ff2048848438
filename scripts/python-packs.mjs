/** Writes the words of the packs into the Python package, before maturin builds it. */

import { writePacks } from "./lib/packs/python.mjs";

writePacks();
