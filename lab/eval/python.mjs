/** Installs the compared Python packages into a virtual environment of their own. */

import { providePython as provide } from "../../scripts/lib/python.mjs";

/** The package of each compared project, with a pinned version. */
export const PYTHON_PEERS = {
  fastmcp: { package: "fastmcp", version: "4.1.2" },
  "pydantic-ai": { package: "pydantic-ai-slim", version: "2.68.0" },
};

/** Returns `{ python }`, the interpreter of the environment, or `{ reason }` if there is none. */
export const providePython = () => provide({ packages: Object.values(PYTHON_PEERS) });
